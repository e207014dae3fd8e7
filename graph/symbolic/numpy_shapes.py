"""Other looks at an array: reshapes, transposes, new axes, flips; views wherever NumPy's are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir import dims
from ..ir.axes import Pick, Span
from ..ir.dims import Size
from ..ir.literals import literal
from ..ir.types import Array
from ..trace.build import current
from ..trace.called import Call, Slot, call_of
from .arrays import SymbolicArray
from .broadcasting import STRETCHED
from .indexing import make_view, transpose
from .numpy_api import Unknown, as_array, normal_axes, normal_axis
from .symbols import as_dim, python_call, template
from .unknown_arrays import unknown_array


def ravel(a: Any, order: str = "C") -> Any:
    """``a.ravel()``: a view of a C-contiguous array."""
    if order != "C":
        raise Unknown
    return reshape(a, -1, text="{0}.ravel()")


def reshape(a: Any, shape: Any, *, text: str | None = None) -> Any:
    """``a.reshape(shape)``; a view where `a` is C-contiguous."""
    array = as_array(a)
    items = list(shape) if isinstance(shape, (tuple, list)) else [shape]
    sizes = _reshaped(array.shape_sizes, items)
    if array.ndim == 0:
        return _with_ones(array, tuple(range(len(sizes))), text or f"{{0}}.reshape({(1,) * len(sizes)})")
    under = template()
    under.write(array)
    source = text or f"{{0}}.reshape({under.write(tuple(items))})"
    if array.type.layout != "C":  # a view if NumPy finds one, or else a copy
        if not array.type.writeable:
            raise Unknown
        operands, called = tuple(under.operands), call_of(under, np.reshape, (array, tuple(items)), {})
        made = unknown_array(operands, source, array.dtype, len(sizes), sizes, aliases=True, called=called)
        made.order = "C" if array.order == "C" or len(sizes) == 1 else None
        return made
    type_ = Array(array.dtype, sizes, "C", array.type.writeable)
    return SymbolicArray(
        current().emit("reshape", under.operands, (type_,), {"copies": False, "text": source})[0]
    )


def _reshaped(shape: tuple[Size, ...], items: list[Any]) -> tuple[Size, ...]:
    """The new shape, where it is certain that it fits."""
    total = dims.product(shape)
    found: list[Size | None] = [None if as_dim(i) == -1 else as_dim(i) for i in items]
    if any(as_dim(i) is None for i in items) or found.count(None) > 1:
        raise Unknown
    known: Size = 1
    for item in found:
        known = dims.mul(known, item) if item is not None else known
    if None in found:
        found[found.index(None)] = _rest(total, known)
    elif not current().same_size(known, total):
        raise Unknown
    sizes = tuple(size for size in found if size is not None)
    if not all(map(current().is_natural, sizes)):
        raise Unknown
    return sizes


def _rest(total: Size, known: Size) -> Size:
    """What -1 stands for."""
    if isinstance(total, int) and isinstance(known, int) and known and total % known == 0:
        return total // known
    if known == 1:
        return total
    if isinstance(known, int) and known > 0 and current().hint(total) is not None:
        rest = dims.floordiv(total, known)
        if current().same_size(dims.mul(rest, known), total):
            return rest
    raise Unknown


def transpose_(a: Any, axes: Any = None) -> Any:
    """``np.transpose``."""
    array = as_array(a)
    if axes is None:
        return transpose(array, tuple(reversed(range(array.ndim))), "{0}.T")
    order = tuple(normal_axis(axis, array.ndim) for axis in axes)
    if sorted(order) != list(range(array.ndim)):
        raise Unknown
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
    return _with_ones(array, (at,), f"np.expand_dims({{0}}, {at})")


def _with_ones(array: SymbolicArray, new: tuple[int, ...], source: str) -> SymbolicArray:
    """`array` with axes of one element at the places `new` of the result."""
    targets = [k for k in range(array.ndim + len(new)) if k not in new]
    shape: list[Size] = list(array.shape_sizes)
    for at in sorted(new):
        shape.insert(at, 1)
    axes = [Span(target) for target in targets]
    return make_view(array, axes, tuple(shape), [array.operand()], source)


def atleast(ndim: int) -> Any:
    """``np.atleast_1d`` and ``np.atleast_2d`` of one array."""

    def handler(a: Any) -> Any:
        array = as_array(a)
        if array.ndim >= ndim:
            return array
        if array.ndim == 0:
            raise Unknown
        return _with_ones(array, (0,), f"np.atleast_{ndim}d({{0}})")

    return handler


def squeeze(a: Any, axis: Any = None) -> Any:
    """``np.squeeze``: which axes have one element is certain, or held by guards to the example."""
    array = as_array(a)
    axes = normal_axes(axis, array.ndim)
    if axes is None:
        ones = [current().is_one(size) for size in array.shape_sizes]
        if None in ones:
            return python_call("np.squeeze", (array,), {})
        axes = tuple(k for k, is_one in enumerate(ones) if is_one)
    if not axes:
        return array
    if not all(current().is_one(array.shape_sizes[k]) for k in axes):
        return python_call("np.squeeze", (array,), {"axis": axis})
    kept = [k for k in range(array.ndim) if k not in axes]
    if not kept:
        return python_call("np.squeeze", (array,), {} if axis is None else {"axis": axis})
    return array[tuple(0 if k in axes else slice(None) for k in range(array.ndim))]


def broadcast_to(array: Any, shape: Any) -> Any:
    """``np.broadcast_to``: a view with strides of 0, which can't be written."""
    source = as_array(array)
    items = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    sizes = [as_dim(item) for item in items]
    offset = len(items) - source.ndim
    if any(size is None for size in sizes) or offset < 0 or source.ndim == 0:
        raise Unknown
    wanted = tuple(size for size in sizes if size is not None)
    if not all(map(current().is_natural, wanted)):
        raise Unknown
    stretched = []
    for k, size in enumerate(source.shape_sizes):
        if size == 1 and wanted[k + offset] != 1:
            stretched.append(k)
        elif not current().same_size(size, wanted[k + offset]):
            raise Unknown
    under = template()
    under.write(source)
    text = f"np.broadcast_to({{0}}, {under.write(tuple(items))})"
    first = len(under.operands) - 1
    # An axis of one element is looked at in its one place, for each element of an axis that no item names.
    axes = [
        Pick(first + stretched.index(k)) if k in stretched else Span(k + offset) for k in range(source.ndim)
    ]
    operands = (*under.operands, *(literal(0) for _ in stretched))
    type_ = Array(source.dtype, wanted, "A", False)
    attrs = {"axes": tuple(axes), "check": (False,) * (len(operands) - 1), "text": text}
    value = current().emit("view", operands, (type_,), attrs)[0]
    return SymbolicArray(value, STRETCHED if source.order == "C" else None)


def flip(m: Any, axis: Any = None) -> Any:
    """``np.flip``: a view with negative steps."""
    array = as_array(m)
    axes = normal_axes(axis, array.ndim)
    picked = range(array.ndim) if axes is None else axes
    index = tuple(slice(None, None, -1) if k in picked else slice(None) for k in range(array.ndim))
    return array[index]


def real(val: Any) -> Any:
    """``a.real``: the array itself, or a view of half of its memory, which NumPy makes."""
    array = as_array(val)
    return array if array.dtype.kind != "c" else _part(array, "real")


def imag(val: Any) -> Any:
    """``a.imag`` of complex numbers."""
    array = as_array(val)
    if array.dtype.kind != "c":
        raise Unknown
    return _part(array, "imag")


def _part(array: SymbolicArray, name: str) -> SymbolicArray:
    half = np.dtype("float32" if array.dtype == np.complex64 else "float64")
    type_ = Array(half, array.shape_sizes, "A", array.type.writeable)
    called = Call(getattr(np, name), (Slot(0),), {})
    attrs = {"text": f"{{0}}.{name}", "aliases": True, "raises": False, "_call": called}
    return SymbolicArray(current().emit("numpy", (array.operand(),), (type_,), attrs)[0], array.order)
