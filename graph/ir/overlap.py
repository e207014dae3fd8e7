"""Arrays whose own elements share memory: windows that can be written, strides of 0."""

from __future__ import annotations

import numpy as np

from .types import Type


def may_overlap_itself(type_: Type) -> bool:
    """Whether elements of an array of this type may share memory: arrays without gaps have each its own."""
    return getattr(type_, "layout", "C") == "A"


def overlaps_itself(array: np.ndarray) -> bool:
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
