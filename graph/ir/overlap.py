"""Arrays whose own elements share memory: windows that can be written, strides of 0."""

from __future__ import annotations

import numpy as np

from .types import Type

WRITEABLE, WARNS_OF_WRITES = 0x400, 1 << 31
"""NumPy's bits in `ndarray.flags.num`; `flags.writeable` warns of what `np.broadcast_arrays` gives."""


def is_writeable(array: np.ndarray | np.generic) -> bool:
    """Whether NumPy lets `array` be written to, which asking alone doesn't warn of."""
    return bool(array.flags.num & WRITEABLE)


def warns_of_writes(array: np.ndarray) -> bool:
    """Whether NumPy warns of the first write to `array`, and Numba's look at it would warn, too."""
    return bool(array.flags.num & WARNS_OF_WRITES)


def has_elements_of_its_own(array: np.ndarray | np.generic) -> bool:
    """Whether compiled code may write to arrays like this one: what others get, NumPy alone knows."""
    return is_writeable(array) and not overlaps_itself(array)


def may_overlap_itself(type_: Type) -> bool:
    """Whether elements of an array of this type may share memory: arrays without gaps have each its own."""
    return getattr(type_, "layout", "C") == "A"


def overlaps_itself(array: np.ndarray | np.generic) -> bool:
    """Whether elements of `array` may share memory: an axis steps no further than what faster axes cover."""
    if not array.size:
        return False
    covered = array.itemsize
    for step, size in sorted(
        (abs(step), size) for step, size in zip(array.strides, array.shape, strict=True)
    ):
        if size > 1 and step < covered:
            return True
        covered += step * (size - 1)
    return False
