"""Programs that make arrays of numbers: ranges, diagonals, products across."""

from __future__ import annotations

import numpy as np

from .places import natural

Array = np.ndarray


def size(number: int) -> int:
    """A size that is known when it is needed."""
    count = int(number)
    if count < 0:
        raise ValueError("negative dimensions are not allowed")
    return natural(count)


def count_up(count: int, dtype: np.dtype) -> Array:
    """``np.arange(count)``."""
    out = np.empty(count, dtype)
    for i in range(count):
        out[i] = i
    return out


def arange(start: int, stop: int, step: int, dtype: np.dtype) -> Array:
    """``np.arange(start, stop, step)`` of ints, with a step that is known."""
    span = stop - start if step > 0 else start - stop
    count = natural(max((span + abs(step) - 1) // abs(step), 0))
    out = np.empty(count, dtype)
    for i in range(count):
        out[i] = start + i * step
    return out


def grid_of_two(first: int, second: int, rows: int, columns: int) -> Array:
    """``np.mgrid[first : first + rows, second : second + columns]``."""
    out = np.empty((2, rows, columns), np.int64)
    for i in range(rows):
        for j in range(columns):
            out[0, i, j] = first + i
            out[1, i, j] = second + j
    return out


def linspace(start: float, stop: float, count: int, endpoint: bool) -> Array:
    """``np.linspace(start, stop, count)`` in float64, by NumPy's own steps."""
    out = np.empty(count)
    parts = count - 1 if endpoint else count
    delta = np.float64(stop) - np.float64(start)
    step = delta / np.float64(parts)
    for i in range(count):
        if parts <= 0:
            out[i] = i * delta + start
        elif step == 0:  # of numbers so close that their distance has no part
            out[i] = i / np.float64(parts) * delta + start
        else:
            out[i] = i * step + start
    if endpoint and count > 1:
        out[count - 1] = stop
    return out


def eye(rows: int, columns: int, k: int, dtype: np.dtype) -> Array:
    """``np.eye(rows, columns, k, dtype)``."""
    out = np.zeros((rows, columns), dtype)
    for i in range(max(-k, 0), min(rows, columns - k)):
        out[i, i + k] = 1
    return out


def lower_ones(rows: int, columns: int, k: int, dtype: np.dtype) -> Array:
    """``np.tri(rows, columns, k, dtype)``."""
    out = np.zeros((rows, columns), dtype)
    for i in range(max(-k, 0), rows):
        for j in range(min(i + k + 1, columns)):
            out[i, j] = 1
    return out


def trace(a: Array) -> float:
    """``np.trace(a)``: a sum of the diagonal."""
    size = min(a.shape[0], a.shape[1])
    diagonal = np.empty(natural(size), a.dtype)
    for i in range(size):
        diagonal[i] = a[i, i]
    total: float = diagonal.sum()
    return total


def fill_diagonal(a: Array, value: float) -> None:
    """``np.fill_diagonal(a, value)`` of a matrix."""
    for i in range(min(a.shape[0], a.shape[1])):
        a[i, i] = value


def cross(a: Array, b: Array) -> Array:
    """``np.cross(a, b)`` of two vectors of three numbers."""
    out = np.empty(3, a.dtype)
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    return out


def cross_of_rows(a: Array, b: Array) -> Array:
    """``np.cross(a, b)`` of two matrices with three columns."""
    out = np.empty(a.shape, a.dtype)
    for i in range(len(a)):
        out[i, 0] = a[i, 1] * b[i, 2] - a[i, 2] * b[i, 1]
        out[i, 1] = a[i, 2] * b[i, 0] - a[i, 0] * b[i, 2]
        out[i, 2] = a[i, 0] * b[i, 1] - a[i, 1] * b[i, 0]
    return out
