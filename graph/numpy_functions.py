"""Handlers: the NumPy functions that become ops of the graph or compositions of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy._core import umath  # np.clip's ufunc has no public name

from . import dims
from .arith import elementwise, emit_elementwise, operand, type_of
from .build import TraceError, current
from .dims import Size
from .indexing import assign, make_view, transpose
from .numpy_api import Unknown, as_array, normal_axis, unknown_array
from .ops.resolve import resolve_reduction, resolve_where
from .symbolic_array import SymbolicArray
from .symbols import Symbol, SymbolicScalar, as_dim, size_symbol, template
from .types import Array, Scalar, numpy_scalar


def reduction(name: str, text: str | None = None) -> Callable[..., Any]:
    """The handler of a reduction; `text` is its method form."""

    def handler(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
        array = as_array(a)
        if not isinstance(keepdims, bool) or array.ndim == 0 or array.dtype.name in ("float16", "longdouble"):
            raise Unknown
        axes = _axes(axis, array.ndim)
        if name in ("argmin", "argmax") and (keepdims or (axes is not None and len(axes) != 1)):
            raise Unknown
        found = resolve_reduction(name, array.dtype)
        shape = _reduced(array.shape_sizes, axes, keepdims)
        arguments = ([] if axis is None else [f"axis={axis!r}"]) + (["keepdims=True"] if keepdims else [])
        source = f"{text}({', '.join(arguments)})" if text else f"np.{name}({', '.join(['{0}', *arguments])})"
        attrs = {"axis": axes, "keepdims": keepdims, "loop": found.names, "text": source}
        if not shape:
            kind = numpy_scalar(found.result)
            return SymbolicScalar(current().one(name, (array.operand(),), kind, **attrs), kind)
        if array.order != "C" or not isinstance(found.result, np.dtype):
            return unknown_array((array.operand(),), source, found.result, len(shape), shape)
        type_ = Array(found.result, shape, "C")
        return SymbolicArray(current().one(name, (array.operand(),), type_, **attrs))

    return handler


def _axes(axis: Any, ndim: int) -> tuple[int, ...] | None:
    if axis is None:
        return None
    items = axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(sorted(normal_axis(item, ndim) for item in items))
    if len(set(axes)) != len(axes):
        raise TraceError("duplicate value in 'axis'")
    return axes


def _reduced(shape: tuple[Size, ...], axes: tuple[int, ...] | None, keepdims: bool) -> tuple[Size, ...]:
    gone = range(len(shape)) if axes is None else axes
    if keepdims:
        return tuple(1 if k in gone else size for k, size in enumerate(shape))
    return tuple(size for k, size in enumerate(shape) if k not in gone)


def where(condition: Any, x: Any, y: Any) -> Any:
    """``np.where(condition, x, y)``."""
    if not all(isinstance(type_of(v), (Scalar, Array)) for v in (condition, x, y)):
        raise Unknown
    found = resolve_where(type_of(x), type_of(y))
    values = (condition, x, y)
    if not any(isinstance(v, SymbolicArray) for v in values):
        raise Unknown
    for value in (x, y):
        kind = type_of(value)
        if (
            isinstance(kind, Scalar)
            and kind.is_python
            and found.result.kind in "iu"
            and found.result != np.int64
        ):
            raise Unknown
    return emit_elementwise("where", values, found.loop, found.result, "np.where({0}, {1}, {2})")


def clip(a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Any:
    """``np.clip``, as its ufunc where both bounds are given."""
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    if low is None or high is None:
        raise Unknown
    ufunc: Any = vars(umath)["clip"]
    return elementwise(ufunc, (a, low, high), text="np.clip({0}, {1}, {2})", name="clip")


def copy(a: Any, order: str = "K") -> Any:
    """``np.copy(a)`` and ``a.copy()``: a fresh array in C order for what runs in C order."""
    array = as_array(a)
    if array.order is None or (array.order == "F" and order == "K"):
        raise Unknown
    if order not in ("K", "C", "A"):
        raise Unknown
    type_ = Array(array.dtype, array.shape_sizes, "C")
    return SymbolicArray(current().one("copy", (array.operand(),), type_, text="{0}.copy()"))


def astype(a: Any, dtype: Any) -> Any:
    """``a.astype(dtype)``: always a fresh array."""
    array, wanted = as_array(a), np.dtype(dtype)
    if array.order != "C" or wanted.kind not in "biufc" or (array.dtype.kind == "c" and wanted.kind != "c"):
        raise Unknown
    if array.dtype.kind in "f" and wanted.kind in "iu":
        raise Unknown  # NaN and out-of-range casts are NumPy's own business
    return emit_elementwise("cast", (array,), (array.dtype,), wanted, f"{{0}}.astype({_dtype_text(wanted)})")


def _dtype_text(dtype: np.dtype) -> str:
    return f"np.{dtype.name}" if dtype.name != "bool" else "np.bool_"


def _shape(value: Any) -> tuple[Size, ...]:
    items = value if isinstance(value, (tuple, list)) else (value,)
    sizes: list[Size] = []
    for item in items:
        dim = as_dim(item)
        if dim is None:
            raise Unknown
        if isinstance(dim, int) and dim < 0:
            raise TraceError("negative dimensions are not allowed")
        sizes.append(dim)
    return tuple(sizes)


def creation(name: str) -> Callable[..., Any]:
    """``zeros``, ``ones``, ``empty``."""

    def handler(shape: Any, dtype: Any = float, order: str = "C") -> Any:
        wanted = np.dtype(dtype)
        if order != "C" or wanted.kind not in "biufc":
            raise Unknown
        return _created(name, shape, wanted, ())

    return handler


def _created(name: str, shape: Any, dtype: np.dtype, fill: tuple[Any, ...]) -> Any:
    under = template()
    for value in fill:
        under.write(value)
    written = under.write(shape)
    extra = "" if dtype == np.float64 and not fill else f", dtype={_dtype_text(dtype)}"
    filled = "".join(f", {under.write(value)}" for value in fill)
    try:
        sizes = _shape(shape)
    except Unknown:
        items = shape if isinstance(shape, (tuple, list)) else (shape,)
        return unknown_array(
            tuple(under.operands), f"np.{name}({written}{filled}{extra})", dtype, len(items), layout="C"
        )
    if any((low := dims.lower(size)) is None or low < 0 for size in sizes):  # NumPy refuses negative sizes
        source = f"np.{name}({written}{filled}{extra})"
        return unknown_array(tuple(under.operands), source, dtype, len(sizes), sizes, layout="C")
    operands = [operand(value) for value in fill]
    operands += [o for o in under.operands if not any(o is p for p in operands)]
    text = f"np.{name}({written}{filled}{extra})"
    if fill and not isinstance(fill[0], Symbol):
        text = f"np.{name}({_shift(written)}{filled}{extra})"
    value = current().one(name, operands, Array(dtype, sizes, "C"), text=text)
    return SymbolicArray(value)


def _shift(written: str) -> str:
    return re.sub(r"\{(\d+)\}", lambda m: f"{{{int(m[1]) + 1}}}", written)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> Any:
    """``np.full``."""
    kind = type_of(fill_value)
    if order != "C" or not isinstance(kind, Scalar):
        raise Unknown
    return _created("full", shape, np.dtype(dtype) if dtype is not None else kind.dtype, (fill_value,))


def like(name: str) -> Callable[..., Any]:
    """``zeros_like``, ``ones_like``, ``empty_like``."""

    def handler(a: Any, dtype: Any = None) -> Any:
        array = as_array(a)
        if array.order != "C":
            raise Unknown
        wanted = array.dtype if dtype is None else np.dtype(dtype)
        extra = "" if dtype is None else f", dtype={_dtype_text(wanted)}"
        type_ = Array(wanted, array.shape_sizes, "C")
        text = f"np.{name}_like({{0}}{extra})"
        return SymbolicArray(current().one(name, (array.operand(),), type_, text=text, like=True))

    return handler


def full_like(a: Any, fill_value: Any) -> Any:
    """``np.full_like``."""
    array = as_array(a)
    kind = type_of(fill_value)
    if array.order != "C" or not isinstance(kind, Scalar) or kind.dtype != array.dtype:
        raise Unknown
    type_ = Array(array.dtype, array.shape_sizes, "C")
    text = "np.full_like({1}, {0})"
    return SymbolicArray(current().one("full", (operand(fill_value), array.operand()), type_, text=text))


def ravel(a: Any, order: str = "C") -> Any:
    """``a.ravel()``: a view of a C-contiguous array."""
    if order != "C":
        raise Unknown
    return reshape(a, -1, text="{0}.ravel()")


def reshape(a: Any, shape: Any, *, text: str | None = None) -> Any:
    """``a.reshape(shape)``; a view where `a` is C-contiguous."""
    array = as_array(a)
    items = list(shape) if isinstance(shape, (tuple, list)) else [shape]
    total: Size = 1
    for size in array.shape_sizes:
        total = dims.mul(total, size)
    found: list[Size | None] = [None if as_dim(i) == -1 else as_dim(i) for i in items]
    if any(as_dim(i) is None for i in items) or found.count(None) > 1:
        raise Unknown
    known: Size = 1
    for item in found:
        known = dims.mul(known, item) if item is not None else known
    if None in found:
        if isinstance(total, int) and isinstance(known, int) and known and total % known == 0:
            rest: Size = total // known
        elif known == 1:
            rest = total
        elif isinstance(known, int) and known > 0 and current().hint(total) is not None:
            rest = dims.floordiv(total, known)
            if not current().same_size(dims.mul(rest, known), total):
                raise Unknown
        else:
            raise Unknown
        found[found.index(None)] = rest
    elif not current().same_size(known, total):
        raise Unknown
    if array.type.layout != "C":
        raise Unknown
    sizes = tuple(size for size in found if size is not None)
    under = template()
    under.write(array)
    source = text or f"{{0}}.reshape({under.write(tuple(items))})"
    type_ = Array(array.dtype, sizes, "C", array.type.writeable)
    return SymbolicArray(
        current().emit("reshape", under.operands, (type_,), {"copies": False, "text": source})[0]
    )


def transpose_(a: Any, axes: Any = None) -> Any:
    """``np.transpose``."""
    array = as_array(a)
    if axes is None:
        return transpose(array, tuple(reversed(range(array.ndim))), "{0}.T")
    order = tuple(normal_axis(axis, array.ndim) for axis in axes)
    if sorted(order) != list(range(array.ndim)):
        raise TraceError("axes don't match array")
    return transpose(array, order, f"{{0}}.transpose({order!r})")


def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    """``np.swapaxes``."""
    array = as_array(a)
    order = list(range(array.ndim))
    one, two = normal_axis(axis1, array.ndim), normal_axis(axis2, array.ndim)
    order[one], order[two] = order[two], order[one]
    return transpose(array, tuple(order), f"{{0}}.swapaxes({one}, {two})")


def expand_dims(a: Any, axis: Any) -> Any:
    """``np.expand_dims`` for one axis."""
    array = as_array(a)
    at = normal_axis(axis, array.ndim + 1)
    targets = [k for k in range(array.ndim + 1) if k != at]
    shape = list(array.shape_sizes)
    shape.insert(at, 1)
    axes = [("range", target, 0, 1) for target in targets]
    return make_view(array, axes, tuple(shape), [array.operand()], f"np.expand_dims({{0}}, {at})")


def flip(m: Any, axis: Any = None) -> Any:
    """``np.flip``: a view with negative steps."""
    array = as_array(m)
    axes = _axes(axis, array.ndim)
    picked = range(array.ndim) if axes is None else axes
    index = tuple(slice(None, None, -1) if k in picked else slice(None) for k in range(array.ndim))
    return array[index]


def same_shape(func: Any, name: str) -> Callable[..., Any]:
    """Functions that run uncompiled and keep the shape: roll, sort, cumsum along an axis."""

    def handler(a: Any, *args: Any, **kwargs: Any) -> Any:
        array = as_array(a)
        axis = kwargs.get("axis", args[-1] if args and name != "roll" else -1 if name == "sort" else None)
        if name == "cumsum" and axis is None and array.ndim > 1:
            raise Unknown
        if name == "sort" and axis is None:
            raise Unknown
        if set(kwargs) - {"axis", "shift"} or array.ndim == 0:
            raise Unknown
        under = template()
        source = under.call(f"np.{name}", (array, *args), kwargs)
        dtype = func(np.ones(1, array.dtype), *(() if name != "roll" else (0,))).dtype
        layout = "C" if array.order == "C" else None
        return unknown_array(
            tuple(under.operands), source, dtype, array.ndim, array.shape_sizes, layout=layout
        )

    return handler


def matmul(a: Any, b: Any) -> Any:
    """``a @ b`` by NumPy's BLAS, uncompiled."""
    left, right = as_array(a), as_array(b)
    if left.ndim == 0 or right.ndim == 0 or left.ndim > 2 or right.ndim > 2:
        raise Unknown
    inner = left.shape_sizes[-1], right.shape_sizes[0]
    if not current().same_size(*inner):
        raise Unknown
    shape = left.shape_sizes[:-1] + right.shape_sizes[1:]
    dtype = np.matmul(np.ones((1, 1), left.dtype), np.ones((1, 1), right.dtype)).dtype
    operands = (left.operand(), right.operand())
    if not shape:
        kind = numpy_scalar(dtype)
        return SymbolicScalar(current().one("numpy", operands, kind, text="{0} @ {1}"), kind)
    return unknown_array(operands, "{0} @ {1}", dtype, len(shape), shape, layout="C")


