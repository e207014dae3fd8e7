"""Reductions as NumPy's functions and methods call them, and what NumPy composes of them: mean, var.

The compositions are NumPy's own algorithms (`numpy._core._methods`), step by step, so that the bits agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.types import INT, Array, Scalar, numpy_scalar
from ..ops import OPS
from ..ops.resolve import resolve_reduction
from ..trace.build import current
from .arith import elementwise, emit_elementwise, type_of
from .arrays import SymbolicArray
from .numpy_api import Unknown, as_array, fresh, generic, normal_axes, normal_axis
from .symbols import SymbolicScalar, size_symbol, template

_EXACT_SUMS = ("bool", "int8", "int16", "uint8", "uint16")
"""dtypes whose sums are exact in float64 for every array that fits into memory."""


def reduction(name: str, text: str | None = None) -> Callable[..., Any]:
    """The handler of a reduction; `text` is its form as a method."""
    func, fold = getattr(np, name), OPS[name].fold
    assert fold is not None

    def handler(a: Any, axis: Any = None, *, keepdims: bool = False, dtype: Any = None) -> Any:
        array = as_array(a)
        if not isinstance(keepdims, bool) or array.ndim == 0:
            raise Unknown
        axes = normal_axes(axis, array.ndim)
        if fold.finds_place and (axes is not None and len(axes) != 1):
            raise Unknown
        shape = reduced(array.shape_sizes, axes, keepdims)
        found = resolve_reduction(name, array.dtype)
        if dtype is not None and (not fold.widens or np.dtype(dtype) != found.result):
            return as_it_is(func, array, {"axis": axis, "keepdims": keepdims, "dtype": dtype}, shape)
        arguments = ([] if axis is None else [f"axis={axis!r}"]) + (["keepdims=True"] if keepdims else [])
        arguments += [f"dtype={template().write(dtype)}"] if dtype is not None else []
        source = f"{text}({', '.join(arguments)})" if text else f"np.{name}({', '.join(['{0}', *arguments])})"
        odd = array.dtype.name in ("float16", "longdouble") or not isinstance(found.result, np.dtype)
        odd = odd or (fold.in_pairs and array.dtype.kind in "fc" and not _ordered(array, axes))
        if odd or (fold.finds_place and keepdims) or (shape and array.order != "C"):
            return as_it_is(func, array, {"axis": axis, "keepdims": keepdims}, shape)
        attrs = {"axis": axes, "keepdims": keepdims, "loop": found.names, "text": source}
        if not shape:
            kind = numpy_scalar(found.result)
            return SymbolicScalar(current().one(name, (array.operand(),), kind, **attrs), kind)
        type_ = Array(found.result, shape, "C")
        return SymbolicArray(current().one(name, (array.operand(),), type_, **attrs))

    return handler


def _ordered(array: SymbolicArray, axes: tuple[int, ...] | None) -> bool:
    """Whether it is known in which order NumPy adds up: axes of one element don't count there."""
    last = range(array.ndim)[::-1] if array.type.layout == "F" else range(array.ndim)
    first = next((k for k, axis in enumerate(last) if axes is None or axis in axes), array.ndim)
    kept = [axis for axis in last[first:] if axes is not None and axis not in axes]
    return all(current().is_one(array.shape_sizes[axis]) is not None for axis in kept)


def as_it_is(func: Any, array: SymbolicArray, kwargs: dict[str, Any], shape: tuple[Size, ...]) -> Any:
    """The call uncompiled; its shape is known."""
    kwargs = {key: value for key, value in kwargs.items() if value is not None and value is not False}
    layout = "C" if array.order == "C" else None
    return generic(func, None, (array,), kwargs, shape=shape, layout=layout)


def reduced(shape: tuple[Size, ...], axes: tuple[int, ...] | None, keepdims: bool) -> tuple[Size, ...]:
    """The shape that a reduction leaves."""
    gone = range(len(shape)) if axes is None else axes
    if keepdims:
        return tuple(1 if k in gone else size for k, size in enumerate(shape))
    return tuple(size for k, size in enumerate(shape) if k not in gone)


def ufunc_reduce(ufunc: np.ufunc, name: str) -> Callable[..., Any]:
    """``np.add.reduce`` and its like, whose axis is 0 when it isn't given."""
    inner = reduction(name)

    def handler(array: Any, axis: Any = 0, *, keepdims: bool = False) -> Any:
        return inner(array, axis, keepdims=keepdims)

    return handler


def accumulate(func: Any, default: int | None) -> Callable[..., Any]:
    """``cumsum``, ``cumprod``, ``np.add.accumulate``: uncompiled, of known shape."""

    def handler(a: Any, axis: Any = default, dtype: Any = None) -> Any:
        array = as_array(a)
        if array.ndim == 0:
            raise Unknown
        kwargs = {} if axis == default else {"axis": axis}
        if dtype is not None:
            kwargs["dtype"] = dtype
        result = func(np.ones(1, array.dtype), dtype=dtype).dtype
        if axis is None:
            return fresh(func, (array,), kwargs, result, (array_size(array),))
        normal_axis(axis, array.ndim)
        known = array.order if array.order in ("C", "F") else None
        return fresh(func, (array,), kwargs, result, array.shape_sizes, known)

    return handler


def array_size(array: SymbolicArray) -> Size:
    """The number of elements."""
    return count(array.shape_sizes, None)


def count(shape: tuple[Size, ...], axes: tuple[int, ...] | None) -> Size:
    """How many elements a reduction puts into one."""
    total: Size = 1
    for k, size in enumerate(shape):
        total = dims.mul(total, size) if axes is None or k in axes else total
    return total


