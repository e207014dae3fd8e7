"""When arrays are put together by programs, or by what NumPy itself composes them of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...graph.ir import dims
from ...graph.symbolic import indexing
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_elementwise import copy
from ...graph.symbolic.symbols import SymbolicScalar, as_dim, unwrap_union
from ...graph.trace.build import current
from ..wanted import is_differentiated, is_wanted
from . import composing, kinds
from .inline import PLAIN, Pays, Program, in_loop, inlined
from .known import row_distance


def repeat(a: object, repeats: object, axis: object = None) -> object:
    """``np.repeat`` of a vector's elements, all so often."""
    return _so_often(composing.repeat, a, repeats) if axis in (None, 0) else PLAIN


def tile(a: object, reps: object) -> object:
    """``np.tile`` of a vector."""
    return _so_often(composing.tile, a, reps)


def _so_often(program: Program, a: object, count: object) -> object:
    dim = as_dim(count)
    if not kinds.is_array(a, 1) or dim is None or not current().is_natural(dim):
        return PLAIN
    return inlined(program, (a, count), Pays.BESIDE_OTHERS)


def roll(a: object, shift: object, axis: object = None) -> object:
    """``np.roll`` of a vector, or of a matrix along one axis or both."""
    if not kinds.is_array(a) or a.ndim > 2:
        return PLAIN
    if a.ndim == 2:
        return _roll_matrix(a, shift, axis)
    if not kinds.is_int(shift) or axis not in (None, 0, -1):
        return PLAIN
    if type(shift) is int and abs(shift) == 1:  # two slices
        return PLAIN
    return inlined(composing.roll, (a, shift), Pays.IN_LOOPS)


def _roll_matrix(a: SymbolicArray, shift: object, axis: object) -> object:
    shifts = shift if isinstance(shift, tuple) else (shift,)
    axes = axis if isinstance(axis, tuple) else (axis,)
    if len(shifts) != len(axes) or not all(type(one) is int and -2 <= one < 2 for one in axes):
        return PLAIN
    by = {one % 2: unwrap_union(far) for one, far in zip(axes, shifts, strict=True)}
    if len(by) != len(axes) or not kinds.is_straight(a) or not all(map(kinds.is_int, by.values())):
        return PLAIN
    if len(by) == 1 and all(type(far) is int and abs(far) == 1 for far in by.values()):  # two slices
        return PLAIN
    return inlined(composing.roll_matrix, (a, by.get(0, 0), by.get(1, 0)), Pays.IN_LOOPS)


def triangle(program: Program) -> Callable[..., object]:
    """``np.tril`` or ``np.triu`` of a matrix."""

    def rule(m: object, k: object = 0) -> object:
        if not kinds.is_array(m, 2) or not kinds.is_straight(m) or as_dim(k) is None:
            return PLAIN
        return inlined(program, (m, k), Pays.ALONE)

    return rule


def flat(a: object, order: object = "C") -> object:
    """``a.ravel()`` of a part of a matrix, which certainly is a copy: it has two rows that lie apart."""
    if type(order) is not str or order != "C" or not kinds.is_array(a, 2) or not (is_wanted() and in_loop()):
        return PLAIN
    if (apart := row_distance(a)) is None:
        return PLAIN
    rows, columns = a.shape_sizes
    surely = (dims.sub(rows, 2), dims.sub(columns, 2), dims.sub(dims.sub(apart, columns), 1))
    return copy(a).reshape(-1) if all(map(current().is_natural, surely)) else PLAIN


def flatten(a: object, order: object = "C") -> object:
    """``a.flatten()`` of a matrix or a part of one, which always is a copy."""
    if type(order) is not str or order != "C" or not kinds.is_array(a, 2) or a.order != "C":
        return PLAIN
    return copy(a).reshape(-1) if is_wanted() and in_loop() else PLAIN


def reshaped(a: object, *shape: object) -> object:
    """``a.reshape(-1)``, likewise."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    size = unwrap_union(sizes[0]) if len(sizes) == 1 else None
    return flat(a) if type(size) is int and size == -1 else PLAIN


def diagonal(text: str) -> Callable[..., object]:
    """``np.diagonal`` of a square matrix."""

    def rule(a: object) -> object:
        if not kinds.is_array(a, 2) or not current().same_size(*a.shape_sizes) or not is_wanted():
            return PLAIN
        return indexing.diagonal(a, text)

    return rule


def diag(v: object, k: object = 0) -> object:
    """``np.diag`` of a vector, or a square matrix."""
    if type(k) is not int or k:
        return PLAIN
    if kinds.is_array(v, 2):
        return diagonal("np.diag({0})")(v)
    return diagflat(v)


def diagflat(v: object) -> object:
    """``np.diagflat`` of a vector."""
    if not kinds.is_array(v, 1):
        return PLAIN
    return inlined(composing.diagonal_matrix, (v,), Pays.BESIDE_OTHERS)


def kron(a: object, b: object) -> object:
    """``np.kron`` of two vectors, or two matrices, of one dtype."""
    if not kinds.is_array(a) or not kinds.is_array(b) or a.dtype != b.dtype or a.dtype.kind not in "iuf":
        return PLAIN
    if a.ndim != b.ndim or a.ndim > 2 or not (kinds.is_straight(a) and kinds.is_straight(b)):
        return PLAIN
    program = composing.kron if a.ndim == 1 else composing.kron_of_matrices
    return inlined(program, (a, b), Pays.ALONE)


def ediff1d(ary: object) -> object:
    """``np.ediff1d`` of a vector."""
    if not kinds.is_array(ary, 1) or ary.dtype.kind not in "iuf" or is_differentiated():
        return PLAIN
    return ary[1:] - ary[:-1]


def trapezoid(y: object, x: object = None, dx: object = 1.0) -> object:
    """``np.trapezoid`` along a vector, by NumPy's own steps."""
    if not kinds.is_real(y) or is_differentiated():
        return PLAIN
    if x is None:
        width: object = dx if isinstance(dx, (float, SymbolicScalar)) else PLAIN
    else:
        width = np.diff(x) if kinds.is_real(x) and kinds.same_length(x, y) else PLAIN
    if width is PLAIN:
        return PLAIN
    return (width * (y[1:] + y[:-1]) / 2.0).sum(-1)
