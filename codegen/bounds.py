"""Indices in compiled code: brought into their axis, or an `IndexError` with the facts."""

from __future__ import annotations

from numba import njit


@njit(nogil=True, error_model="numpy")
def wrapped_index(index: int, axis: int, size: int) -> int:
    """`index` counted from the start, or ``IndexError(index, axis, size)``, which the runtime words."""
    if index < -size or index >= size:
        raise IndexError(index, axis, size)
    return index + size if index < 0 else index
