"""Arrays made from nothing, from numbers, or like others."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.literals import is_number
from ..ir.types import INT, Array, Scalar
from ..trace.build import current
from ..trace.called import call_of
from ..trace.template import dtype_text
from .agreement import natural
from .arith import operand, type_of
from .arrays import SymbolicArray
from .examples import example
from .indexing import _storable
from .numpy_api import Unknown, as_array, fresh
from .numpy_elementwise import astype, copy
from .symbols import Symbol, SymbolicScalar, as_dim, size_symbol, template
from .unknown_arrays import unknown_array

_UNROLLED = 16
"""Displays of up to this many numbers become stores, which compile."""
_UNROLLED_ARRAYS = 4
"""In loops and branches, displays of up to this many arrays are written array by array."""


def _shape(value: Any) -> tuple[Size, ...]:
    items = value if isinstance(value, (tuple, list)) else (value,)
    sizes: list[Size] = []
    for item in items:
        dim = as_dim(item)
        if dim is None or (isinstance(dim, int) and dim < 0):
            raise Unknown
        sizes.append(dim)
    return tuple(sizes)


def _dtype(dtype: Any) -> np.dtype:
    found = np.dtype(dtype)
    if found.kind not in "biufc" or not found.isnative:
        raise Unknown
    return found


def creation(name: str) -> Callable[..., Any]:
    """``zeros``, ``ones``, ``empty``."""

    def handler(shape: Any, dtype: Any = None, order: str = "C") -> Any:
        if order != "C":
            raise Unknown
        return _created(name, shape, _dtype(dtype), ())

    return handler


def _created(name: str, shape: Any, dtype: np.dtype, fill: tuple[Any, ...]) -> Any:
    under = template()
    for value in fill:
        under.write(value)
    written = under.write(shape)
    extra = "" if dtype == np.float64 and not fill else f", dtype={dtype_text(dtype)}"
    filled = "".join(f", {under.write(value)}" for value in fill)
    source = f"np.{name}({written}{filled}{extra})"
    called = call_of(under, getattr(np, name), (shape, *fill), {})
    made = tuple(under.operands)
    try:
        sizes = _shape(shape)
    except Unknown:
        items = shape if isinstance(shape, (tuple, list)) else (shape,)
        if any(not _is_int(item) for item in items):
            raise
        return unknown_array(made, source, dtype, len(items), layout="C", called=called)
    sizes = tuple(map(natural, sizes))
    if not all(map(current().is_natural, sizes)):  # NumPy refuses negative sizes
        return unknown_array(made, source, dtype, len(sizes), sizes, layout="C", called=called)
    operands = [operand(value) for value in fill]
    operands += [o for o in under.operands if not any(o is p for p in operands)]
    if fill and not isinstance(fill[0], Symbol):
        source = f"np.{name}({_shift(written)}{filled}{extra})"
    return SymbolicArray(current().one(name, operands, Array(dtype, sizes, "C"), text=source))


def _is_int(value: Any) -> bool:
    kind = type_of(value)
    return isinstance(kind, Scalar) and kind.dtype.kind in "iu"


def _shift(written: str) -> str:
    return re.sub(r"\{(\d+)\}", lambda m: f"{{{int(m[1]) + 1}}}", written)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> Any:
    """``np.full``."""
    kind = type_of(fill_value)
    if order != "C" or not isinstance(kind, Scalar):
        raise Unknown
    wanted = _dtype(dtype) if dtype is not None else kind.dtype
    if not _filled(fill_value, wanted):
        raise Unknown
    return _created("full", shape, wanted, (fill_value,))


def _filled(value: Any, dtype: np.dtype) -> bool:
    """Whether filling is a plain cast of the number."""
    kind = type_of(value)
    assert isinstance(kind, Scalar)
    plain = dtype.kind not in "iu" or not isinstance(value, Symbol) or np.can_cast(kind.dtype, dtype, "safe")
    return plain and _storable(value, dtype)


def like(name: str) -> Callable[..., Any]:
    """``zeros_like``, ``ones_like``, ``empty_like``."""

    def handler(a: Any, dtype: Any = None) -> Any:
        array = as_array(a)
        if array.order != "C":
            raise Unknown
        wanted = array.dtype if dtype is None else _dtype(dtype)
        extra = "" if dtype is None else f", dtype={dtype_text(wanted)}"
        type_ = Array(wanted, array.shape_sizes, "C")
        text = f"np.{name}_like({{0}}{extra})"
        return SymbolicArray(current().one(name, (array.operand(),), type_, text=text, like=True))

    return handler


def full_like(a: Any, fill_value: Any, dtype: Any = None) -> Any:
    """``np.full_like``."""
    array = as_array(a)
    kind = type_of(fill_value)
    wanted = array.dtype if dtype is None else _dtype(dtype)
    if array.order != "C" or not isinstance(kind, Scalar):
        raise Unknown
    if not _filled(fill_value, wanted):
        more = {} if dtype is None else {"dtype": dtype}
        return fresh(np.full_like, (array, fill_value), more, wanted, array.shape_sizes)
    type_ = Array(wanted, array.shape_sizes, "C")
    extra = "" if dtype is None else f", dtype={dtype_text(wanted)}"
    first = operand(fill_value)
    return SymbolicArray(
        current().one("full", (first, array.operand()), type_, text=f"np.full_like({{1}}, {{0}}{extra})")
    )


def arange(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """``np.arange``: of Python ints the length is known."""
    named = dict(zip(("start", "stop", "step"), args, strict=False), **kwargs)
    if len(args) == 1 and "stop" not in kwargs:
        named = {"stop": args[0], **kwargs}
    if len(args) > 3 or set(named) - {"start", "stop", "step"} or "stop" not in named:
        raise Unknown
    if any(not isinstance(type_of(value), Scalar) for value in named.values()):
        raise Unknown
    found = np.arange(*(_kind_example(v) for v in named.values()), dtype=dtype).dtype
    if found.kind not in "iufc":
        raise Unknown
    given = {**kwargs} if dtype is None else {**kwargs, "dtype": dtype}
    under = template()
    text, called = under.call("np.arange", args, given), call_of(under, np.arange, args, given)
    operands = tuple(under.operands)
    start, stop, step = (as_dim(named.get(key, default)) for key, default in _ARANGE)
    if all(type_of(v) == INT for v in named.values()) and start is not None and stop is not None:
        if isinstance(step, int) and step != 0:
            length = _length(start, stop, step)
            return unknown_array(operands, text, found, 1, (length,), layout="C", called=called)
    if not operands and (count := _count(**named)) is not None:
        return unknown_array((), text, found, 1, (count,), layout="C", called=called)
    return unknown_array(operands, text, found, 1, layout="C", called=called)


def _count(stop: Any, start: Any = 0, step: Any = 1) -> int | None:
    """How many numbers an arange of constants has, by NumPy's formula."""
    numbers = [float(value) for value in (start, stop, step) if isinstance(value, (int, float, np.floating))]
    if len(numbers) < 3 or not all(map(math.isfinite, numbers)) or not numbers[2]:
        return None
    return max(math.ceil((numbers[1] - numbers[0]) / numbers[2]), 0)


