"""Arguments are put back as they were where an int leaves 64 bits after they were written.

Plain Python has no such limit, so the call starts again as plain Python. Only small arrays are kept for it:
a copy is a pass over the memory that the function itself may never make.
"""

from __future__ import annotations

import numpy as np

from ..codegen.faults import Deoptimise

MOST = 1 << 15
"""Bytes of an array that is kept: about 1 µs."""


class Undone(Exception):
    """Compiled code could not go on; what it had written is as it was before the call."""


def saved_text(array: str) -> str:
    """What `array` holds, if that is little: bytes take a third of the time of a copy."""
    return f"{array}.tobytes() if {array}.nbytes <= {MOST} else None"


def undone(fault: BaseException, *pairs: tuple[np.ndarray, bytes | None]) -> BaseException:
    """`fault`, or `Undone` where each array of `pairs` could be put back."""
    kept = [(array, before) for array, before in pairs if before is not None]
    if not isinstance(fault, Deoptimise) or len(kept) < len(pairs):
        return fault
    for array, before in kept:
        np.copyto(array, np.frombuffer(before, array.dtype).reshape(array.shape))
    return Undone(str(fault))
