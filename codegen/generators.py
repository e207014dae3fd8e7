"""What the driver does for kernels that draw random numbers: locks on generators, and their addresses."""

from __future__ import annotations

import ctypes
import random
import threading
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from ..graph.ir.random_state import layout
from ..graph.ir.twister import state_address

if TYPE_CHECKING:
    Generators = np.random.Generator | np.random.RandomState | random.Random

_PYTHONS = threading.RLock()
"""Python's own generators have no locks: two kernels never draw from them at the same time."""
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


def address_of(generator: Generators) -> int:
    """Where the state and the functions of a `Generator` or `RandomState` are: its `bitgen_t`.

    A `RandomState` has one inside, beside the normal number that it keeps. Python's own has its state inside.
    """
    if isinstance(generator, random.Random):
        return state_address(generator)
    if type(generator) is np.random.RandomState and (places := layout()) is not None:
        return id(generator) + places.bits
    found: int = _pointer(bits_of(generator).capsule, b"BitGenerator")
    return found


def locked(*generators: Generators) -> AbstractContextManager[Any]:
    """What NumPy locks for each number that it draws is locked for a whole kernel.

    Several locks are taken in one order, whoever takes them. A lock may be taken twice by one thread: two
    names may be one generator, and the handler of a signal may draw numbers.
    """
    if len(generators) == 1:
        return _lock_of(generators[0])
    stack = ExitStack()
    for lock in sorted(map(_lock_of, generators), key=id):
        stack.enter_context(lock)
    return stack


def _lock_of(generator: Generators) -> AbstractContextManager[Any]:
    if isinstance(generator, random.Random):
        return _PYTHONS
    found: AbstractContextManager[Any] = bits_of(generator).lock
    return found


def bits_of(generator: Generators) -> np.random.BitGenerator:
    """The bit generator; that of a `RandomState` has no public name."""
    found: np.random.BitGenerator | None = getattr(generator, "bit_generator", None)
    return found if found is not None else generator._bit_generator  # type: ignore[union-attr]