_ARANGE = (("start", 0), ("stop", 0), ("step", 1))


def _length(start: Size, stop: Size, step: int) -> Size:
    low, high = (start, stop) if step > 0 else (stop, start)
    span = dims.maximum(dims.sub(high, low), 0)
    return dims.floordiv(dims.add(span, abs(step) - 1), abs(step)) if abs(step) != 1 else span


def _kind_example(value: Any) -> Any:
    kind = type_of(value)
    assert isinstance(kind, Scalar)
    if kind.is_python:
        return {"bool": bool, "int": int, "float": float, "complex": complex}[kind.kind](1)
    return kind.dtype.type(1)


def linspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, *, dtype: Any = None) -> Any:
    """``np.linspace`` between two numbers."""
    kinds = type_of(start), type_of(stop)
    real = all(isinstance(kind, Scalar) and kind.dtype.kind != "c" for kind in kinds)
    if not isinstance(endpoint, bool) or not real:
        raise Unknown
    found = np.linspace(_kind_example(start), _kind_example(stop), 3, dtype=dtype).dtype
    sizes = _shape(num)
    if found.kind not in "iuf" or len(sizes) != 1:
        raise Unknown
    kwargs = {} if endpoint else {"endpoint": endpoint}
    if dtype is not None:
        kwargs["dtype"] = dtype
    args = (start, stop) if isinstance(num, int) and num == 50 else (start, stop, num)
    return fresh(np.linspace, args, kwargs, found, sizes)


