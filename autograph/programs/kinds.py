"""Which kinds of arguments programs cover."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from ...graph.ir import dims
from ...graph.ir.types import Scalar
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.trace.build import current

_DTYPES = frozenset("bool float32 float64 complex64 complex128".split())
_REAL = frozenset(("float32", "float64"))


def is_array(value: object, ndim: int = 0) -> TypeGuard[SymbolicArray]:
    """An array of numbers that compiled code knows, with so many axes (0: with any but none)."""
    if not isinstance(value, SymbolicArray) or not (value.ndim == ndim if ndim else value.ndim):
        return False
    return value.dtype.isnative and (value.dtype.name in _DTYPES or value.dtype.kind in "iu")


def is_straight(value: SymbolicArray) -> bool:
    """Whether what NumPy makes of the array is in C order."""
    return value.ndim == 1 or value.order == "C"


def is_indices(value: object, ndim: int = 1) -> TypeGuard[SymbolicArray]:
    """An array of ints with so many axes that can be indices: NumPy makes int64 of them first."""
    return is_array(value, ndim) and value.dtype.kind in "iu" and value.dtype != np.uint64


def is_mask(value: object, ndim: int = 1) -> TypeGuard[SymbolicArray]:
    """An array of truths with so many axes."""
    return is_array(value, ndim) and value.dtype.kind == "b"


def is_real(value: object, ndim: int = 1) -> TypeGuard[SymbolicArray]:
    """An array of floats with so many axes."""
    return is_array(value, ndim) and value.dtype.name in _REAL


def is_int(value: object) -> bool:
    """Whether it is one int, of Python's or NumPy's."""
    dtype = dtype_of(value)
    return dtype is not None and dtype.kind in "iu" and dtype != np.uint64


def dtype_of(value: object) -> np.dtype | None:
    """The dtype of a number; None for what is none."""
    kind = type_of(value)
    return kind.dtype if isinstance(kind, Scalar) else None


def same_length(one: SymbolicArray, other: SymbolicArray) -> bool:
    """Whether the first axes of two arrays are of one size, proved or held by a guard."""
    return current().same_size(one.shape_sizes[0], other.shape_sizes[0])


def is_not_empty(value: SymbolicArray) -> bool:
    """Whether there is something along the first axis, by proof or by a guard on what the example has."""
    return current().is_natural(dims.sub(value.shape_sizes[0], 1))


def same_rows(one: SymbolicArray, other: SymbolicArray) -> bool:
    """Whether all axes but the first are of one size."""
    pairs = zip(one.shape_sizes[1:], other.shape_sizes[1:], strict=True)
    return all(current().same_size(a, b) for a, b in pairs)


def same_shape(one: SymbolicArray, other: SymbolicArray) -> bool:
    """Whether `other` begins with the axes of `one`."""
    if one.ndim > other.ndim:
        return False
    return all(map(current().same_size, one.shape_sizes, other.shape_sizes))


def goes_into(value: object, dtype: np.dtype) -> bool:
    """Whether a number, or the numbers of an array, are put into `dtype` by a cast that loses no bits.

    Or from float to float, where NumPy rounds as compiled code does.
    """
    kind = type_of(value)
    if isinstance(value, SymbolicArray):
        return np.can_cast(value.dtype, dtype, "safe") or (value.dtype.kind == dtype.kind == "f")
    if not isinstance(kind, Scalar):
        return False
    if type(value) is int and dtype.kind in "iu":
        return bool(np.iinfo(dtype).min <= value <= np.iinfo(dtype).max)
    return np.can_cast(kind.dtype, dtype, "safe") or (kind.dtype.kind in "fi" and dtype.kind == "f")
