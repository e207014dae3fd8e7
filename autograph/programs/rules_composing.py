"""When arrays are put together by programs, or by what NumPy itself composes them of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import SymbolicScalar, as_dim
from ...graph.trace.build import current, rules
from . import composing, kinds
from .inline import PLAIN, Program, inlined, is_differentiated


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
    return inlined(program, (a, count), alone=False)


def roll(a: object, shift: object, axis: object = None) -> object:
    """``np.roll`` of a vector."""
    known = as_dim(shift) is not None
    if not kinds.is_array(a, 1) or not known or axis not in (None, 0, -1):
        return PLAIN
    if type(shift) is int and abs(shift) <= 1:  # two slices
        return PLAIN
    return inlined(composing.roll, (a, shift), alone=False)


def triangle(program: Program) -> Callable[..., object]:
    """``np.tril`` or ``np.triu`` of a matrix."""

    def rule(m: object, k: object = 0) -> object:
        if not kinds.is_array(m, 2) or not kinds.is_straight(m) or as_dim(k) is None:
            return PLAIN
        return inlined(program, (m, k), alone=False)

    return rule


def diag(v: object, k: object = 0) -> object:
    """``np.diag`` of a vector."""
    if not kinds.is_array(v, 1) or type(k) is not int or k:
        return PLAIN
    return inlined(composing.diagonal_matrix, (v,), alone=False)


def kron(a: object, b: object) -> object:
    """``np.kron`` of two vectors, or two matrices, of one dtype."""
    if not kinds.is_array(a) or not kinds.is_array(b) or a.dtype != b.dtype or a.dtype.kind not in "iuf":
        return PLAIN
    if a.ndim != b.ndim or a.ndim > 2 or not (kinds.is_straight(a) and kinds.is_straight(b)):
        return PLAIN
    program = composing.kron if a.ndim == 1 else composing.kron_of_matrices
    return inlined(program, (a, b), alone=False)


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


def pad(array: object, pad_width: object, mode: object = "constant", constant_values: object = 0) -> object:
    """``np.pad`` of a vector or matrix with one number, by so many on all sides or on two."""
    if not kinds.is_array(array) or not kinds.is_straight(array) or mode != "constant" or is_differentiated():
        return PLAIN
    if not isinstance(constant_values, (int, float)) or not kinds.goes_into(constant_values, array.dtype):
        return PLAIN
    widths = _widths(pad_width, array)
    if widths is None:
        return PLAIN
    shape = tuple(before + size + after for (before, after), size in zip(widths, array.shape, strict=True))
    out = rules().function(np.full, (shape, constant_values, array.dtype), {})
    if not isinstance(out, SymbolicArray):
        return PLAIN
    inside = zip(widths, array.shape, strict=True)
    out[tuple(slice(before, before + size) for (before, _), size in inside)] = array
    return out


def _widths(given: object, array: SymbolicArray) -> list[tuple[int, int]] | None:
    """How much is added before and behind each axis, where that is known now."""
    if type(given) is int and given >= 0:
        return [(given, given)] * array.ndim
    if not isinstance(given, tuple) or not all(isinstance(one, (int, tuple)) for one in given):
        return None
    pairs = [given] * array.ndim if all(type(one) is int for one in given) else list(given)
    known = all(len(pair) == 2 and all(type(n) is int and n >= 0 for n in pair) for pair in pairs)
    return pairs if known and len(pairs) == array.ndim else None
