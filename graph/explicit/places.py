"""Where in the user's program an operation is made: the line, and the variable that it is assigned to."""

from __future__ import annotations

import dis
import linecache
import os
import sys
from types import CodeType, FrameType

from ..by_code import ByCode
from ..ir import NOWHERE, Loc

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ROOMS = tuple(os.path.join(_PACKAGE, room, "") for room in ("graph", "autograph", "codegen", "runtime"))
_STORES = ("STORE_FAST", "STORE_DEREF", "STORE_NAME", "STORE_GLOBAL")


def users_frame() -> FrameType | None:
    """The innermost frame that is neither ours nor NumPy's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_ROOMS) and not _is_library(frame):
            return frame
        frame = frame.f_back
    return None


def _is_library(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__", "")
    return module.split(".")[0] in ("numpy", "contextlib")


def place_of(frame: FrameType | None) -> Loc:
    """The line that runs in `frame`."""
    if frame is None:
        return NOWHERE
    code, line = frame.f_code, frame.f_lineno
    return Loc(code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip())


def target_of(frame: FrameType | None) -> str | None:
    """The variable that the running statement of `frame` assigns its value to."""
    if frame is None:
        return None
    known = _TARGETS.of(frame.f_code)
    if "targets" not in known:
        known["targets"] = targets(frame.f_code)
    found: str | None = known["targets"].get(frame.f_lasti)
    return found


_TARGETS = ByCode()


def targets(code: CodeType) -> dict[int, str]:
    """For instructions whose value goes straight into a variable: offset to its name."""
    found, previous = {}, None
    for instruction in dis.get_instructions(code):
        if previous is not None and instruction.opname in _STORES:
            # While it calls, a frame stands anywhere between the instruction and the end of its cache.
            for offset in range(previous.offset, instruction.offset, 2):
                found[offset] = str(instruction.argval)
        previous = instruction
    return found
