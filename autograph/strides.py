"""Arrays with gaps: which way their axes run, as NumPy looks at it when it lays out a result."""

from __future__ import annotations

from itertools import pairwise


def order_of(array: object) -> str:
    """``C`` if each axis is slower than the next one, ``F`` if it is faster; empty if that isn't certain.

    Of axes with one element or none, and of those that run backwards or are repeated, nothing is said.
    """
    shape: tuple[int, ...] = getattr(array, "shape", ())
    strides: tuple[int, ...] = getattr(array, "strides", ())
    if len(strides) < 2 or min(shape) < 2 or min(strides) <= 0:
        return ""
    if all(one > other for one, other in pairwise(strides)):
        return "C"
    return "F" if all(one < other for one, other in pairwise(strides)) else ""
