"""What the driver does for kernels that draw random numbers: it locks the generators and gives their addresses."""

from __future__ import annotations

import ctypes
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import numpy as np

from ..graph.ops.random_state import layout

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


def address_of(generator: Any) -> int:
    """Where the state and the functions of a `Generator` or `RandomState` are: its `bitgen_t`.

    A `RandomState` has one inside, beside the normal number that it keeps.
    """
    if type(generator) is np.random.RandomState and (places := layout()) is not None:
        return id(generator) + places.bits
    found: int = _pointer(bits_of(generator).capsule, b"BitGenerator")
    return found


def locked(*generators: Any) -> AbstractContextManager[Any]:
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


def _lock_of(generator: Any) -> AbstractContextManager[Any]:
    found: AbstractContextManager[Any] = bits_of(generator).lock
    return found


def bits_of(generator: Any) -> Any:
    """The bit generator; that of a `RandomState` has no public name."""
    return getattr(generator, "bit_generator", None) or generator._bit_generator
