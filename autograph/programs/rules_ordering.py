"""When arrays are sorted in compiled code."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from ...graph.ir import dims
from ...graph.ir.types import Array
from ...graph.ops import OPS
from ...graph.ops.ordering import address
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_elementwise import copy
from ...graph.trace.build import current
from ..wanted import is_wanted
from . import kinds, ordering
from .inline import PLAIN, Pays, inlined


def sort(a: object, axis: object = -1) -> object:
    """``np.sort`` along the last axis."""
    return _ordered("sort", a, axis)


def argsort(a: object, axis: object = -1, *, kind: object = None, stable: object = None) -> object:
    """``np.argsort`` along the last axis."""
    if (kind in ("stable", "mergesort") and stable is None) or (stable is True and kind is None):
        return _ordered("stable", a, axis)
    return _ordered("argsort", a, axis) if kind is stable is None else PLAIN


def _ordered(op: str, a: object, axis: object) -> object:
    if not _is_sortable(a, op) or type(axis) is not int or axis not in (-1, a.ndim - 1) or not is_wanted():
        return PLAIN
    dtype = a.dtype if op == "sort" else np.dtype(np.int64)
    made = Array(dtype, a.shape_sizes, "C")
    text = OPS[op].written
    return SymbolicArray(current().one(op, (a.operand(),), made, loop=(a.dtype.name,), text=text))


def sort_in_place(a: object, axis: object = -1) -> object:
    """``a.sort()`` of a vector."""
    if not _is_sortable(a, "sort") or a.ndim > 1 or not a.type.writeable:
        return PLAIN
    if type(axis) is not int or axis not in (-1, 0):
        return PLAIN
    return inlined(ordering.sort_in_place, (a,), Pays.BESIDE_OTHERS)


def median(a: object) -> object:
    """``np.median`` of a vector or matrix that has numbers."""
    if (
        not kinds.is_array(a)
        or a.ndim > 2
        or a.dtype.kind not in "iuf"
        or address("sort", a.dtype.name) is None
    ):
        return PLAIN
    if not all(current().is_natural(dims.sub(size, 1)) for size in a.shape_sizes) or a.order != "C":
        return PLAIN
    program = ordering.median if a.dtype.kind == "f" else ordering.median_of_ints
    return inlined(program, (lambda: a if a.ndim == 1 else copy(a).reshape(-1),), Pays.BESIDE_OTHERS)


def unique(ar: object) -> object:
    """``np.unique`` of a vector of ints. Which of two zeros stays NumPy alone knows."""
    if not _is_sortable(ar, "sort") or ar.ndim > 1 or ar.dtype.kind not in "iu":
        return PLAIN
    return inlined(ordering.unique, (ar,), Pays.ALONE)


def _is_sortable(a: object, op: str) -> TypeGuard[SymbolicArray]:
    return kinds.is_array(a) and kinds.is_straight(a) and address(op, a.dtype.name) is not None
