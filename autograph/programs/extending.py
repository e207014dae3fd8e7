"""Programs that make arrays longer, or shorter by one: padded, inserted, appended, deleted."""

from __future__ import annotations

import numpy as np

from .inline import part
from .places import element, natural, set_element

Array = np.ndarray


@part
def source_place(k: int, size: int, mode: str) -> int:
    """Which element stands at place `k`, counted from the first one, of an axis that goes on and on."""
    if mode == "edge":
        place = min(max(k, 0), size - 1)
    elif mode == "wrap":
        place = k % size
    elif mode == "symmetric":
        turn = k % (2 * size)
        place = turn if turn < size else 2 * size - 1 - turn
    else:
        period = max(2 * (size - 1), 1)
        turn = k % period
        place = turn if turn < size else period - turn
    return place


@part
def checked_width(width: int) -> int:
    """How much is added, as a size."""
    if width < 0:
        raise ValueError("index can't contain negative values")
    return natural(width)


def padded(a: Array, before: int, after: int, mode: str) -> Array:
    """``np.pad(a, (before, after), mode)`` of a vector that has elements."""
    size = len(a)
    first = checked_width(before)
    last = checked_width(after)
    out = np.empty(natural(first + size + last), a.dtype)
    for i in range(first):
        out[i] = element(a, source_place(i - first, size, mode))
    for i in range(size):
        set_element(out, first + i, a[i])
    for i in range(last):
        set_element(out, first + size + i, element(a, source_place(size + i, size, mode)))
    return out


def padded_matrix(a: Array, top: int, bottom: int, left: int, right: int, mode: str) -> Array:
    """The same of a matrix."""
    rows, columns = a.shape
    above = checked_width(top)
    below = checked_width(bottom)
    first = checked_width(left)
    last = checked_width(right)
    out = np.empty((natural(above + rows + below), natural(first + columns + last)), a.dtype)
    for i in range(above + rows + below):
        line = a[source_place(i - above, rows, mode)]
        made = out[i]
        for j in range(first):
            made[j] = element(line, source_place(j - first, columns, mode))
        for j in range(columns):
            set_element(made, first + j, line[j])
        for j in range(last):
            set_element(made, first + columns + j, element(line, source_place(columns + j, columns, mode)))
    return out


def append(a: Array, value: float, dtype: np.dtype) -> Array:
    """``np.append(a, value)``."""
    out = np.empty(len(a) + 1, dtype)
    for i in range(len(a)):
        out[i] = a[i]
    out[len(a)] = value
    return out


def insert(a: Array, index: int, value: float) -> Array:
    """``np.insert(a, index, value)``, where there are so many elements."""
    out = np.empty(len(a) + 1, a.dtype)
    for i in range(index):
        out[i] = a[i]
    set_element(out, index, value)
    for i in range(index, len(a)):
        out[i + 1] = a[i]
    return out


def delete(a: Array, index: int) -> Array:
    """``np.delete(a, index)``; an index beyond is that of the element that isn't there."""
    a[index]
    size = len(a)
    gone = index + size if index < 0 else index
    out = np.empty(natural(size - 1), a.dtype)
    for i in range(gone):
        set_element(out, i, element(a, i))
    for i in range(gone + 1, size):
        set_element(out, i - 1, element(a, i))
    return out
