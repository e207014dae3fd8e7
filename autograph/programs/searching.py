"""Programs that look for places: where something holds, and where numbers belong in a sorted array."""

from __future__ import annotations

import numpy as np

from .kinds import comes_before
from .places import set_element

Array = np.ndarray


def nonzero(mask: Array, count: int) -> Array:
    """``np.flatnonzero(mask)``, of which there are `count`."""
    out = np.empty(count, np.int64)
    j = 0
    for i in range(len(mask)):
        if j >= count:
            break
        set_element(out, j, i)
        if mask[i]:
            j += 1
    return out


def nonzero_of_matrix(mask: Array, count: int) -> Array:
    """Row and column of each place where `mask` holds."""
    out = np.empty((count, 2), np.int64)
    place = 0
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j]:
                out[place, 0] = i
                out[place, 1] = j
                place += 1
    return out


def argwhere_of_matrix(mask: Array, count: int) -> Array:
    """``np.argwhere(mask)``: the rows, and behind them the columns, transposed."""
    out = np.empty((2, count), np.int64)
    place = 0
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j]:
                out[0, place] = i
                out[1, place] = j
                place += 1
    return out.T


def search_left(a: Array, values: Array) -> Array:
    """``np.searchsorted(a, values)``. From one value to the next the bounds stay, if it is larger."""
    out = np.empty(len(values), np.int64)
    low = np.int64(0)
    high = np.int64(len(a))
    for i in range(len(values)):
        value = values[i]
        if i > 0 and comes_before(values[i - 1], value):
            high = np.int64(len(a))
        elif i > 0:
            low = np.int64(0)
            high = high + 1 if high < len(a) else np.int64(len(a))
        while low < high:
            middle = low + ((high - low) >> 1)
            if comes_before(a[middle], value):
                low = middle + 1
            else:
                high = middle
        out[i] = low
    return out


def search_right(a: Array, values: Array) -> Array:
    """``np.searchsorted(a, values, "right")``."""
    out = np.empty(len(values), np.int64)
    low = np.int64(0)
    high = np.int64(len(a))
    for i in range(len(values)):
        value = values[i]
        if i > 0 and not comes_before(value, values[i - 1]):
            high = np.int64(len(a))
        elif i > 0:
            low = np.int64(0)
            high = high + 1 if high < len(a) else np.int64(len(a))
        while low < high:
            middle = low + ((high - low) >> 1)
            if comes_before(value, a[middle]):
                high = middle
            else:
                low = middle + 1
        out[i] = low
    return out


def search_one_left(a: Array, value: float) -> int:
    """``np.searchsorted(a, value)`` of one number."""
    low = np.int64(0)
    high = np.int64(len(a))
    while low < high:
        middle = low + ((high - low) >> 1)
        if comes_before(a[middle], value):
            low = middle + 1
        else:
            high = middle
    return low


def search_one_right(a: Array, value: float) -> int:
    """``np.searchsorted(a, value, "right")`` of one number."""
    low = np.int64(0)
    high = np.int64(len(a))
    while low < high:
        middle = low + ((high - low) >> 1)
        if comes_before(value, a[middle]):
            high = middle
        else:
            low = middle + 1
    return low
