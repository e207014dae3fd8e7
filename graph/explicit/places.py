"""Where in the user's program an operation is made."""

from __future__ import annotations

import os
import sys
from types import FrameType

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ROOMS = tuple(os.path.join(_PACKAGE, room, "") for room in ("graph", "autograph", "codegen", "runtime"))


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
