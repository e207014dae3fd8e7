"""Sorting, searching and picking elements: uncompiled, of shapes as far as they are known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.types import Scalar
from ..trace.build import current
from ..trace.called import Call, Slot
from .arith import type_of
from .arrays import SymbolicArray
from .broadcasting import broadcast
from .indexing import getitem, setitem
from .numpy_api import Unknown, as_array, fresh, generic, normal_axis
from .numpy_creation import like
from .symbols import Symbol, SymbolicScalar, template
from .unknown_arrays import several, unknown_array

_INDEX = np.dtype(np.intp)


def sort(a: Any, axis: Any = -1) -> Any:
    """``np.sort`` along an axis."""
    array = as_array(a)
    normal_axis(axis, array.ndim)
    kwargs = {} if axis == -1 else {"axis": axis}
    return fresh(np.sort, (array,), kwargs, array.dtype, array.shape_sizes, _c(array))


def argsort(a: Any, axis: Any = -1, *, kind: Any = None, stable: Any = None) -> Any:
    """``np.argsort`` along an axis."""
    array = as_array(a)
    normal_axis(axis, array.ndim)
    given = (("axis", axis if axis != -1 else None), ("kind", kind), ("stable", stable))
    kwargs = {key: value for key, value in given if value is not None}
    return fresh(np.argsort, (array,), kwargs, _INDEX, array.shape_sizes)


def _c(array: SymbolicArray) -> str | None:
    return "C" if array.order == "C" else None


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """``np.roll`` by one number."""
    array = as_array(a)
    if array.ndim == 0 or not _is_int(shift):
        raise Unknown
    at = normal_axis(axis, array.ndim) if axis is not None else 0 if array.ndim == 1 else None
    by_one = type(shift) is int and abs(shift) == 1 and array.dtype.kind in "biufc"
    if at is not None and by_one and array.order == "C":
        return _rolled_by_one(array, shift, at)
    kwargs = {} if axis is None else {"axis": axis}
    return fresh(np.roll, (array, shift), kwargs, array.dtype, array.shape_sizes, _c(array))


def _rolled_by_one(array: SymbolicArray, shift: int, axis: int) -> SymbolicArray:
    """``new[1:], new[:1] = a[:-1], a[-1:]``, or the other way."""
    new = like("empty")(array)
    lead = (slice(None),) * axis
    most, last = (slice(1, None), slice(None, 1)), (slice(None, -1), slice(-1, None))
    targets, sources = (most, last) if shift > 0 else (last, most)
    for target, source in zip(targets, sources, strict=True):
        setitem(new, (*lead, target), getitem(array, (*lead, source)))
    return new


def _is_int(value: Any) -> bool:
    if isinstance(value, SymbolicScalar):
        return value.type.dtype.kind in "iu"
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def take(a: Any, indices: Any, axis: Any = None) -> Any:
    """``np.take`` by an array of indices."""
    array = as_array(a)
    picked = _index_shape(indices)
    if array.ndim == 0 or (axis is None and array.ndim > 1):
        raise Unknown
    at = 0 if axis is None else normal_axis(axis, array.ndim)
    shape = (*array.shape_sizes[:at], *picked, *array.shape_sizes[at + 1 :])
    kwargs = {} if axis is None else {"axis": axis}
    return fresh(np.take, (array, indices), kwargs, array.dtype, shape)


def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    """``np.take_along_axis``: of the indices' shape, but for axes along which they are broadcast."""
    array, places = as_array(arr), as_array(indices)
    if axis is None or array.ndim != places.ndim or places.dtype.kind not in "iu":
        raise Unknown
    at = normal_axis(axis, array.ndim)
    others = [[size for k, size in enumerate(a.shape_sizes) if k != at] for a in (array, places)]
    rest = broadcast([tuple(sizes) for sizes in others])
    if rest is None:
        raise Unknown
    shape = (*rest[:at], places.shape_sizes[at], *rest[at:])
    layout = "C" if places.order == "C" else None
    return fresh(np.take_along_axis, (array, places), {"axis": axis}, array.dtype, shape, layout)


def _index_shape(indices: Any) -> tuple[Size, ...]:
    if isinstance(indices, SymbolicArray) and indices.dtype.kind in "iu":
        return indices.shape_sizes
    if isinstance(indices, (list, tuple)) and indices and all(_is_int(k) for k in indices):
        return (len(indices),)
    raise Unknown


