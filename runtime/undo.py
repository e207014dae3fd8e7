"""Arguments are put back as they were where an int leaves 64 bits after they were written.

Plain Python has no such limit, so the call starts again as plain Python. Only small arrays are kept for it:
a copy is a pass over the memory that the function itself may never make. Of generators that random numbers
are drawn from the state is kept.
"""

from __future__ import annotations

import ctypes
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..codegen.generators import address_of, bits_of
from ..graph.ir.random_state import layout
from ..graph.ir.twister import SIZE, is_known, state_address
from .too_large import is_too_large

if TYPE_CHECKING:
    from ..codegen.generators import Generators

MOST = 1 << 15
"""Bytes of an array that is kept: about 1 µs."""


MOST_WITH_LISTS = 1 << 28
"""Bytes of all arrays that are kept where lists are arrays: functions that write more run plain."""


class Undone(Exception):
    """Compiled code could not go on, because of `fault`; what it had written is as it was before the call."""

    def __init__(self, fault: BaseException) -> None:
        super().__init__(str(fault))
        self.fault = fault


def saved_text(array: str) -> str:
    """What `array` holds, if that is little: bytes take a third of the time of a copy."""
    return f"{array}.tobytes() if {array}.nbytes <= {MOST} else None"


def kept_state(generator: Generators) -> tuple[Any, bytes]:
    """What a generator knows, as it goes back to it: its bits, and the normal number that it has kept."""
    if isinstance(generator, random.Random):
        return ctypes.string_at(state_address(generator), SIZE) if is_known() else generator.getstate(), b""
    bits, place = bits_of(generator), _place_of_gauss(generator)
    gauss = ctypes.string_at(place, _GAUSS) if place else b""
    if type(bits) is np.random.MT19937 and _is_known_twister():  # its memory, for 1 µs of 40
        return ctypes.string_at(bits.ctypes.state_address, _TWISTER), gauss
    return bits.state, gauss


def _place_of_gauss(generator: Generators) -> int:
    """Where a `RandomState` keeps a normal number; 0 for a `Generator`, and where nobody draws one."""
    if type(generator) is not np.random.RandomState or (places := layout()) is None:
        return 0
    return address_of(generator) + places.gauss


_GAUSS = 16
_TWISTER = 625 * 4
"""The bytes of a Mersenne twister: 624 words, and how many of them have been used."""


@cache
def _is_known_twister() -> bool:
    """Whether the state lies in memory as it did in all of NumPy so far."""
    bits = np.random.MT19937(7)
    bits.random_raw(3)
    found = np.frombuffer(ctypes.string_at(bits.ctypes.state_address, _TWISTER), np.uint32)
    inside = bits.state["state"]
    return bool((found[:-1] == inside["key"]).all()) and int(found[-1]) == inside["pos"] > 0


def _put_back(kept: np.ndarray | Generators, before: Any) -> None:
    if isinstance(kept, np.ndarray):
        was = before if isinstance(before, np.ndarray) else np.frombuffer(before, kept.dtype)
        np.copyto(kept, was.reshape(kept.shape))
        return
    state, gauss = before
    if isinstance(kept, random.Random):
        if isinstance(state, bytes):
            ctypes.memmove(state_address(kept), state, SIZE)
        else:
            kept.setstate(state)
    elif isinstance(state, bytes):
        ctypes.memmove(bits_of(kept).ctypes.state_address, state, len(state))
    else:
        bits_of(kept).state = state
    if gauss:
        ctypes.memmove(_place_of_gauss(kept), gauss, len(gauss))


def undone(fault: BaseException, *pairs: tuple[Any, Any]) -> BaseException:
    """`fault`, or `Undone` where each array and each generator of `pairs` could be put back."""
    kept = [(one, before) for one, before in pairs if before is not None]
    if not is_too_large(fault) or len(kept) < len(pairs):
        return fault
    return all_undone(fault, *kept)


def all_undone(fault: BaseException, *pairs: tuple[Any, Any]) -> Undone:
    """Put back each array and each generator of `pairs`."""
    for one, was in pairs:
        _put_back(one, was)
    return Undone(fault)
