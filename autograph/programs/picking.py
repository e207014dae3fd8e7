"""Programs that pick elements by indices and masks, and write to the places that these say."""

from __future__ import annotations

import numpy as np

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


def put(x: Array, index: Array, values: Array) -> None:
    """``x[index] = values``: each index has a value of its own, and the last one stays."""
    for i in range(len(index)):
        x[index[i]]  # NumPy looks at all indices before it writes
    for i in range(len(index)):
        k = index[i]
        x[k] = values[i]


def put_number(x: Array, index: Array, value: float) -> None:
    """``x[index] = value``."""
    for i in range(len(index)):
        x[index[i]]
    for i in range(len(index)):
        k = index[i]
        x[k] = value
