"""Products of vectors, matrices and stacks of matrices: all of them are the op `matmul` on views."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir.dims import Size
from ..ir.types import Array, numpy_scalar
from ..trace.build import TraceError, current
from ..trace.called import call_of
from .agreement import with_size
from .arrays import SymbolicArray
from .broadcasting import broadcast
from .indexing import assign, transpose
from .numpy_api import Unknown, as_array
from .numpy_shapes import transpose_
from .symbols import SymbolicScalar, template


def matmul(a: Any, b: Any) -> Any:
    """``a @ b``."""
    left, right = as_array(a), as_array(b)
    if left.ndim == 0 or right.ndim == 0:
        raise Unknown
    return product(left, right, "{0} @ {1}")


def dot(text: str) -> Callable[[Any, Any], Any]:
    """``np.dot`` and ``a.dot`` of vectors and matrices."""

    def handler(a: Any, b: Any) -> Any:
        left, right = as_array(a), as_array(b)
        if not (1 <= left.ndim <= 2 and 1 <= right.ndim <= 2):
            raise Unknown
        return product(left, right, text)

    return handler


def vdot(a: Any, b: Any) -> Any:
    """``np.vdot`` of real vectors."""
    left, right = as_array(a), as_array(b)
    if left.ndim != 1 or right.ndim != 1 or "c" in left.dtype.kind + right.dtype.kind:
        raise Unknown
    return product(left, right, "np.vdot({0}, {1})")


def inner(a: Any, b: Any) -> Any:
    """``np.inner``: rows of one times rows of the other."""
    left, right = as_array(a), as_array(b)
    if not (1 <= left.ndim <= 2 and 1 <= right.ndim <= 2):
        raise Unknown
    if right.ndim == 1:
        return product(left, right, "np.inner({0}, {1})")
    return product(left, transpose(right, (1, 0), "{0}.T"), "np.dot({0}, {1})")


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """``np.tensordot``: a product of matrices after moving the summed axes together, as NumPy does it."""
    left, right = as_array(a), as_array(b)
    mine, theirs = _summed(axes, left.ndim)
    mine, theirs = [_axis(k, left.ndim) for k in mine], [_axis(k, right.ndim) for k in theirs]
    if len(mine) != len(theirs) or not mine or len(set(mine)) < len(mine) or len(set(theirs)) < len(theirs):
        raise Unknown
    kept = [k for k in range(left.ndim) if k not in mine]
    others = [k for k in range(right.ndim) if k not in theirs]
    if len(kept) > 1 or len(others) > 1 or len(mine) > 1:
        raise Unknown
    one = left if left.ndim == 1 else transpose_(left, (*kept, *mine))
    other = right if right.ndim == 1 else transpose_(right, (*theirs, *others))
    if kept or others:
        return product(one, other, "np.dot({0}, {1})")
    raise Unknown  # NumPy gives an array without axes


def _summed(axes: Any, ndim: int) -> tuple[list[Any], list[Any]]:
    if isinstance(axes, int) and not isinstance(axes, bool) and 0 < axes <= ndim:
        return list(range(ndim - axes, ndim)), list(range(axes))
    if isinstance(axes, (tuple, list)) and len(axes) == 2:
        mine, theirs = (list(x) if isinstance(x, (tuple, list)) else [x] for x in axes)
        return mine, theirs
    raise Unknown


def _axis(axis: Any, ndim: int) -> int:
    if type(axis) is not int or not -ndim <= axis < ndim:
        raise Unknown
    return axis % ndim


def product(left: SymbolicArray, right: SymbolicArray, text: str) -> Any:
    """The op `matmul`; Unknown where its sizes, or the order of its result, aren't known before the run."""
    right = with_size(right, -2 if right.ndim > 1 else -1, left.shape_sizes[-1])
    inner = right.shape_sizes[-2] if right.ndim > 1 else right.shape_sizes[0]
    if not current().same_size(left.shape_sizes[-1], inner):
        raise Unknown
    rows = left.shape_sizes[-2:-1]
    columns = right.shape_sizes[-1:] if right.ndim > 1 else ()
    shape = (*_stacked(left, right), *rows, *columns)
    dtype = _dtype(left, right)
    operands = (left.operand(), right.operand())
    attrs = {"loop": (dtype.name, dtype.name), "text": text}
    if not shape:
        kind = numpy_scalar(dtype)
        return SymbolicScalar(current().one("matmul", operands, kind, **attrs), kind)
    return SymbolicArray(current().one("matmul", operands, Array(dtype, shape, "C"), **attrs))


def _stacked(left: SymbolicArray, right: SymbolicArray) -> tuple[Size, ...]:
    """The axes in front of the matrices'. Of several of them NumPy takes over the order of their strides."""
    if left.ndim <= 2 and right.ndim <= 2:
        return ()
    if max(left.ndim, right.ndim) > 3 and (left.order != "C" or right.order != "C"):
        raise Unknown
    found = broadcast([left.shape_sizes[:-2], right.shape_sizes[:-2]])
    if found is None:
        raise Unknown
    return found


def multiply_in_place(target: SymbolicArray, value: Any) -> SymbolicArray:
    """``a @= b``."""
    if not isinstance(value, SymbolicArray):
        raise TraceError("in-place multiplication by something that is not an array")
    if _keeps_shape(target, value):
        assign(target, product(target, value, "{0} @ {1}"))
        return target
    under = template()
    text = f"{under.write(target)} @= {under.write(value)}"  # NumPy has its own errors for these
    called = call_of(under, operator.imatmul, (target, value), {})
    current().emit("numpy_write", under.operands, (), {"text": text, "_call": called})
    return target


def _keeps_shape(target: SymbolicArray, value: SymbolicArray) -> bool:
    same = current().same_size
    if target.ndim != 2 or value.ndim != 2 or not target.type.writeable:
        return False
    if not np.can_cast(_dtype(target, value), target.dtype, "same_kind"):
        return False
    return same(*value.shape_sizes) and same(target.shape_sizes[1], value.shape_sizes[0])


def _dtype(left: SymbolicArray, right: SymbolicArray) -> np.dtype:
    return np.matmul(np.ones((1, 1), left.dtype), np.ones((1, 1), right.dtype)).dtype


HANDLERS: dict[Any, Callable[..., Any]] = {
    np.matmul: matmul,
    np.dot: dot("np.dot({0}, {1})"),
    np.vdot: vdot,
    np.inner: inner,
    np.tensordot: tensordot,
}
