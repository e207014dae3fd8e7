"""NumPy functions that give several results, or one whose shape follows from their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.types import Array, Scalar, Type, numpy_scalar
from ..trace.build import current
from ..trace.called import call_of
from ..trace.template import function_name
from .arith import type_of
from .arrays import SymbolicArray
from .broadcasting import broadcast
from .numpy_api import Unknown, as_array, fresh, normal_axis
from .numpy_elementwise import diff
from .numpy_shapes import reshape, swapaxes, transpose_
from .symbols import Symbol, SymbolicScalar, template


def typed(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], types: list[tuple[Any, Any]], known: bool
) -> tuple[Any, ...]:
    """A call whose results have these dtypes and shapes, in C order if that is `known`."""
    under = template()
    text = under.call(function_name(func), args, kwargs)
    attrs = {"text": text, "aliases": False, "raises": True, "_call": call_of(under, func, args, kwargs)}
    results = [_type(dtype, shape, known) for dtype, shape in types]
    values = current().emit("numpy", under.operands, results, attrs)
    return tuple(
        SymbolicArray(value, "C" if known else None)
        if isinstance(value.type, Array)
        else SymbolicScalar(value, value.type)  # type: ignore[arg-type]
        for value in values
    )


def _type(dtype: Any, shape: tuple[Size, ...], known: bool) -> Type:
    return Array(np.dtype(dtype), shape, "C" if known else "A") if shape else numpy_scalar(dtype)


def pair(ufunc: np.ufunc) -> Callable[..., Any]:
    """A ufunc of two results: ``divmod``, ``modf``, ``frexp``."""

    def handler(*inputs: Any) -> Any:
        kinds = [type_of(value) for value in inputs]
        if len(inputs) != ufunc.nin or not all(isinstance(kind, (Scalar, Array)) for kind in kinds):
            raise Unknown
        arrays = [value for value in inputs if isinstance(value, SymbolicArray)]
        weak = {"int": int, "float": float, "complex": complex}
        given = [weak.get(getattr(kind, "kind", ""), kind.dtype) for kind in kinds]  # type: ignore[union-attr]
        found = ufunc.resolve_dtypes((*given, *(None,) * ufunc.nout))
        shape = broadcast([array.shape_sizes for array in arrays]) if arrays else ()
        if shape is None:
            raise Unknown
        known = all(array.order == "C" for array in arrays)
        return typed(ufunc, inputs, {}, [(dtype, shape) for dtype in found[ufunc.nin :]], known)

    return handler


def gradient(f: Any, *varargs: Any, axis: Any = None) -> Any:
    """``np.gradient`` with spacings that are numbers."""
    array = as_array(f)
    if array.ndim == 0 or array.dtype.kind not in "iufc" or array.dtype.name == "float16":
        raise Unknown
    axes = tuple(range(array.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(normal_axis(k, array.ndim) for k in axes)
    spaced = len(varargs) in (0, 1, len(axes))
    if not axes or not spaced or any(not isinstance(type_of(step), Scalar) for step in varargs):
        raise Unknown
    dtype = np.gradient(np.ones(2, array.dtype)).dtype
    kwargs = {} if axis is None else {"axis": axis}
    types = [(dtype, array.shape_sizes)] * len(axes)
    found = typed(np.gradient, (array, *varargs), kwargs, types, array.order == "C")
    return found if len(axes) > 1 else found[0]


def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """``np.rot90``: a view."""
    array = as_array(m)
    if type(k) is not int or not isinstance(axes, (tuple, list)) or len(axes) != 2:
        raise Unknown
    one, two = (normal_axis(axis, array.ndim) for axis in axes)
    if one == two:
        raise Unknown

    def flipped(source: Any, axis: int) -> Any:
        return source[tuple(slice(None, None, -1) if n == axis else slice(None) for n in range(array.ndim))]

    turns = k % 4
    if turns == 0:
        return array[:]
    if turns == 2:
        return flipped(flipped(array, one), two)
    return swapaxes(flipped(array, two), one, two) if turns == 1 else flipped(swapaxes(array, one, two), two)


def fliplr(m: Any) -> Any:
    """``np.fliplr``."""
    array = as_array(m)
    if array.ndim < 2:
        raise Unknown
    return array[:, ::-1]


def flipud(m: Any) -> Any:
    """``np.flipud``."""
    array = as_array(m)
    if array.ndim < 1:
        raise Unknown
    return array[::-1]


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """``np.moveaxis``."""
    array = as_array(a)
    pairs = [[axes] if not isinstance(axes, (list, tuple)) else list(axes) for axes in (source, destination)]
    one, two = ([normal_axis(k, array.ndim) for k in axes] for axes in pairs)
    if len(one) != len(two) or len(set(one)) < len(one) or len(set(two)) < len(two):
        raise Unknown
    order = [k for k in range(array.ndim) if k not in one]
    for at, axis in sorted(zip(two, one, strict=True)):
        order.insert(at, axis)
    return transpose_(array, tuple(order))


def matrix_transpose(x: Any) -> Any:
    """``np.matrix_transpose`` and ``a.mT``."""
    array = as_array(x)
    if array.ndim < 2:
        raise Unknown
    return swapaxes(array, -1, -2)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """``np.trapezoid``, step by step as NumPy computes it."""
    array = as_array(y)
    at = normal_axis(axis, array.ndim)
    lead = (slice(None),) * at
    if x is None:
        step: Any = dx
    elif as_array(x).ndim == 1:
        step = reshape(diff(x), tuple(-1 if k == at else 1 for k in range(array.ndim)))
    else:
        step = diff(x, axis=axis)
    both = array[(*lead, slice(1, None))] + array[(*lead, slice(None, -1))]
    return (step * both / 2.0).sum(axis)


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """``np.pad`` by widths that are known while tracing."""
    source = as_array(array)
    if not isinstance(mode, str) or any(isinstance(w, Symbol) for w in np.ravel(np.array(pad_width, object))):
        raise Unknown
    try:
        widths = np.broadcast_to(np.array(pad_width), (source.ndim, 2))
    except ValueError:
        raise Unknown from None
    if source.ndim == 0 or widths.dtype.kind not in "iu" or (widths < 0).any() or isinstance(pad_width, dict):
        raise Unknown
    pairs = zip(source.shape_sizes, widths, strict=True)
    shape = tuple(dims.add(size, int(before) + int(after)) for size, (before, after) in pairs)
    given = (source, pad_width) if mode == "constant" else (source, pad_width, mode)
    layout = "C" if source.order == "C" else None
    return fresh(np.pad, given, kwargs, source.dtype, shape, layout)


def nanless(func: Any) -> Callable[..., Any]:
    """``nancumsum`` and ``nancumprod``: of known shape."""

    def handler(a: Any, axis: Any = None) -> Any:
        array = as_array(a)
        if array.ndim == 0:
            raise Unknown
        dtype = func(np.ones(1, array.dtype)).dtype
        if axis is None:
            return fresh(func, (array,), {}, dtype, (dims.product(array.shape_sizes),))
        normal_axis(axis, array.ndim)
        layout = "C" if array.order == "C" else None
        return fresh(func, (array,), {"axis": axis}, dtype, array.shape_sizes, layout)

    return handler


HANDLERS: dict[Any, Callable[..., Any]] = {
    np.divmod: pair(np.divmod),
    np.modf: pair(np.modf),
    np.frexp: pair(np.frexp),
    np.gradient: gradient,
    np.rot90: rot90,
    np.fliplr: fliplr,
    np.flipud: flipud,
    np.moveaxis: moveaxis,
    np.pad: pad,
    np.nancumsum: nanless(np.nancumsum),
    np.nancumprod: nanless(np.nancumprod),
    **({np.trapezoid: trapezoid} if hasattr(np, "trapezoid") else {}),
    **({np.matrix_transpose: matrix_transpose} if hasattr(np, "matrix_transpose") else {}),
}
