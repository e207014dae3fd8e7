"""Functions of each element that are no ufuncs, copies and casts, and outer products."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy._core import umath  # np.clip's ufunc has no public name

from ..ir.types import INT, Array, Scalar, numpy_scalar
from ..ops.resolve import resolve_ufunc, resolve_where
from ..trace.build import current
from ..trace.called import Call, Slot
from ..trace.template import dtype_text
from .arith import elementwise, emit_elementwise, type_of
from .arrays import SymbolicArray
from .indexing import assign
from .numpy_api import Unknown, as_array, fresh, normal_axis, write
from .numpy_shapes import reshape
from .scalar_methods import to_numpy
from .symbols import SymbolicScalar


def where(condition: Any, x: Any, y: Any) -> Any:
    """``np.where(condition, x, y)``."""
    if not all(isinstance(type_of(v), (Scalar, Array)) for v in (condition, x, y)):
        raise Unknown
    found = resolve_where(type_of(x), type_of(y))
    values = (condition, x, y)
    if not any(isinstance(v, SymbolicArray) and v.ndim for v in values):
        raise Unknown  # an array without axes, not the number that a ufunc gives
    for value in (x, y):
        kind = type_of(value)
        if isinstance(kind, Scalar) and kind.is_python and found.result.kind in "iu":
            if found.result != np.int64:
                raise Unknown
    return emit_elementwise("where", values, found.loop, found.result, "np.where({0}, {1}, {2})")


def clip(a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Any:
    """``np.clip``: its ufunc, or `minimum` or `maximum` where one bound is None."""
    array = _as_numpy(a)
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    if array.dtype.kind in "iu":  # NumPy drops bounds that the dtype can't pass
        info = np.iinfo(array.dtype)
        low = None if type(low) is int and low <= info.min else low
        high = None if type(high) is int and high >= info.max else high
        if any(_weak_symbol(bound) for bound in (low, high)) and array.dtype != np.int64:
            raise Unknown
        if (type(low) is int and low > info.max) or (type(high) is int and high < info.min):
            raise Unknown
    if low is None and high is None:
        return elementwise(np.positive, (array,))
    if low is None:
        return elementwise(np.minimum, (array, high))
    if high is None:
        return elementwise(np.maximum, (array, low))
    ufunc: np.ufunc = vars(umath)["clip"]
    if all(isinstance(type_of(value), Scalar) for value in (array, low, high)):
        return _clipped(ufunc, array, low, high)
    return elementwise(ufunc, (array, low, high), text="np.clip({0}, {1}, {2})", name="clip")


def _clipped(ufunc: np.ufunc, number: object, low: object, high: object) -> SymbolicScalar:
    """A number between two others, where the three have the dtype that each two of them have."""
    wanted = numpy_scalar(resolve_ufunc(ufunc, (type_of(number), type_of(low), type_of(high))).result)
    raised = elementwise(np.maximum, (low, number))
    made = elementwise(np.minimum, (high, raised))
    if not isinstance(made, SymbolicScalar) or type_of(raised) != wanted or made.type != wanted:
        raise Unknown
    return made


def _as_numpy(value: object) -> SymbolicArray | SymbolicScalar:
    """An array, or a number as NumPy has it."""
    kind = type_of(value)
    if not isinstance(value, (SymbolicArray, SymbolicScalar)) or not isinstance(kind, (Scalar, Array)):
        raise Unknown
    if isinstance(value, SymbolicScalar) and value.type.is_python:
        return to_numpy(value, value.type.dtype)
    return value


def _weak_symbol(value: Any) -> bool:
    return value is not None and not isinstance(value, int) and type_of(value) == INT


def copy(a: Any, order: str = "K") -> Any:
    """``np.copy(a)`` and ``a.copy()``: a fresh array in C order for what runs in C order."""
    array = as_array(a)
    if order not in ("K", "C", "A") or (array.order != "C" and order != "C"):
        raise Unknown
    if array.order is None:
        return fresh(np.array, (array,), {"order": "C", "copy": True}, array.dtype, array.shape_sizes)
    type_ = Array(array.dtype, array.shape_sizes, "C")
    return SymbolicArray(current().one("copy", (array.operand(),), type_))


def astype(a: Any, dtype: Any) -> Any:
    """``a.astype(dtype)``: always a fresh array."""
    array, wanted = as_array(a), np.dtype(dtype)
    if (array.order != "C" and array.ndim != 1) or wanted.kind not in "biufc" or not wanted.isnative:
        raise Unknown
    drops = array.dtype.kind == "c" and wanted.kind != "c"
    # NumPy makes two things of what has no room in uint32: one in its vectors, one in what is left over.
    if not array.ndim or drops or (array.dtype.kind == "f" and wanted == np.uint32):
        return _cast_by_numpy(array, wanted)
    return emit_elementwise("cast", (array,), (array.dtype,), wanted, f"{{0}}.astype({dtype_text(wanted)})")


def _cast_by_numpy(array: SymbolicArray, dtype: np.dtype) -> Any:
    type_ = Array(dtype, array.shape_sizes, "C")
    text = f"{{0}}.astype({dtype_text(dtype)})"
    called = Call(np.ndarray.astype, (Slot(0), dtype), {})
    attrs = {"text": text, "aliases": False, "raises": True, "_call": called}
    return SymbolicArray(current().emit("numpy", (array.operand(),), (type_,), attrs)[0])


def copyto(dst: Any, src: Any, where: Any = True) -> None:
    """``np.copyto``, which allows casts of the same kind."""
    if where is not True:
        if not as_array(dst).type.writeable:
            raise Unknown
        write(np.copyto, dst, src, where=where)
        return
    target, kind = as_array(dst), type_of(src)
    if not isinstance(kind, (Array, Scalar)) or not np.can_cast(kind.dtype, target.dtype, "same_kind"):
        raise Unknown
    assign(target, src)


def round_(a: Any, decimals: Any = 0) -> Any:
    """``np.round``: `rint`, of the number times a power of ten."""
    array = a if isinstance(a, SymbolicScalar) else as_array(a)
    dtype = array.type.dtype if isinstance(array, SymbolicScalar) else array.dtype
    if dtype.name not in ("float32", "float64") or type(decimals) is not int or abs(decimals) > 8:
        raise Unknown
    if decimals == 0:
        return elementwise(np.rint, (array,), text="np.round({0})")
    if isinstance(array, SymbolicArray) and array.type.layout == "A" and array.order != "C":
        raise Unknown  # NumPy lays out the result in C order, as it asks for contiguous memory alone
    power = float(10 ** abs(decimals))
    up, down = (np.multiply, np.true_divide) if decimals > 0 else (np.true_divide, np.multiply)
    whole = elementwise(np.rint, (elementwise(up, (array, power)),))
    return elementwise(down, (whole, power))


def diff(a: Any, n: Any = 1, axis: Any = -1) -> Any:
    """``np.diff``: neighbours subtracted, `n` times."""
    array = as_array(a)
    if type(n) is not int or not 1 <= n <= 8 or array.ndim == 0:
        raise Unknown
    if n > 1:
        array = diff(array, n - 1, axis)
    at = normal_axis(axis, array.ndim)
    later, earlier = (
        array[tuple(part if k == at else slice(None) for k in range(array.ndim))]
        for part in (slice(1, None), slice(None, -1))
    )
    if array.dtype.kind == "b":
        return elementwise(np.not_equal, (later, earlier))
    return elementwise(np.subtract, (later, earlier), text="{0} - {1}")


def outer(a: Any, b: Any) -> Any:
    """``np.outer``: each element of one times each of the other."""
    left, right = _flat(as_array(a)), _flat(as_array(b))
    return elementwise(np.multiply, (left[:, None], right[None, :]), text="{0} * {1}")


def _flat(array: SymbolicArray) -> Any:
    if array.ndim == 1:
        return array
    if array.ndim == 0 or array.type.layout != "C":
        raise Unknown
    return reshape(array, -1, text="{0}.ravel()")
