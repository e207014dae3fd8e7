"""Copies of arrays that gradients make."""

from __future__ import annotations

from ..ir.types import Array
from ..symbolic.arrays import SymbolicArray
from ..trace.build import current


def duplicate(array: SymbolicArray) -> SymbolicArray:
    """A copy of `array` with the same order of strides."""
    if array.type.layout == "F" and array.ndim > 1:
        turned: SymbolicArray = contiguous(array.T, always=True).T
        return turned
    return contiguous(array, always=True)


def contiguous(array: SymbolicArray, always: bool = False) -> SymbolicArray:
    """`array` in C order: itself, or a copy."""
    if not always and array.order == "C" and array.type.layout == "C":
        return array
    type_ = Array(array.dtype, array.shape_sizes, "C")
    return SymbolicArray(current().one("copy", (array.operand(),), type_, text="{0}.copy()"))
