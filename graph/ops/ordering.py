"""Sorting, by NumPy's own C: so equal numbers, zeros of both signs and NaN stand where NumPy puts them.

NumPy sorts by functions that stand in a table of each dtype (`PyArray_ArrFuncs`, a part of its ABI: "Array
API, Custom Data Types" in NumPy's reference), which its C API gives out.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from . import samples
from .define import ROUTINE, STRUCTURAL, NotDifferentiable, OpDef, define

_ARRAY_FUNCTIONS = 365
"""Where `_PyDataType_GetArrFuncs` stands in NumPy's C API since 2.0."""

PLACES = {"sort": 33, "argsort": 36, "stable": 38}
"""Where the table of a dtype has its functions, in words; the first of three each is that of `kind=None`, the
third that of `kind="stable"`."""

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)


@cache
def address(function: str, dtype: str) -> int | None:
    """The address of NumPy's C function that sorts numbers of `dtype`; None where it can't be known."""
    if not np.lib.NumpyVersion("2.0.0") <= np.__version__ < np.lib.NumpyVersion("3.0.0"):
        return None
    core: Any = sys.modules.get("numpy._core._multiarray_umath")
    if core is None or not hasattr(core, "_ARRAY_API"):
        return None
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    words = ctypes.POINTER(ctypes.c_void_p)
    functions = ctypes.cast(pointer(core._ARRAY_API, None), words)
    table_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(functions[_ARRAY_FUNCTIONS] or 0)
    return ctypes.cast(table_of(np.dtype(dtype)), words)[PLACES[function]]


def _places(name: str, says: str, evaluate: Callable[..., np.ndarray], written: str) -> OpDef:
    """An operation that says where numbers stand in their order."""
    return define(
        name,
        ROUTINE,
        says,
        evaluate=evaluate,
        scalar=STRUCTURAL,
        module="sorting",
        effect=("reads", "allocates"),
        written=written,
        gradient=NotDifferentiable("places in an array are ints"),
        operands=(1, 1),
        samples=samples.ANY,
    )


RECORDS = (
    define(
        "sort",
        ROUTINE,
        "The numbers along the last axis in their order, NaN last.",
        evaluate=np.sort,
        scalar=STRUCTURAL,
        module="sorting",
        effect=("reads", "allocates"),
        written="np.sort({0})",
        gradient=NotDifferentiable("its rule is that of NumPy's call"),
        operands=(1, 1),
        samples=samples.ANY,
    ),
    _places(
        "argsort",
        "Where the numbers along the last axis stand in their order.",
        np.argsort,
        "np.argsort({0})",
    ),
    _places(
        "stable",
        "Where the numbers along the last axis stand in their order, of equal ones the first one first.",
        partial(np.argsort, kind="stable"),
        "np.argsort({0}, kind='stable')",
    ),
)
