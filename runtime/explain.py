"""`explain`: what runs compiled, as NumPy, or as Python, why, and what would help; in the user's lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..graph.ir.nodes import Loc
from ..graph.ir.shown import printable, printable_lines
from ..graph.trace.devices import short_name
from .bisect import bisected
from .coverage import coverage_of
from .errors import WIDTH, cut, message, quoted
from .line_states import specialisation_for, worth_telling
from .report import indentation
from .specialisation import Left, Line, Specialisation

if TYPE_CHECKING:
    from .function import Function

__all__ = ["coverage_of", "explain"]

_MOST = 6
"""So many lines of a part are shown; of a longer one the first and the last."""


def explain(function: Function, *args: Any, **kwargs: Any) -> str:
    """The report for arguments like these; without arguments, for every specialisation so far.

    With ``bisect=True``, which step of the compiler makes the answer for these arguments wrong; with
    ``coverage=True``, also what share of a plain call's time each line takes.
    """
    asked = {
        name: name not in function.binder.names and kwargs.pop(name, False) for name in ("bisect", "coverage")
    }
    if asked["bisect"]:
        return bisected(function, function.values_of(*args, **kwargs))
    if args or kwargs or asked["coverage"]:
        values = function.values_of(*args, **kwargs)
        report = _report(function, specialisation_for(function, values))
        return report + (str(coverage_of(function, values)) if asked["coverage"] else "")
    if not function.specialisations and not function.binder.names:
        return _report(function, specialisation_for(function, ()))
    name = function.called
    if function.always_plain:
        return _report(function, Specialisation("...", plain_reason=function.always_plain))
    if not function.specialisations:
        return f"{printable(name)}: not called yet\n"
    return "\n".join(_report(function, item) for item in function.specialisations)


def _report(function: Function, item: Specialisation) -> str:
    code = function.python_function.__code__
    place = code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
    lines = wrapped(printable(f"{function.called}({item.signature})  {place}:{code.co_firstlineno}"))
    if item.plain_reason:
        where = item.where if item.where.line else function.written
        said = message(f"{function.verdict}: {item.plain_reason}", where, attempt=item.attempt)
        lines += ["  " + line for line in said.split("\n")] + list(_outlined(function))
        return "\n".join(lines) + "\n"
    if item.slower:
        lines.append("  runs as plain Python, which took less time when both were tried; if compiled:")
    lines += _clusters(item)
    left = worth_telling(item.report.left)
    for title in ("NumPy", "Python"):
        lines += _left(f"runs as {title}", [one for one in left if one.runs_as == title])
    lines += _left("note", item.report.notes)
    origin = "from the disk cache" if item.from_disk else "made in this process"
    lines.append(f"  module: {item.module_path} ({origin})")
    return printable_lines("\n".join(lines)) + "\n"


def _outlined(function: Function) -> Iterator[str]:
    """The loops that are functions of their own, with their own reports."""
    made = None if function.outlining is None else function.outlining.made
    for part in made.parts if made is not None else ():
        first, last = part.loop.lineno, part.loop.end_lineno or part.loop.lineno
        yield f"  but {ranges(range(first, last + 1))}: a function of its own"
        yield from (f"    {line}" for line in part.decorated.explain().splitlines())  # type: ignore[attr-defined]


def _clusters(item: Specialisation) -> Iterator[str]:
    if not item.clusters:
        yield "  nothing is compiled"
    shown: set[Line] = set()
    for cluster, lines in zip(item.report.members, item.report.lines, strict=False):
        scopes = {node.scope for node in cluster.nodes}
        yield f"  {cluster.name}: {where_compiled(cluster.device, scopes)}"
        for file, group in groupby(lines, key=lambda line: line.file):
            own = list(group)
            yield f"    {file}, {ranges([line.number for line in own])}"
            yield from _shown([line for line in own if line not in shown])
            shown.update(own)


def where_compiled(device: str, scopes: Iterable[str | None]) -> str:
    """For which device a cluster is compiled, and in which scopes its operations stand."""
    named = sorted(scope for scope in set(scopes) if scope)
    return f"compiled{f' for {short_name(device)}' if device else ''}" + (
        f", in {', '.join(named)}" if named else ""
    )


def _left(title: str, items: Iterable[Left]) -> Iterator[str]:
    """Each reason once, with the lines that it costs."""
    parts: dict[tuple[str, str], list[Left]] = {}
    for item in items:
        parts.setdefault((item.reason, item.attempt), []).append(item)
    for (reason, attempt), part in parts.items():
        lines = list(dict.fromkeys(item.line for item in part))
        yield from wrapped(f"  {title}, {ranges([line.number for line in lines])}: {reason}")
        yield from _shown(lines) if len(lines) > 1 else _pointed(part)
        if attempt:
            yield f"    try: {attempt}"


def _pointed(part: Sequence[Left]) -> Iterator[str]:
    """One line of the user's, with a caret under all that is meant in it."""
    line, indent = part[0].line, indentation(part[0].line.text)
    start = min(item.column for item in part) - indent
    end = max(item.end for item in part) - indent
    where = Loc(line.file, line.number, "", line.text[indent:], max(start, 0), max(end, 0))
    return (f"  {line}" for line in quoted(where))


def _shown(lines: Sequence[Line]) -> Iterator[str]:
    """Lines of the user's, without the indentation that all of them have."""
    indent = min((indentation(line.text) for line in lines), default=0)
    shown = [f"  {line.number:5} | {cut(line.text[indent:])}" for line in lines]
    yield from shown if len(lines) <= _MOST else [*shown[: _MOST - 2], "        | ...", shown[-1]]


def wrapped(text: str) -> list[str]:
    """A text on as many lines of the screen as it takes."""
    indent = " " * (len(text) - len(text.lstrip()) + 4)
    return wrap(
        text,
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


def ranges(numbers: Iterable[int]) -> str:
    """``lines 3 to 5, 8``."""
    parts = []
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        parts.append(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}")
    return ("lines " if len(parts) > 1 or " to " in "".join(parts) else "line ") + ", ".join(parts)
