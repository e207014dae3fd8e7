"""Hash tables of ints: keys in the order in which they came, and the places where their numbers stand.

Kernels and drivers call these; `graph/ops/tables.py` says what they are.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

_FACTOR = -7046029254386353131  # 2**64 divided by the golden ratio, as a number of 64 bits


@register_jitable
def _first_place(key: int, places: np.ndarray) -> int:
    folded = key ^ (key >> 32)
    return (folded * _FACTOR >> 32) & (places.shape[0] - 1)


@register_jitable
def number_of(places: np.ndarray, keys: np.ndarray, key: int) -> int:
    """The number of the key in the table; -1 if it isn't there."""
    at = _first_place(int(key), places)
    for _ in range(places.shape[0]):
        number = int(places[at]) - 1
        if number < 0 or keys[number] == key:
            return number
        at = (at + 1) & (places.shape[0] - 1)
    return -1


@register_jitable
def enter(places: np.ndarray, keys: np.ndarray, number: int) -> None:
    """Note where the key of this number is, which wasn't there."""
    at = _first_place(int(keys[number]), places)
    for _ in range(places.shape[0]):
        if places[at] == 0:
            places[at] = number + 1
            return
        at = (at + 1) & (places.shape[0] - 1)


@register_jitable
def leave(places: np.ndarray, keys: np.ndarray, number: int, last: int) -> None:
    """Forget where the key of this number is; the key of the last number is noted to have it."""
    size = places.shape[0]
    at = _place_of(places, keys, number)
    places[_place_of(places, keys, last)] = number + 1
    places[at] = 0
    gap = at
    for _ in range(size):
        at = (at + 1) & (size - 1)
        if places[at] == 0:
            return
        # the key that stands here may stand in the gap if its own place isn't behind that
        first = _first_place(int(keys[last if places[at] == number + 1 else int(places[at]) - 1]), places)
        if ((at - first) & (size - 1)) >= ((at - gap) & (size - 1)):
            places[gap] = places[at]
            places[at] = 0
            gap = at


@register_jitable
def _place_of(places: np.ndarray, keys: np.ndarray, number: int) -> int:
    at = _first_place(int(keys[number]), places)
    for _ in range(places.shape[0]):
        if places[at] == number + 1:
            return at
        at = (at + 1) & (places.shape[0] - 1)
    return at


@register_jitable
def rehashed(places: np.ndarray, keys: np.ndarray, count: int) -> np.ndarray:
    """Twice as many places, with the first `count` keys."""
    more = np.zeros(2 * places.shape[0], np.int64)
    for number in range(count):
        enter(more, keys, number)
    return more


def with_places(places: np.ndarray, keys: np.ndarray, count: int) -> np.ndarray:
    """The places, or twice as many, so that not more than half of them are taken with one key more."""
    return places if 2 * count < len(places) else rehashed(places, keys, count)
