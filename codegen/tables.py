"""Hash tables of ints, or of tuples of them: keys in the order in which they came, and where each stands.

A key is an int, or a tuple; keys are an array, or a tuple of arrays, one for each number of a key. Kernels
and drivers call these; `graph/ops/tables.py` says what they are.
"""

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

Key = int | tuple[int, ...]
Keys = np.ndarray | tuple[np.ndarray, ...]

_FACTOR = -7046029254386353131  # 2**64 divided by the golden ratio, as a number of 64 bits
_MORE = 6364136223846793005  # Knuth's factor of a generator of 64 bits (vol. 2, 3rd ed., p. 106)


def _folded(key: Key) -> int:
    """A number whose lower 64 bits tell keys apart, also where Python's ints don't wrap around."""
    if isinstance(key, tuple):
        first = _folded(key[0])
        return first if len(key) == 1 else first + _MORE * _folded(key[1:])
    return int(key) ^ (int(key) >> 32)


def _is_at(keys: Keys, number: int, key: Key) -> bool:
    """Whether the key of this number is this one."""
    if isinstance(key, tuple):
        return all(column[number] == part for column, part in zip(keys, key, strict=True))
    return bool(keys[number] == key)


def _key_at(keys: Keys, number: int) -> Key:
    """The key of this number."""
    return tuple(column[number] for column in keys) if isinstance(keys, tuple) else keys[number]


# Numba compares annotations of the parameters, too: what follows has none


@overload(_folded)
def _compiled_folded(key):  # type: ignore[no-untyped-def]
    if not isinstance(key, types.BaseTuple):
        return lambda key: int(key) ^ (int(key) >> 32)
    if len(key) == 1:
        return lambda key: _folded(key[0])
    return lambda key: _folded(key[0]) + _MORE * _folded(key[1:])


@overload(_is_at)
def _compiled_is_at(keys, number, key):  # type: ignore[no-untyped-def]
    if not isinstance(key, types.BaseTuple):
        return lambda keys, number, key: keys[number] == key
    if len(key) == 1:
        return lambda keys, number, key: keys[0][number] == key[0]
    return lambda keys, number, key: keys[0][number] == key[0] and _is_at(keys[1:], number, key[1:])


@overload(_key_at)
def _compiled_key_at(keys, number):  # type: ignore[no-untyped-def]
    if not isinstance(keys, types.BaseTuple):
        return lambda keys, number: keys[number]
    if len(keys) == 1:
        return lambda keys, number: (keys[0][number],)
    return lambda keys, number: (keys[0][number],) + _key_at(keys[1:], number)  # type: ignore[operator]


@register_jitable
def _first_place(key: Key, places: np.ndarray) -> int:
    return (_folded(key) * _FACTOR >> 32) & (places.shape[0] - 1)


@register_jitable
def number_of(places: np.ndarray, keys: Keys, key: Key) -> int:
    """The number of the key in the table; -1 if it isn't there."""
    at = _first_place(key, places)
    for _ in range(places.shape[0]):
        number = int(places[at]) - 1
        if number < 0 or _is_at(keys, number, key):
            return number
        at = (at + 1) & (places.shape[0] - 1)
    return -1


@register_jitable
def enter(places: np.ndarray, keys: Keys, number: int) -> None:
    """Note where the key of this number is, which wasn't there."""
    at = _first_place(_key_at(keys, number), places)
    for _ in range(places.shape[0]):
        if places[at] == 0:
            places[at] = number + 1
            return
        at = (at + 1) & (places.shape[0] - 1)


@register_jitable
def leave(places: np.ndarray, keys: Keys, number: int, last: int) -> None:
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
        key = _key_at(keys, last if places[at] == number + 1 else int(places[at]) - 1)
        first = _first_place(key, places)
        if ((at - first) & (size - 1)) >= ((at - gap) & (size - 1)):
            places[gap] = places[at]
            places[at] = 0
            gap = at


@register_jitable
def _place_of(places: np.ndarray, keys: Keys, number: int) -> int:
    at = _first_place(_key_at(keys, number), places)
    for _ in range(places.shape[0]):
        if places[at] == number + 1:
            return at
        at = (at + 1) & (places.shape[0] - 1)
    return at


@register_jitable
def rehashed(places: np.ndarray, keys: Keys, count: int) -> np.ndarray:
    """Twice as many places, with the first `count` keys."""
    more = np.zeros(2 * places.shape[0], np.int64)
    for number in range(count):
        enter(more, keys, number)
    return more


def with_places(places: np.ndarray, keys: Keys, count: int) -> np.ndarray:
    """The places, or twice as many, so that not more than half of them are taken with one key more."""
    return places if 2 * count < len(places) else rehashed(places, keys, count)
