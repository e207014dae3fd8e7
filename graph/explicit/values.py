"""Values from outside: what may become a constant, a variable's value, or the feed of a symbol."""

from __future__ import annotations

from typing import Any

import numpy as np

Value = np.ndarray | np.generic

_NATIVE = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "float16 float32 float64 complex64 complex128".split()
)


def as_constant(value: Any, dtype: Any = None) -> Value:
    """The value of a constant: an array of its own, or a NumPy number.

    Raises:
        TypeError: `value` isn't made of numbers, or has another kind than `dtype`.
    """
    array = np.array(value)
    if dtype is not None:
        array = np.array(cast_to(value, np.dtype(dtype), "a constant") if array.size else array, dtype)
    _check_numbers(array, "a constant")
    return _native(array)


def cast_to(value: Any, dtype: np.dtype, what: str) -> Value:
    """`value` in `dtype`, itself where it is an array of that dtype.

    NumPy's casts of the same kind (float64 to float32) are done, others are an error: nothing is cut off, and
    ints must fit. Python's ints have no dtype of their own: they may become floats, too.

    Raises:
        TypeError: the kinds differ.
        OverflowError: an int is too large.
    """
    found = np.asarray(value)
    _check_numbers(found, what)
    if found.dtype == dtype:
        return found if type(value) is np.ndarray and found.ndim and found.flags.aligned else _native(found)
    if not isinstance(value, np.ndarray | np.generic) and found.dtype.kind in "bi" and dtype.kind in "iufc":
        return _native(np.asarray(value, dtype))
    if not np.can_cast(found.dtype, dtype, "same_kind"):
        raise TypeError(f"Cannot cast {what} from {found.dtype} to {dtype} according to the rule 'same_kind'")
    if found.dtype.kind in "iu" and dtype.kind in "iu" and found.size:
        limits = np.iinfo(dtype)
        if int(found.min()) < limits.min or int(found.max()) > limits.max:
            raise OverflowError(f"{what} has numbers that don't fit {dtype}")
    return _native(found.astype(dtype))


def numeric_dtype(dtype: Any, what: str) -> np.dtype:
    """The dtype that a user wants `what` to have.

    Raises:
        TypeError: it is None, or not one of numbers.
    """
    if dtype is None:
        raise TypeError(f"{what} needs a dtype, such as js.float32")
    found = np.dtype(dtype)
    if found.name not in _NATIVE:
        raise TypeError(f"{what} is for numbers of up to 64 bits (complex: 128), not for {found}")
    return found.newbyteorder("=")


def _check_numbers(array: np.ndarray, what: str) -> None:
    if array.dtype.name not in _NATIVE:
        raise TypeError(f"{what} is made of numbers, not of {array.dtype}")


def _native(array: np.ndarray) -> Value:
    """In the machine's own byte order, aligned; a number instead of an array without axes."""
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if not array.flags.aligned:
        array = array.copy()
    return array[()] if array.ndim == 0 else array