def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Any:  # noqa: N803 (NumPy's names)
    """``np.eye``."""
    if not _is_int(k):
        raise Unknown
    shape = _shape((N, N if M is None else M))
    found = _dtype(dtype)
    args = (N,) if M is None else (N, M)
    kwargs = {} if type(k) is int and k == 0 else {"k": k}
    if dtype is not float:
        kwargs["dtype"] = dtype
    return fresh(np.eye, args, kwargs, found, shape)


def identity(n: Any, dtype: Any = None) -> Any:
    """``np.identity``."""
    shape = _shape((n, n))
    return fresh(np.identity, (n,), {} if dtype is None else {"dtype": dtype}, _dtype(dtype), shape)


def asarray(func: Any) -> Callable[..., Any]:
    """``np.asarray`` and its like: the array itself where nothing has to be converted."""

    def handler(a: Any, dtype: Any = None) -> Any:
        if isinstance(a, (list, tuple)):
            return _display(func, a, dtype)
        array = as_array(a)
        if dtype is not None and np.dtype(dtype) != array.dtype:
            raise Unknown
        if func is np.ascontiguousarray and (array.type.layout != "C" or array.ndim == 0):
            raise Unknown
        return array

    return handler


def array_(object: Any, dtype: Any = None) -> Any:
    """``np.array``: of numbers or arrays in lists, or a copy."""
    if isinstance(object, (list, tuple)):
        return _display(np.array, object, dtype)
    array = as_array(object)
    if dtype is None or np.dtype(dtype) == array.dtype:
        return copy(array)
    return astype(array, dtype)


def _display(func: Any, value: Any, dtype: Any) -> Any:
    """An array of numbers, or of arrays of one shape, in nested lists."""
    shape, leaves = _nested(value)
    if not leaves:
        raise Unknown
    if all(isinstance(leaf, SymbolicArray) for leaf in leaves):
        first = leaves[0].shape_sizes
        for leaf in leaves[1:]:
            sizes = leaf.shape_sizes
            if len(sizes) != len(first) or not all(map(current().same_size, sizes, first)):
                raise Unknown
        promoted = np.result_type(*(leaf.dtype for leaf in leaves))
        found = _dtype(promoted if dtype is None else dtype)
        if current().depth and len(leaves) <= _UNROLLED_ARRAYS and first and found == promoted:
            return _filled_with(leaves, shape, found, first)
        more = {} if dtype is None else {"dtype": dtype}
        return fresh(func, (value,), more, found, (*shape, *first))
    if any(not isinstance(type_of(leaf), Scalar) for leaf in leaves):
        raise Unknown
    found = _dtype(np.array([_leaf_example(leaf) for leaf in leaves], dtype).dtype)
    if len(leaves) > _UNROLLED or not all(_filled(leaf, found) for leaf in leaves):
        return fresh(func, (value,), {} if dtype is None else {"dtype": dtype}, found, shape)
    return _filled_with(leaves, shape, found)


def _filled_with(
    leaves: list[Any], shape: tuple[int, ...], dtype: np.dtype, rest: tuple[Size, ...] = ()
) -> SymbolicArray:
    """An array with these leaves: numbers, or arrays of the shape `rest`."""
    whole = (*shape, *map(size_symbol, rest))
    result = _created("empty", whole if len(whole) > 1 else whole[0], dtype, ())
    assert isinstance(result, SymbolicArray)
    for index, leaf in zip(np.ndindex(*shape), leaves, strict=True):
        result[tuple(int(k) for k in index)] = leaf
    return result


def _leaf_example(leaf: Any) -> Any:
    return example(leaf) if isinstance(leaf, SymbolicScalar) else leaf


def _nested(value: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of nested lists and their leaves; Unknown where they are ragged."""
    if not isinstance(value, (list, tuple)):
        if not (isinstance(value, (SymbolicScalar, SymbolicArray)) or is_number(value)):
            raise Unknown
        return (), [value]
    parts = [_nested(item) for item in value]
    if not parts or any(shape != parts[0][0] for shape, _ in parts):
        raise Unknown
    return (len(parts), *parts[0][0]), [leaf for _, leaves in parts for leaf in leaves]
