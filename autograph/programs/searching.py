"""Programs that look for places: where something holds, and where numbers belong in a sorted array."""

from __future__ import annotations

import numpy as np

from .inline import part
from .places import goes_on, set_element

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


def search(a: Array, values: Array, strictly: bool) -> Array:
    """``np.searchsorted(a, values)``, from the left if `strictly`, or from the right.

    From one value to the next the bounds stay, if it is larger.
    """
    out = np.empty(len(values), np.int64)
    low = np.int64(0)
    high = np.int64(len(a))
    for i in range(len(values)):
        value = values[i]
        if i > 0 and goes_on(values[i - 1], value, strictly):
            high = np.int64(len(a))
        elif i > 0:
            low = np.int64(0)
            high = high + 1 if high < len(a) else np.int64(len(a))
        while low < high:
            middle = low + ((high - low) >> 1)
            if goes_on(a[middle], value, strictly):
                low = middle + 1
            else:
                high = middle
        out[i] = low
    return out


def search_one(a: Array, value: np.number, strictly: bool) -> np.int64:
    """The same of one number."""
    low = np.int64(0)
    high = np.int64(len(a))
    while low < high:
        middle = low + ((high - low) >> 1)
        if goes_on(a[middle], value, strictly):
            low = middle + 1
        else:
            high = middle
    return low


def digitize(x: Array, bins: Array, right: bool) -> Array:
    """``np.digitize(x, bins, right)``: bins that fall are looked through from their end."""
    size = np.int64(len(bins))
    order = direction(bins)
    if order == 0:
        raise ValueError("bins must be monotonically increasing or decreasing")
    out = np.empty(len(x), np.int64)
    low = np.int64(0)
    high = size
    for i in range(len(x)):
        value = x[i]
        if i > 0 and goes_on(x[i - 1], value, right):
            high = size
        elif i > 0:
            low = np.int64(0)
            high = high + 1 if high < size else size
        while low < high:
            middle = low + ((high - low) >> 1)
            place = middle if order > 0 else size - 1 - middle
            if goes_on(bins[place], value, right):
                low = middle + 1
            else:
                high = middle
        out[i] = low if order > 0 else size - low
    return out


@part
def direction(bins: Array) -> int:
    """1 for numbers that never fall, -1 for those that never rise, 0 for others."""
    order = 0
    for i in range(1, len(bins)):
        if order == 0 and bins[i - 1] != bins[i]:
            order = 1 if bins[i - 1] < bins[i] else -1
        elif order == 1 and bins[i - 1] > bins[i] or order == -1 and bins[i - 1] < bins[i]:
            order = 2
    if order == 0:
        order = 1
    elif order == 2:
        order = 0
    return order


@part
def place_near(key: float, xp: Array, guess: np.int64) -> np.int64:
    """The last place whose number is at most `key`; -1 and len(xp) are beyond.

    It is looked for around `guess` first. Which places are looked at is part of the answer, as the numbers
    need not be in order.
    """
    size = np.int64(len(xp))
    low = np.int64(0)
    high = size
    if key > xp[size - 1]:
        low = size + 1
        high = low
    elif key < xp[0]:
        high = low
    elif size <= 4:
        low = np.int64(1)
        while low < size and key >= xp[low]:
            low = low + 1
        high = low
    else:
        middle = max(min(guess, size - 3), np.int64(1))
        if key < xp[middle]:
            if key < xp[middle - 1]:
                high = middle - 1
                if middle > 8 and key >= xp[middle - 8]:
                    low = middle - 8
            else:
                low = middle
                high = middle
        elif key < xp[middle + 1]:
            low = middle + 1
            high = low
        elif key < xp[middle + 2]:
            low = middle + 2
            high = low
        else:
            low = middle + 2
            if middle < size - 9 and key < xp[middle + 8]:
                high = middle + 8
    while low < high:
        half = low + ((high - low) >> 1)
        if key >= xp[half]:
            low = half + 1
        else:
            high = half
    return low - 1


@part
def between(x: float, xp: Array, fp: Array, place: np.int64) -> float:
    """The value at `x`, which is at `place` or behind it: on the line to the next point."""
    last = np.int64(len(xp) - 1)
    if place < 0:
        value = fp[0]
    elif place >= last:
        value = fp[last]
    elif xp[place] == x:
        value = fp[place]
    else:
        slope = (fp[place + 1] - fp[place]) / (xp[place + 1] - xp[place])
        value = slope * (x - xp[place]) + fp[place]
        if value != value:
            value = slope * (x - xp[place + 1]) + fp[place + 1]
            if value != value and fp[place] == fp[place + 1]:
                value = fp[place]
    return value


def interp(x: Array, xp: Array, fp: Array) -> Array:
    """``np.interp(x, xp, fp)``, whose search goes on where the last one ended."""
    out = np.empty(len(x))
    place = np.int64(0)
    for i in range(len(x)):
        key = x[i]
        if len(xp) == 1:
            out[i] = fp[0]
        elif key != key:
            out[i] = key
        else:
            place = place_near(key, xp, place)
            out[i] = between(key, xp, fp, place)
    return out


def interp_one(x: float, xp: Array, fp: Array) -> float:
    """``np.interp(x, xp, fp)`` of one number."""
    value = fp[0]
    if len(xp) > 1 and x != x:
        value = np.float64(x)
    elif len(xp) > 1:
        value = between(x, xp, fp, place_near(x, xp, np.int64(0)))
    return value
