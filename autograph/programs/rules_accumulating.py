"""When running sums, and additions at places, are computed by programs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import as_dim
from . import accumulating, kinds
from .inline import PLAIN, Pays, inlined
from .known import own

_AT = (np.add, np.subtract, np.multiply, np.maximum, np.minimum)


def running(combine: np.ufunc) -> Callable[..., object]:
    """``np.cumsum`` or ``np.cumprod``."""

    def rule(a: object, axis: object = None) -> object:
        if not kinds.is_array(a):
            return PLAIN
        if axis is None and a.ndim > 1:
            return _running(combine, a.reshape(-1), 0) if a.type.layout == "C" else PLAIN
        at = 0 if axis is None else axis
        return _running(combine, a, at) if type(at) is int and -a.ndim <= at < a.ndim else PLAIN

    return rule


def accumulate(combine: np.ufunc, array: object, axis: object = 0) -> object:
    """``np.add.accumulate``, ``np.maximum.accumulate`` and the like."""
    if not kinds.is_array(array) or type(axis) is not int:
        return PLAIN
    return _running(combine, array, axis) if -array.ndim <= axis < array.ndim else PLAIN


def _running(combine: np.ufunc, a: SymbolicArray, axis: int) -> object:
    start = _start(combine, a.dtype)
    if start is None or a.ndim > 2 or not kinds.is_straight(a):
        return PLAIN
    if a.ndim == 1:
        program: Callable[..., object] = accumulating.running
    else:
        program = accumulating.running_in_rows if axis % 2 else accumulating.running_in_columns
    return inlined(program, (a, combine, start), Pays.ALONE)


def _start(combine: np.ufunc, dtype: np.dtype) -> np.generic | None:
    """The number, of the result's dtype, that changes no other one: 0 would make -0.0 to 0.0."""
    if combine not in (np.add, np.multiply, np.maximum, np.minimum) or dtype.kind == "c":
        return None
    made = combine.accumulate(np.ones(1, dtype)).dtype
    if combine in (np.maximum, np.minimum):
        if dtype.kind not in "iuf":
            return None
        ends = np.iinfo(made) if dtype.kind in "iu" else None
        low, high = (ends.min, ends.max) if ends is not None else (-np.inf, np.inf)
        return made.type(low if combine is np.maximum else high)
    if combine is np.add:
        return made.type(-0.0 if made.kind == "f" else 0)
    return made.type(1)


def at(combine: np.ufunc, array: object, index: object, values: object) -> object:
    """``np.add.at`` and the like, of a vector."""
    if combine not in _AT or not kinds.is_array(array, 1) or not array.type.writeable:
        return PLAIN
    if array.dtype.name not in ("float64", "float32", "int64") or not kinds.is_indices(index):
        return PLAIN
    if isinstance(values, SymbolicArray):
        if values.ndim != 1 or values.dtype != array.dtype or not kinds.same_length(index, values):
            return PLAIN
        return inlined(
            accumulating.add_at,
            (array, lambda: own(index, array), lambda: own(values, array), combine),
            Pays.BESIDE_OTHERS,
        )
    if not _is_of(values, array.dtype):
        return PLAIN
    return inlined(
        accumulating.add_number_at, (array, lambda: own(index, array), values, combine), Pays.BESIDE_OTHERS
    )


def _is_of(value: object, dtype: np.dtype) -> bool:
    """Whether NumPy combines a number with elements of `dtype` as one of that dtype."""
    found = kinds.dtype_of(value)
    return found == dtype or (found is not None and dtype == np.float64 and np.can_cast(found, dtype))


def bincount(x: object, weights: object = None, minlength: object = 0) -> object:
    """``np.bincount``, of float64 weights."""
    least = as_dim(minlength)
    if not kinds.is_indices(x) or type(least) is not int or least < 0:
        return PLAIN
    if weights is None:
        return inlined(accumulating.bincount, (x, least), Pays.BESIDE_OTHERS)
    if not kinds.is_real(weights) or weights.dtype != np.float64 or not kinds.same_length(x, weights):
        return PLAIN
    if not kinds.is_not_empty(x):  # of nothing NumPy makes ints
        return PLAIN
    return inlined(accumulating.bincount_of_weights, (x, weights, least), Pays.BESIDE_OTHERS)


def mean(a: object, axis: object = None) -> object:
    """``np.mean`` of all of an array of wide ints; of other numbers it is a reduction."""
    if not kinds.is_array(a) or a.dtype.kind not in "iu" or a.dtype.itemsize < 4 or not kinds.is_not_empty(a):
        return PLAIN
    if axis is not None and not (a.ndim == 1 and type(axis) is int and axis in (0, -1)):
        return PLAIN
    if a.ndim > 1 and a.type.layout != "C":
        return PLAIN
    vector = a if a.ndim == 1 else lambda: a.reshape(-1)
    return inlined(accumulating.mean_of_ints, (vector,), Pays.ALONE)