def mean(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """``np.mean`` of floats: the sum divided by the count, as NumPy's _mean does."""
    array = as_array(a)
    if array.dtype.kind not in "fc" or array.dtype.name == "float16" or array.ndim == 0:
        raise Unknown
    total = reduction("sum")(array, axis, keepdims=keepdims)
    axes = _axes(axis, array.ndim)
    count: Size = 1
    for k, size in enumerate(array.shape_sizes):
        count = dims.mul(count, size) if axes is None or k in axes else count
    return elementwise(np.true_divide, (total, size_symbol(count)), text="{0} / {1}")


def ndim(a: Any) -> int:
    """``np.ndim``."""
    return a.ndim if isinstance(a, SymbolicArray) else 0


def shape_(a: Any) -> tuple[Any, ...]:
    """``np.shape``."""
    return as_array(a).shape


def size_(a: Any, axis: Any = None) -> Any:
    """``np.size``."""
    return as_array(a).size if axis is None else as_array(a).shape[normal_axis(axis, a.ndim)]


def asarray(a: Any, dtype: Any = None) -> Any:
    """``np.asarray``: the array itself where nothing has to be converted."""
    array = as_array(a)
    if dtype is not None and np.dtype(dtype) != array.dtype:
        raise Unknown
    return array


def copyto(dst: Any, src: Any) -> None:
    """``np.copyto``."""
    assign(as_array(dst), src)


def round_(a: Any) -> Any:
    """``np.round(a)`` without decimals is rint."""
    array = as_array(a)
    if array.dtype.kind != "f":
        raise Unknown
    return elementwise(np.rint, (array,), text="np.round({0})")


HANDLERS: dict[Any, Callable[..., Any]] = {
    **{
        getattr(np, n): reduction(n)
        for n in ("sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "count_nonzero")
    },
    np.where: where,
    np.clip: clip,
    np.copy: copy,
    np.zeros: creation("zeros"),
    np.ones: creation("ones"),
    np.empty: creation("empty"),
    np.full: full,
    np.zeros_like: like("zeros"),
    np.ones_like: like("ones"),
    np.empty_like: like("empty"),
    np.full_like: full_like,
    np.reshape: reshape,
    np.ravel: ravel,
    np.transpose: transpose_,
    np.swapaxes: swapaxes,
    np.expand_dims: expand_dims,
    np.flip: flip,
    np.roll: same_shape(np.roll, "roll"),
    np.sort: same_shape(np.sort, "sort"),
    np.cumsum: same_shape(np.cumsum, "cumsum"),
    np.matmul: matmul,
    np.mean: mean,
    np.ndim: ndim,
    np.shape: shape_,
    np.size: size_,
    np.asarray: asarray,
    np.copyto: copyto,
    np.round: round_,
}
