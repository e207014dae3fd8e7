"""When linear equations are solved in compiled code."""

from __future__ import annotations

import numpy as np

from ...graph.ir.dims import Size
from ...graph.ir.types import Array
from ...graph.ops.solving import ROUTINES, address
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.trace.build import current
from ..wanted import is_wanted
from . import kinds
from .inline import PLAIN

_NARROW = (np.dtype(np.float32), np.dtype(np.complex64))


def solve(a: object, b: object) -> object:
    """``np.linalg.solve`` of one matrix, for a vector or the columns of another."""
    if not kinds.is_array(a, 2) or not kinds.is_array(b) or b.ndim > 2:
        return PLAIN
    rows, columns = a.shape_sizes
    if not current().same_size(rows, columns) or not current().same_size(rows, b.shape_sizes[0]):
        return PLAIN
    return _solution("solve", (a, b), b.shape_sizes, "np.linalg.solve({0}, {1})")


def inv(a: object) -> object:
    """``np.linalg.inv`` of one matrix."""
    if not kinds.is_array(a, 2) or not current().same_size(*a.shape_sizes):
        return PLAIN
    return _solution("inv", (a,), a.shape_sizes, "np.linalg.inv({0})")


def _solution(op: str, given: tuple[SymbolicArray, ...], shape: tuple[Size, ...], text: str) -> object:
    """NumPy computes in float64 or complex128; of what is in half as many bits alone it makes that again."""
    dtypes = [array.dtype for array in given]
    is_complex = any(dtype.kind == "c" for dtype in dtypes)
    kind = "complex128" if is_complex else "float64"
    if not is_wanted() or address(ROUTINES[kind]) is None:
        return PLAIN
    operands = tuple(array.operand() for array in given)
    made = Array(np.dtype(kind), shape, "C")
    found = SymbolicArray(current().one(op, operands, made, loop=(kind,) * len(given), text=text))
    if not all(dtype in _NARROW for dtype in dtypes):
        return found
    return found.astype(np.complex64 if is_complex else np.float32)
