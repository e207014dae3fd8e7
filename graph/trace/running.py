"""What runs in a frame: the user's line, and the variable that its statement assigns a value to."""

from __future__ import annotations

import dis
import linecache
import sys
from dataclasses import replace
from types import CodeType, FrameType
from typing import Any

from ..ir.nodes import NOWHERE, Loc
from .by_code import once_for_code

_Position = tuple[int | None, int | None, int | None, int | None]
_STORES = ("STORE_FAST", "STORE_DEREF", "STORE_NAME", "STORE_GLOBAL")


def place_of(frame: FrameType | None) -> Loc:
    """What runs in `frame`."""
    return NOWHERE if frame is None else place_at(frame.f_code, frame.f_lasti, frame.f_lineno)


def place_at(code: CodeType, offset: int, line: int) -> Loc:
    """What the user wrote that an instruction of `code` stands for."""
    where = line_of(code.co_filename, line, code.co_name)
    first, last, start, end = _positions(code)[offset // 2]
    return within(where, last, start, end) if first == line else where


def line_of(filename: str, line: int, function: str = "") -> Loc:
    """A line of a file."""
    return Loc(filename, line, function, text_of(filename, line))


def text_of(filename: str, line: int) -> str:
    """A line of a file; nothing where there is no such line."""
    return "".join(lines_of(filename)[max(line - 1, 0) : line]).rstrip()


def lines_of(filename: str, names: dict[str, Any] | None = None) -> list[str]:
    """The lines of a file, or of a notebook cell; `names` are those of its module.

    Code may have a name that no file can have, with half a character or a null in it.
    """
    try:
        return linecache.getlines(filename, names)
    except ValueError:
        return []


def within(where: Loc, last: int | None, start: int | None, end: int | None) -> Loc:
    """A part of a line, from byte `start` to byte `end` of line `last`."""
    if start is None or end is None:
        return where
    stop = _characters(where.text, end) if last == where.line else 0
    return replace(where, column=_characters(where.text, start), end=stop)


def _characters(text: str, count: int) -> int:
    """How many characters the first `count` bytes of a line are."""
    return count if text.isascii() else len(text.encode()[:count].decode(errors="ignore"))


@once_for_code
def _positions(code: CodeType) -> list[_Position]:
    """For each instruction: first and last line, first and last column; before Python 3.11 only zeros."""
    if sys.version_info >= (3, 11):
        return list(code.co_positions())
    return [(0, 0, 0, 0)] * len(code.co_code)


def target_of(frame: FrameType | None) -> str | None:
    """The variable that the running statement of `frame` assigns its value to."""
    return None if frame is None else _targets(frame.f_code).get(frame.f_lasti)


@once_for_code
def _targets(code: CodeType) -> dict[int, str]:
    """For instructions whose value goes straight into a variable: offset to its name."""
    found, previous = {}, None
    for instruction in dis.get_instructions(code):
        if previous is not None and instruction.opname in _STORES:
            # While it calls, a frame stands anywhere between the instruction and the end of its cache.
            for offset in range(previous.offset, instruction.offset, 2):
                found[offset] = str(instruction.argval)
        previous = instruction
    return found


def assignment_of(code: CodeType, name: str) -> Loc | None:
    """Where `code` and the functions inside of it assign to `name`, if they do that once.

    A staged function stores variables in other places, too: those don't stand at the name in the user's line.
    """
    found, previous = [], None
    for instruction in dis.get_instructions(code):
        if previous is not None and instruction.opname in _STORES and instruction.argval == name:
            target = place_at(code, instruction.offset, _positions(code)[instruction.offset // 2][0] or 0)
            value = place_at(code, previous.offset, target.line)
            if target.source == name:
                found.append(replace(target, end=value.end if value.end > target.end else target.end))
        previous = instruction
    inner = (assignment_of(const, name) for const in code.co_consts if isinstance(const, CodeType))
    found += filter(None, inner)
    return found[0] if len(found) == 1 else None