def mean(a: Any, axis: Any = None, *, keepdims: bool = False, dtype: Any = None) -> Any:
    """``np.mean``: the sum divided by the count."""
    array = as_array(a)
    if array.ndim == 0 or not isinstance(keepdims, bool):
        raise Unknown
    axes = normal_axes(axis, array.ndim)
    shape = reduced(array.shape_sizes, axes, keepdims)
    if dtype is not None or not _averages(array):
        return as_it_is(np.mean, array, {"axis": axis, "keepdims": keepdims, "dtype": dtype}, shape)
    total = reduction("sum")(array, axis, keepdims=keepdims)
    return _divided(total, count(array.shape_sizes, axes), 0)


def _averages(array: SymbolicArray) -> bool:
    """Whether mean and var are compiled: of integers only where the order of summation is free."""
    name = array.dtype.name
    return name in ("float32", "float64", "complex64", "complex128") or name in _EXACT_SUMS


def _divided(total: Any, number: Size, ddof: int) -> Any:
    """``total / max(number - ddof, 0)`` as NumPy divides: by an int64, then cast to the sums' dtype."""
    divisor = size_symbol(dims.maximum(dims.sub(number, ddof), 0) if ddof else number)
    if total.dtype.name not in ("float32", "complex64"):
        return elementwise(np.true_divide, (total, divisor), text="{0} / {1}")
    if isinstance(divisor, int):
        exact: Any = np.int64(divisor)
    else:
        kind = numpy_scalar("int64")
        operands = (divisor.operand(),)
        exact = SymbolicScalar(
            current().one("cast", operands, kind, loop=(INT.kind,), text="np.int64({0})"), kind
        )
    wide = elementwise(np.true_divide, (total, exact), text="{0} / {1}")
    return _cast(wide, total.dtype)


def _cast(value: Any, dtype: np.dtype) -> Any:
    text = f"{{0}}.astype(np.{dtype.name})"
    return emit_elementwise("cast", (value,), (value.dtype,), dtype, text)


def var(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: bool = False, dtype: Any = None) -> Any:
    """``np.var``: the mean of the squared distances from the mean."""
    return _variance(np.var, a, axis, ddof, keepdims, dtype)


def std(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: bool = False, dtype: Any = None) -> Any:
    """``np.std``."""
    return _variance(np.std, a, axis, ddof, keepdims, dtype)


def _variance(func: Any, a: Any, axis: Any, ddof: Any, keepdims: bool, dtype: Any) -> Any:
    array = as_array(a)
    if array.ndim == 0 or not isinstance(keepdims, bool):
        raise Unknown
    axes = normal_axes(axis, array.ndim)
    shape = reduced(array.shape_sizes, axes, keepdims)
    composed = _averages(array) and array.dtype.kind != "c" and array.order == "C"
    if dtype is not None or type(ddof) is not int or not composed:
        kwargs = {"axis": axis, "ddof": ddof, "keepdims": keepdims, "dtype": dtype}
        return as_it_is(func, array, kwargs, shape)
    total, number = reduction("sum"), count(array.shape_sizes, axes)
    centre = _divided(total(array, axis, keepdims=True), number, 0)
    apart = elementwise(np.subtract, (array, centre), text="{0} - {1}")
    square = elementwise(np.square, (apart,))
    found = _divided(total(square, axis, keepdims=keepdims), number, ddof)
    kind = type_of(found)
    assert isinstance(kind, (Scalar, Array))
    return root(found, kind.dtype) if func is np.std else found


def root(total: object, dtype: np.dtype) -> object:
    """The square root of a sum of squares, or of their mean."""
    if dtype.name not in ("float32", "float64"):
        return elementwise(np.sqrt, (total,))
    return emit_elementwise("root", (total,), (dtype,), dtype, "np.sqrt({0})")


def reducing(func: Any, before: int = 0) -> Callable[..., Any]:
    """A reduction that runs as it is, of known shape; `before`: its other arguments in front of the axis."""

    def handler(a: Any, *args: Any, axis: Any = None, keepdims: bool = False, **kwargs: Any) -> Any:
        array = as_array(a)
        first, rest = args[:before], args[before:]
        if len(rest) > 1 or (rest and axis is not None) or not isinstance(keepdims, bool):
            raise Unknown
        if len(first) < before or any(
            isinstance(value, SymbolicArray) or not np.isscalar(value) for value in first
        ):
            raise Unknown
        axis = rest[0] if rest else axis
        shape = reduced(array.shape_sizes, normal_axes(axis, array.ndim), keepdims)
        given = {"axis": axis, "keepdims": keepdims, **kwargs}
        given = {key: value for key, value in given.items() if value is not None and value is not False}
        layout = "C" if array.order == "C" else None
        return generic(func, None, (array, *first), given, shape=shape, layout=layout)

    return handler


def ptp(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """``np.ptp``: the largest minus the smallest."""
    array = as_array(a)
    if array.dtype.kind not in "iuf":
        raise Unknown
    high = reduction("max")(array, axis, keepdims=keepdims)
    return elementwise(
        np.subtract, (high, reduction("min")(array, axis, keepdims=keepdims)), text="{0} - {1}"
    )


def trace(a: Any, offset: Any = 0) -> Any:
    """``np.trace`` of a matrix."""
    array = as_array(a)
    if array.ndim != 2:
        raise Unknown
    return generic(np.trace, None, (array, offset) if offset != 0 else (array,), {})