def nonzero(a: Any) -> Any:
    """``np.nonzero``: one array of indices for each axis, all of one length."""
    array = as_array(a)
    if array.ndim == 0:
        raise Unknown
    hint = _size_hint(array)  # in the example all are
    if array.ndim == 1:
        operands, hints = (array.operand(),), None if hint is None else (hint,)
        return (unknown_array(operands, "np.nonzero({0})[0]", _INDEX, 1, hints=hints, layout="A"),)
    return several("np.nonzero({0})", [array.operand()], [_INDEX] * array.ndim, hint)


def _size_hint(array: SymbolicArray) -> int | None:
    """How many elements the example has."""
    sizes = [current().hint(size) for size in array.shape_sizes]
    known = [size for size in sizes if size is not None]
    return math.prod(known) if len(known) == len(sizes) else None


def argwhere(a: Any) -> Any:
    """``np.argwhere``."""
    array = as_array(a)
    if array.ndim == 0:
        raise Unknown
    hint = _size_hint(array)
    hints = None if hint is None else (hint, array.ndim)
    return unknown_array((array.operand(),), "np.argwhere({0})", _INDEX, 2, hints=hints)


def diagonal(a: Any) -> Any:
    """``np.diagonal`` of a matrix: a view that can't be written."""
    array = as_array(a)
    if array.ndim != 2:
        raise Unknown
    size = dims.minimum(*array.shape_sizes)
    return unknown_array(
        (array.operand(),),
        "np.diagonal({0})",
        array.dtype,
        1,
        (size,),
        None,
        True,
        "A",
        False,
        Call(np.diagonal, (Slot(0),), {}),
    )


def diagonal_matrix(func: Callable[..., np.ndarray]) -> Callable[[object], object]:
    """``np.diag`` or ``np.diagflat`` of a vector."""

    def made(v: object) -> object:
        array = as_array(v)
        if array.ndim != 1:
            raise Unknown
        return fresh(func, (array,), {}, array.dtype, array.shape_sizes * 2)

    return made


def unique(ar: Any) -> Any:
    """``np.unique`` of values alone: flat, sorted."""
    array = as_array(ar)
    called = Call(np.unique, (Slot(0),), {})
    return unknown_array((array.operand(),), "np.unique({0})", array.dtype, 1, called=called)


def same_shape(func: Any) -> Callable[..., Any]:
    """Functions of one array that keep its shape and give a new array in C order."""

    def handler(m: Any, *args: Any, **kwargs: Any) -> Any:
        array = as_array(m)
        if any(isinstance(v, SymbolicArray) for v in (*args, *kwargs.values())):
            raise Unknown
        return generic(func, None, (array, *args), kwargs, shape=array.shape_sizes, layout=_c(array))

    return handler


def triangle(func: Any) -> Callable[..., Any]:
    """``np.tril`` and ``np.triu``: at least 2-d, of the same shape."""
    inner = same_shape(func)

    def handler(m: Any, k: Any = 0) -> Any:
        if as_array(m).ndim < 2:
            raise Unknown
        return inner(m, k) if not isinstance(k, int) or k else inner(m)

    return handler


def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    """``np.isclose``, uncompiled: of the broadcast shape."""
    arrays = [v for v in (a, b) if isinstance(v, SymbolicArray)]
    shape = broadcast([v.shape_sizes for v in arrays])
    if shape is None or not all(
        isinstance(v, SymbolicArray) or isinstance(type_of(v), Scalar) for v in (a, b, rtol, atol)
    ):
        raise Unknown
    if not shape or any(isinstance(v, SymbolicArray) for v in (rtol, atol)):
        raise Unknown
    given = (("rtol", rtol, 1e-5), ("atol", atol, 1e-8), ("equal_nan", equal_nan, False))
    kwargs = {key: v for key, v, usual in given if isinstance(v, Symbol) or v != usual}
    layout = "C" if all(v.order == "C" for v in arrays) else None
    return fresh(np.isclose, (a, b), kwargs, np.dtype(bool), shape, layout)


def sort_in_place(array: SymbolicArray, axis: int = -1) -> None:
    """``a.sort()``."""
    if not array.type.writeable:
        raise Unknown
    under = template()
    source = f"{under.write(array)}.sort({'' if axis == -1 else f'axis={axis}'})"
    called = Call(np.ndarray.sort, (Slot(0),), {"axis": axis})
    current().emit("numpy_write", under.operands, (), {"text": source, "_call": called})
