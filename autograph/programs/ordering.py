"""Programs of what sorting decides: in place, medians, unique numbers."""

from __future__ import annotations

import numpy as np

from .places import natural

Array = np.ndarray


def sort_in_place(a: Array) -> None:
    """``a.sort()``."""
    a[:] = np.sort(a)


def median(a: Array) -> float:
    """``np.median(a)`` of a vector of floats that isn't empty: the mean of the two in the middle, or NaN."""
    count = a.shape[0]
    ordered = np.sort(a)
    found: float = ordered[(count - 1) // 2 : count // 2 + 1].mean()
    last: float = ordered[count - 1]
    return last if last != last else found


def median_of_ints(a: Array) -> float:
    """The same of ints."""
    count = a.shape[0]
    ordered = np.sort(a)
    found: float = ordered[(count - 1) // 2 : count // 2 + 1].astype(np.float64).mean()
    return found


def unique(a: Array) -> Array:
    """``np.unique(a)`` of a vector of ints."""
    ordered = np.sort(a)
    count = 0
    for i in range(ordered.shape[0]):
        if i == 0 or ordered[i] != ordered[i - 1]:
            count += 1
    out = np.empty(natural(count), a.dtype)
    at = 0
    for i in range(ordered.shape[0]):
        if i == 0 or ordered[i] != ordered[i - 1]:
            out[at] = ordered[i]
            at += 1
    return out
