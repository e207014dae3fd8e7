"""`RandomState` and its normal numbers: they come in pairs, and it keeps the second one for the next call.

NumPy hides both the function and where that number is kept. The formulae are written anew, and the place is
looked for in an object of our own; if this NumPy has other numbers or another place, nobody draws this way.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a `RandomState` has its `bitgen_t`, and how far behind it ``int has_gauss; double gauss`` are."""

    bits: int
    gauss: int


@cache
def layout() -> Layout | None:
    """The places in the objects of this NumPy; None if they aren't known, or its numbers are others."""
    try:
        found = _found()
    except (ValueError, struct.error, ArithmeticError):
        return None
    return found if _holds(found) and _has_our_formulae() else None


def _found() -> Layout:
    marked = _waiting(1.2345e-67)
    memory = ctypes.string_at(id(marked), type(marked).__basicsize__)
    place = memory.index(struct.pack("d", 1.2345e-67)) - 8
    (bits,) = struct.unpack("P", memory[place - 8 : place])
    return Layout(bits - id(marked), place - (bits - id(marked)))


def _waiting(number: float) -> np.random.RandomState:
    """A generator that has kept a normal number."""
    made = np.random.RandomState(3)
    made.set_state({**made.get_state(legacy=False), "has_gauss": 1, "gauss": number})
    return made


def _holds(found: Layout) -> bool:
    """Whether what is written there is what the object has, and the other way round."""
    if not 0 < found.bits < np.random.RandomState.__basicsize__:
        return False
    made = _waiting(7.5e-99)
    place = id(made) + found.bits + found.gauss
    if ctypes.string_at(place, 16)[8:] != struct.pack("d", 7.5e-99):
        return False
    ctypes.c_double.from_address(place + 8).value = 0.5
    if made.standard_normal() != 0.5 or ctypes.c_int.from_address(place).value != 0:
        return False
    made.standard_normal()
    return ctypes.c_int.from_address(place).value == 1


def _has_our_formulae() -> bool:
    theirs, ours = np.random.RandomState(9), np.random.RandomState(9)
    pairs = _normals(ours)
    if any(theirs.standard_normal() != next(pairs) for _ in range(200)):
        return False
    return all(theirs.standard_exponential() == -math.log(1.0 - ours.random_sample()) for _ in range(200))


def _normals(state: np.random.RandomState) -> Iterator[float]:
    """Marsaglia's polar method."""
    while True:
        x, y = 2.0 * state.random_sample() - 1.0, 2.0 * state.random_sample() - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            factor = math.sqrt(-2.0 * math.log(square) / square)
            yield factor * y
            yield factor * x
