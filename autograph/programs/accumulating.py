"""Programs that sum up as they go: running sums, counts and additions at places."""

from __future__ import annotations

import numpy as np

from .inline import part
from .picking import look_at_places
from .places import element, natural, set_element

Array = np.ndarray
BUFFER = 8192
"""So many numbers NumPy converts at a time where it sums up others than it is given."""


def running(a: Array, combine: np.ufunc, start: np.generic) -> Array:
    """``np.cumsum`` and the like of a vector: `start` changes no number that it is combined with."""
    out = np.empty(len(a), start.dtype)
    total = start
    for i in range(len(a)):
        total = combine(total, a[i])
        out[i] = total
    return out


def running_in_rows(a: Array, combine: np.ufunc, start: np.generic) -> Array:
    """The same in each row of a matrix."""
    out = np.empty(a.shape, start.dtype)
    for i in range(a.shape[0]):
        total = start
        for j in range(a.shape[1]):
            total = combine(total, a[i, j])
            out[i, j] = total
    return out


def running_in_columns(a: Array, combine: np.ufunc, start: np.generic) -> Array:
    """The same in each column, row by row as memory lies."""
    out = np.empty(a.shape, start.dtype)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            before = out[i - 1, j] if i > 0 else start
            out[i, j] = combine(before, a[i, j])
    return out


def add_at(x: Array, index: Array, values: Array, combine: np.ufunc) -> None:
    """``np.add.at(x, index, values)`` and the like."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = np.int64(index[i])
        if k < 0:
            k = k + len(x)
        set_element(x, k, combine(element(x, k), values[i]))


def add_number_at(x: Array, index: Array, value: float, combine: np.ufunc) -> None:
    """``np.add.at(x, index, value)`` and the like."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = np.int64(index[i])
        if k < 0:
            k = k + len(x)
        set_element(x, k, combine(element(x, k), value))


@part
def bins(x: Array, least: int) -> int:
    """So many bins have room for all of `x`, `least` of them or more."""
    low = 0
    high = -1
    for i in range(len(x)):
        k = int(x[i])
        low = min(low, k)
        high = max(high, k)
    if low < 0:
        raise ValueError("'list' argument must have no negative elements")
    return max(high + 1, least)


def bincount(x: Array, least: int) -> Array:
    """``np.bincount(x, minlength=least)``."""
    out = np.zeros(natural(bins(x, least)), np.int64)
    for i in range(len(x)):
        k = x[i]
        set_element(out, k, element(out, k) + 1)
    return out


def bincount_of_weights(x: Array, weights: Array, least: int) -> Array:
    """``np.bincount(x, weights, least)``."""
    out = np.zeros(natural(bins(x, least)))
    for i in range(len(x)):
        k = x[i]
        set_element(out, k, element(out, k) + weights[i])
    return out


def polynomial(p: Array, x: Array) -> Array:
    """``np.polyval(p, x)``: Horner's rule."""
    out = np.empty(len(x), x.dtype)
    for i in range(len(x)):
        value = np.float64(0.0)
        at = x[i]
        for j in range(len(p)):
            value = value * at + p[j]
        out[i] = value
    return out


def mean_of_ints(a: Array) -> float:
    """``np.mean`` of a vector of ints that isn't empty, which NumPy sums up as floats."""
    count = a.shape[0]
    total = np.float64(0.0)
    for start in range(0, count, BUFFER):
        total = total + a[start : min(start + BUFFER, count)].astype(np.float64).sum()
    return total / np.float64(count)
