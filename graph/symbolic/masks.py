"""Writes of one number through a mask of the array's own shape: chosen element by element.

a[mask] = v       →      a[...] = np.where(mask, v, a)
a[mask] *= v      →      a[...] = np.where(mask, a * v, a)
"""

from __future__ import annotations

import numpy as np

from ..ir.types import Array, Scalar, numpy_scalar
from ..trace.build import current
from .arith import emit_elementwise, type_of
from .arrays import SymbolicArray

_OF_INTS, _OF_FLOATS = ("add", "sub", "mul"), ("add", "sub", "mul", "truediv", "pow")


def is_mask(array: SymbolicArray, index: object) -> bool:
    """Whether `index` has a truth for each element of `array`, which has no element in two places."""
    return (
        isinstance(index, SymbolicArray)
        and index.dtype == np.bool_
        and index.ndim == array.ndim > 0
        and array.type.layout in ("C", "F")
        and all(map(current().same_size, index.shape_sizes, array.shape_sizes))
    )


def chosen(array: SymbolicArray, mask: SymbolicArray, value: object) -> object:
    """``np.where(mask, value, array)``, of the array's dtype, which NumPy's own would not always keep."""
    kind, loop = type_of(value), (np.dtype(bool), array.dtype, array.dtype)
    keeps = isinstance(kind, Array) or kind == numpy_scalar(array.dtype)
    fitted = "{1}" if keeps else f"np.{array.dtype.type.__name__}({{1}})"
    return emit_elementwise(
        "where", (mask, value, array), loop, array.dtype, f"np.where({{0}}, {fitted}, {{2}})"
    )


def stays_its_kind(array: SymbolicArray, name: str, value: object) -> bool:
    """Whether ``array <op> value`` is of the array's own dtype, and nothing is raised for any element."""
    kind = type_of(value)
    if not isinstance(kind, Scalar) or array.dtype.name not in ("int64", "float32", "float64"):
        return False
    if array.dtype.kind == "i":
        return name in _OF_INTS and kind.dtype == np.int64
    fits = kind.is_python and kind.dtype.kind in "if"
    return name in _OF_FLOATS and (fits or kind.dtype in (array.dtype, np.dtype(np.float32)))
