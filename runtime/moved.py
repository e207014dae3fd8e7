"""Where the user's functions stand now: reports on disk speak of lines as they were when they were written.

A function with the same code may stand in another file, further down, or between other comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from ..graph.trace.running import text_of
from .specialisation import Line

_UNIT = 2
"""Bytes of an instruction."""

Places = list[dict[str, Any]]


def places_of(functions: Iterable[FunctionType]) -> Places:
    """Where functions stand: file and lines of instructions, as they are kept on disk."""
    codes = [function.__code__ for function in functions]
    return [{"file": Path(code.co_filename).name, "lines": list(_lines(code))} for code in codes]


def _lines(code: CodeType) -> Iterator[int]:
    """The line of the definition, then that of each instruction."""
    yield code.co_firstlineno
    for start, end, line in code.co_lines():
        yield from [line or code.co_firstlineno] * ((end - start) // _UNIT)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _lines(constant)


def lines_now(then: Places, functions: Sequence[FunctionType]) -> Callable[[Mapping[str, Any]], Line]:
    """From lines as a report on disk has them to those where the same functions stand now."""
    now = places_of(functions)
    if now == then:
        return lambda line: Line(**line)
    known: dict[tuple[str, int], tuple[str, int]] = {}
    for before, after, function in zip(then, now, functions, strict=True):
        path, shift = function.__code__.co_filename, after["lines"][0] - before["lines"][0]
        first, last = min(before["lines"]), max(before["lines"])
        known.update({(before["file"], line): (path, line + shift) for line in range(first, last + 1)})
        pairs = zip(before["lines"], after["lines"], strict=True)
        known.update({(before["file"], line): (path, here) for line, here in pairs})

    def at(line: Mapping[str, Any]) -> Line:
        path, number = known.get((line["file"], line["number"]), ("", 0))
        if not path:
            return Line(**line)
        return Line(Path(path).name, number, text_of(path, number) or line["text"])

    return at
