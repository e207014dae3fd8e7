"""Programs that pick elements by indices and masks, and write to the places that these say."""

from __future__ import annotations

import numpy as np

from .inline import part
from .places import set_element

Array = np.ndarray


def take(x: Array, index: Array) -> Array:
    """``x[index]``: elements, or rows, by an array of ints."""
    out = np.empty((len(index), *x.shape[1:]), x.dtype)
    for i in range(len(index)):
        k = index[i]
        out[i] = x[k]
    return out


def take_pairs(x: Array, rows: Array, columns: Array) -> Array:
    """``x[rows, columns]`` of a matrix."""
    out = np.empty(len(rows), x.dtype)
    for i in range(len(rows)):
        row = rows[i]
        column = columns[i]
        out[i] = x[row, column]
    return out


def take_columns(x: Array, index: Array) -> Array:
    """``x[:, index]`` of a matrix."""
    out = np.empty((len(x), len(index)), x.dtype)
    for j in range(len(index)):
        x[:, index[j]]  # NumPy looks at all indices, also where there is no row
    for i in range(len(x)):
        for j in range(len(index)):
            k = index[j]
            out[i, j] = x[i, k]
    return out


@part
def look_at_places(index: Array, x: Array) -> None:
    """Raise for an index that `x` has not: NumPy looks at all of them before it writes."""
    low = 0
    high = -1
    for i in range(len(index)):
        k = int(index[i])
        low = min(low, k)
        high = max(high, k)
    if low < -len(x) or high >= len(x):
        for i in range(len(index)):
            x[index[i]]


def put(x: Array, index: Array, values: Array) -> None:
    """``x[index] = values``: each index has a value of its own, and the last one stays."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = np.int64(index[i])
        if k < 0:
            k = k + len(x)
        set_element(x, k, values[i])


def put_rows(x: Array, index: Array, values: Array) -> None:
    """The same of rows."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = index[i]
        x[k] = values[i]


def put_number(x: Array, index: Array, value: float) -> None:
    """``x[index] = value``."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = np.int64(index[i])
        if k < 0:
            k = k + len(x)
        set_element(x, k, value)


def put_number_in_rows(x: Array, index: Array, value: float) -> None:
    """The same of rows."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = index[i]
        x[k] = value


def choose(x: Array, mask: Array, count: int) -> Array:
    """``x[mask]``, of which there are `count`. Without a branch that depends on the mask, which would be guessed."""
    out = np.empty(count, x.dtype)
    j = 0
    for i in range(len(mask)):
        if j >= count:
            break
        set_element(out, j, x[i])
        if mask[i]:
            j += 1
    return out


def choose_rows(x: Array, mask: Array, count: int) -> Array:
    """``x[mask]`` of rows."""
    out = np.empty((count, *x.shape[1:]), x.dtype)
    j = 0
    for i in range(len(mask)):
        if mask[i]:
            out[j] = x[i]
            j += 1
    return out


def put_chosen(x: Array, mask: Array, values: Array) -> None:
    """``x[mask] = values``, which are as many."""
    j = 0
    for i in range(len(mask)):
        if mask[i]:
            x[i] = values[j]
            j += 1


def put_number_chosen(x: Array, mask: Array, value: float) -> None:
    """``x[mask] = value`` of rows."""
    for i in range(len(mask)):
        if mask[i]:
            x[i] = value


def take_filled(x: Array, index: Array) -> Array:
    """``np.take(x, index)``, which has words of its own for an empty array."""
    if len(x) == 0 and len(index) > 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    out = np.empty((len(index), *x.shape[1:]), x.dtype)
    for i in range(len(index)):
        k = index[i]
        out[i] = x[k]
    return out
