"""Contributions to adjoints: brought to the shape and dtype of the value that they are for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.dims import Size
from ..ir.types import Array, Scalar, Type
from ..symbolic import numpy_functions
from ..symbolic.arith import type_of
from ..symbolic.arrays import SymbolicArray
from ..symbolic.scalar_methods import to_numpy
from ..symbolic.symbols import Symbol, SymbolicScalar, size_symbol, template
from ..trace.build import TraceError, current
from ..trace.called import Call, Slot
from .words import real

_UNKNOWN = "a gradient whose type is known only at run time"


def fitted_to(type_: Type, contribution: Any) -> Any:
    """`contribution` with the shape and dtype of a value of `type_`: summed, broadcast, cast."""
    assert isinstance(type_, Scalar | Array)
    shape = tuple(current().settle(size) for size in type_.shape) if isinstance(type_, Array) else ()
    value = _as_dtype(contribution, type_.dtype)
    value = _summed(value, shape)
    if not isinstance(type_of(value), Scalar | Array):
        raise TraceError(_UNKNOWN)
    return _broadcast(value, shape) if shape else value


def _as_dtype(value: Any, dtype: np.dtype) -> Any:
    kind = type_of(value)
    if not isinstance(kind, Scalar | Array):
        raise TraceError(_UNKNOWN)
    if kind.dtype.kind == "c" and dtype.kind != "c":
        value = real(value)
        kind = type_of(value)
    if not isinstance(value, Symbol):
        return dtype.type(value)
    if isinstance(value, SymbolicArray):
        return value if value.dtype == dtype else value.astype(dtype)
    assert isinstance(value, SymbolicScalar)
    return value if value.type.dtype == dtype and not value.type.is_python else to_numpy(value, dtype)


def _summed(value: Any, shape: tuple[Size, ...]) -> Any:
    """`value` summed over the axes along which an operand of `shape` was broadcast."""
    if not isinstance(value, SymbolicArray):
        return value
    sizes = value.shape_sizes
    extra = len(sizes) - len(shape)
    if extra > 0:
        value = value.sum(axis=tuple(range(extra)) if extra < len(sizes) else None)
        if not isinstance(value, SymbolicArray):
            return value
        sizes = value.shape_sizes
    own = shape[len(shape) - len(sizes) :]
    axes = tuple(k for k, pair in enumerate(zip(sizes, own, strict=True)) if _is_stretched(*pair))
    value = value.sum(axis=axes, keepdims=True) if axes else value
    pairs = enumerate(zip(value.shape_sizes, own, strict=True))
    unclear = [
        k
        for k, (have, want) in pairs
        if not current().same_size(have, want) and current().is_one(have) is not True
    ]
    return sum_to(value, own, unclear) if unclear else value


def sum_to(array: SymbolicArray, shape: tuple[Size, ...], axes: list[int]) -> SymbolicArray:
    """`array` in `shape`: which of `axes` are summed, and which are broadcast, shows when it runs."""
    under = template()
    slot = under.write(array)
    ones = " + ".join(f"({k},) * ({under.write(size_symbol(shape[k]))} == 1)" for k in axes)
    text = f"np.add.reduce({slot}, axis={ones}, keepdims=True)"
    attrs = {"aliases": False, "raises": False, "_call": Call(sum_to, (Slot(0),), {})}
    sizes = array.shape_sizes
    if all(current().is_one(sizes[k]) is False for k in axes):
        layout = "C" if array.order == "C" else "A"
        type_ = Array(array.dtype, shape, layout)
    else:
        text = f"np.broadcast_to({text}, {under.write(tuple(size_symbol(size) for size in shape))})"
        type_ = Array(array.dtype, shape, "A", False)
    (made,) = current().emit("numpy", under.operands, (type_,), {"text": text, **attrs})
    return SymbolicArray(made, array.order if type_.writeable else None)


def _is_stretched(have: Size, want: Size) -> bool:
    """Whether an axis of size `want`, which is 1, was broadcast to `have`."""
    return (
        have != want and have != 1 and current().is_one(want) is True and current().is_one(have) is not True
    )


def _broadcast(value: Any, shape: tuple[Size, ...]) -> Any:
    if isinstance(value, SymbolicArray) and value.ndim == len(shape):
        if all(map(current().same_size, value.shape_sizes, shape)):
            return value
    wanted = tuple(size_symbol(size) for size in shape)
    if isinstance(value, SymbolicArray):
        return numpy_functions.call(np.broadcast_to, (value, wanted), {})
    return numpy_functions.call(np.full, (wanted, value), {})


def added(left: Any, right: Any) -> Any:
    """The sum of two contributions of one dtype and shape."""
    if isinstance(left, Symbol) or not isinstance(right, Symbol):
        return left + right
    return right + left
