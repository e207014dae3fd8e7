"""What runs in a frame: the user's line, and the variable that its statement assigns a value to."""

from __future__ import annotations

import dis
import linecache
from types import CodeType, FrameType

from ..ir.nodes import NOWHERE, Loc
from .by_code import once_for_code

_STORES = ("STORE_FAST", "STORE_DEREF", "STORE_NAME", "STORE_GLOBAL")


def place_of(frame: FrameType | None) -> Loc:
    """The line that runs in `frame`."""
    return NOWHERE if frame is None else line_of(frame.f_code, frame.f_lineno)


def line_of(code: CodeType, line: int) -> Loc:
    """A line of the file that `code` comes from."""
    return Loc(code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip())


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
