"""Matrix products: NumPy's own BLAS, uncompiled, of known shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .broadcasting import broadcast
from .build import current
from .dims import Size
from .numpy_api import Unknown, as_array, unknown_array
from .symbolic_array import SymbolicArray
from .symbols import SymbolicScalar
from .types import numpy_scalar


def matmul(a: Any, b: Any) -> Any:
    """``a @ b``."""
    left, right = as_array(a), as_array(b)
    if left.ndim == 0 or right.ndim == 0:
        raise Unknown
    _same_inner(left, right)
    rows = left.shape_sizes[-2:-1]
    columns = right.shape_sizes[-1:] if right.ndim > 1 else ()
    stacked: tuple[Size, ...] = ()
    if left.ndim > 2 or right.ndim > 2:
        if left.order != "C" or right.order != "C":
            raise Unknown
        found = broadcast([left.shape_sizes[:-2], right.shape_sizes[:-2]])
        if found is None:
            raise Unknown
        stacked = found
    return _product(left, right, (*stacked, *rows, *columns), "{0} @ {1}")


def dot(text: str) -> Any:
    """``np.dot`` and ``a.dot`` of vectors and matrices."""

    def handler(a: Any, b: Any) -> Any:
        left, right = as_array(a), as_array(b)
        if not (1 <= left.ndim <= 2 and 1 <= right.ndim <= 2):
            raise Unknown
        _same_inner(left, right)
        shape = left.shape_sizes[:-1] + (right.shape_sizes[-1:] if right.ndim > 1 else ())
        return _product(left, right, shape, text)

    return handler


def _same_inner(left: SymbolicArray, right: SymbolicArray) -> None:
    inner = right.shape_sizes[-2] if right.ndim > 1 else right.shape_sizes[0]
    if not current().same_size(left.shape_sizes[-1], inner):
        raise Unknown


def _product(left: SymbolicArray, right: SymbolicArray, shape: tuple[Size, ...], text: str) -> Any:
    dtype = np.matmul(np.ones((1, 1), left.dtype), np.ones((1, 1), right.dtype)).dtype
    operands = (left.operand(), right.operand())
    if not shape:
        kind = numpy_scalar(dtype)
        return SymbolicScalar(current().one("numpy", operands, kind, text=text), kind)
    return unknown_array(operands, text, dtype, len(shape), shape, layout="C")
