"""Ints of NumPy wrap around: compiled functions in which a signed overflow is no undefined behaviour.

Numba marks each signed addition, subtraction and product with LLVM's ``nsw``, which promises that it never
overflows. NumPy's ints do, by its definition: ``a + 1 > a`` is false for the largest. With the promise LLVM
makes such comparisons constants, and loops that end by an overflow endless. Python's ints are checked where
they could leave 64 bits, so nothing is lost on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from numba.cpython import numbers as python_numbers
from numba.np.math import numbers as numpy_numbers

_wanted: ContextVar[bool] = ContextVar("wanted", default=False)


@contextmanager
def wrapping() -> Iterator[None]:
    """In what Numba compiles meanwhile in this context ints wrap around."""
    _install()
    token = _wanted.set(True)
    try:
        yield
    finally:
        _wanted.reset(token)


@cache
def _install() -> None:
    """Numba asks one function for the marks of an operation; what others compile keeps them."""
    for module in (python_numbers, numpy_numbers):
        held: Any = module
        held._int_arith_flags = _unless_wanted(held._int_arith_flags)


def _unless_wanted(marks: Any) -> Any:
    return lambda kind: [] if _wanted.get() else marks(kind)
