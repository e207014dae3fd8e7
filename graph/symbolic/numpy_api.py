"""NumPy's functions on symbols: which are ops of the graph, and the generic rule for all others.

A handler has the function's own parameters; a call that it can't bind (an argument that it does not know)
goes to `generic`, which asks NumPy itself for the types of the results and runs the call uncompiled.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ..ir.dims import Size
from ..ir.nodes import Operand
from ..ir.overlap import has_elements_of_its_own, warns_of_writes
from ..ir.types import BOOL, OBJECT, Scalar, numpy_scalar
from ..trace.build import current
from ..trace.called import Call, call_of
from ..trace.template import Template, function_name
from .arrays import SymbolicArray
from .examples import result_of
from .symbols import (
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    SymbolicUnion,
    payload,
    python_expression,
    template,
    unwrap_union,
)
from .unknown_arrays import parts, unknown_array

COMPILED_DTYPES = "biufc"


ALWAYS_BOOL = (np.allclose, np.array_equal, np.array_equiv, np.may_share_memory, np.shares_memory)


OVERWRITES: dict[Any, tuple[str, int, bool]] = {
    np.nan_to_num: ("copy", 1, True),
    np.median: ("overwrite_input", 3, False),
    np.nanmedian: ("overwrite_input", 3, False),
    np.quantile: ("overwrite_input", 4, False),
    np.nanquantile: ("overwrite_input", 4, False),
    np.percentile: ("overwrite_input", 4, False),
    np.nanpercentile: ("overwrite_input", 4, False),
    np.ndarray.byteswap: ("inplace", 1, False),
}
"""Functions that may write to their first argument: the flag that lets them, its place, its value if not."""


class Unknown(Exception):
    """A handler does not know this form of the call."""


def with_named_out(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with the array to write to as ``out=``, though it was given by its place."""
    names = _names_from_out(func) if any(isinstance(arg, SymbolicArray) for arg in args) else None
    if names is None or len(args) <= names[0] or args[names[0]] is None:
        return args, kwargs
    place, rest = names
    if isinstance(args[place], tuple):
        if func not in (np.clip, np.ndarray.clip) or len(args[place]) != 1:
            return args, kwargs  # which is an error
        args = (*args[:place], args[place][0], *args[place + 1 :])
    return args[:place], {**dict(zip(rest, args[place:], strict=False)), **kwargs}


@lru_cache(maxsize=1024)
def _names_from_out(func: Any) -> tuple[int, tuple[str, ...]] | None:
    """At which place `func` takes ``out``, and what its parameters are called from there on."""
    try:
        parameters = inspect.signature(func).parameters.values()
    except (TypeError, ValueError):
        return None
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if "out" not in names:
        return None
    return names.index("out"), tuple(names[names.index("out") :])


def unwrap_unions(value: Any) -> Any:
    """A variable of two kinds as its payload, or as an object."""
    value = unwrap_union(value)
    if isinstance(value, (list, tuple)):  # NumPy only reads containers: a copy will do
        items = [unwrap_unions(item) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, SymbolicUnion):
        if isinstance(value.first, Scalar) or isinstance(value.payload, SymbolicScalar):
            return value.as_object()
        return payload(value)
    return value


def has_object(value: Any) -> bool:
    """Whether `value` is, or holds, an object that only the driver knows."""
    if isinstance(value, (list, tuple)):
        return any(has_object(unwrap_unions(item)) for item in value)
    return isinstance(value, SymbolicObject)


def generic(
    func: Callable[..., Any],
    name: str | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    source: Callable[[Template], str] | None = None,
    shape: tuple[Size, ...] | None = None,
    layout: str | None = None,
    function: Callable[..., Any] | None = None,
    owned: bool = False,
) -> Any:
    """A NumPy call that runs uncompiled; its result types are what NumPy gives for an example.

    `shape` and `layout` are given where they are certain; with a layout the result is a fresh array.
    `function` is the public one that `func` stands for, where it is another; `owned`: no array is a view.
    """
    write = source or (lambda under: under.call(name or function_name(func), args, kwargs))
    if may_overwrite(function or func, args, kwargs):
        return _overwritten(func, write, args, kwargs)
    if kwargs.get("out") is not None:
        return _into(kwargs["out"], write, function or func, args, kwargs)
    under = template()
    text = write(under)
    operands, called = tuple(under.operands), call_of(under, function or func, args, kwargs)
    try:
        result, shapes = result_of(func, args, kwargs)
    except Exception:  # the user's own error, or an example that can't be made: leave it to the run
        return SymbolicObject(current().one("python", operands, OBJECT, text=text))
    if type(result) is np.ndarray and _compiles(result.dtype) and (result.ndim or func is np.tensordot):
        hints = None if shapes is None else shapes[0]
        return _like(result, (operands, text, called), shape, layout, hints, owned)
    if type(result) is tuple and shapes is not None and all(map(_is_part, result)):
        return parts(operands, text, result, shapes, called)
    attrs: dict[str, Any] = {"text": text, "raises": True}
    if isinstance(result, np.generic) and _compiles(result.dtype):
        kind = numpy_scalar(result.dtype)
        return SymbolicScalar(current().one("numpy", operands, kind, **attrs, _call=called), kind)
    if type(result) is bool and func in ALWAYS_BOOL:
        return SymbolicScalar(current().one("numpy", operands, BOOL, **attrs), BOOL)
    return SymbolicObject(current().one("python", operands, OBJECT, text=text))


def _like(
    result: np.ndarray,
    made_by: tuple[tuple[Operand, ...], str, Call],
    shape: tuple[Size, ...] | None,
    layout: str | None,
    hints: tuple[int, ...] | None,
    owned: bool,
) -> SymbolicArray:
    """An array with the type of the example `result`."""
    operands, text, called = made_by
    if not operands and shape is None:  # made of constants: the example is the result
        shape, layout = result.shape, "C" if result.flags.c_contiguous else "F"
    known = shape if shape is not None and len(shape) == result.ndim else None
    layout = layout if known is not None else None
    aliases = layout is None and not owned
    writeable = has_elements_of_its_own(result)
    return unknown_array(
        operands, text, result.dtype, result.ndim, known, hints, aliases, layout, writeable, called
    )


def _into(
    out: Any, write: Callable[[Template], str], func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call that writes to `out` and returns it."""
    under = template()
    if not isinstance(out, SymbolicArray) or not out.type.writeable:
        return python_expression(write)
    under.write(out)
    text = write(under)
    attrs = {"text": text, "_call": call_of(under, func, args, kwargs)}
    current().emit("numpy_write", under.operands, (), attrs)
    return out


def may_overwrite(func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a flag lets the call write to its first argument; one known only at run time may."""
    if func not in OVERWRITES:
        return False
    _, _, kept = OVERWRITES[func]
    return _flag(func, args, kwargs) is not kept


def _flag(func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    name, place, kept = OVERWRITES[func]
    return args[place] if len(args) > place else kwargs.get(name, kept)


def _overwritten(
    func: Callable[..., Any], source: Callable[[Template], str], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> SymbolicArray | SymbolicObject:
    """A call that may write to its first argument: opaque, but where what it writes and gives is certain."""
    array = args[0] if args else None
    flag = _flag(func, args, kwargs) if func is np.nan_to_num else True
    certain = flag is False or flag is None
    if certain and isinstance(array, SymbolicArray) and array.ndim and array.type.writeable:
        write(func, *args, **kwargs)
        return array
    return python_expression(source)


def write(func: Any, *args: Any, **kwargs: Any) -> None:
    """A call that writes to its first argument, as NumPy runs it."""
    under = template()
    text = under.call(function_name(func), args, kwargs)
    attrs = {"text": text, "_call": call_of(under, func, args, kwargs)}
    current().emit("numpy_write", under.operands, (), attrs)


def _is_part(item: object) -> bool:
    """Whether an item of a tuple is one that compiled code can hold."""
    if type(item) is np.ndarray:
        return item.ndim > 0 and not warns_of_writes(item) and _compiles(item.dtype)
    return isinstance(item, np.generic) and _compiles(item.dtype)


def _compiles(dtype: np.dtype) -> bool:
    return dtype.kind in COMPILED_DTYPES and dtype.isnative


def as_array(value: Any) -> SymbolicArray:
    """`value` as an array of the graph; Unknown when it is not one."""
    if isinstance(value, SymbolicArray):
        return value
    raise Unknown


def normal_axis(axis: Any, ndim: int) -> int:
    """A constant axis as a non-negative number; where it is out of range NumPy itself has to say so."""
    if isinstance(axis, Symbol) or isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
        raise Unknown
    if not -ndim <= axis < ndim:
        raise Unknown
    return int(axis) % ndim


def normal_axes(axis: Any, ndim: int) -> tuple[int, ...] | None:
    """A constant axis or tuple of axes, sorted; None stays None."""
    if axis is None:
        return None
    axes = tuple(sorted(normal_axis(item, ndim) for item in (axis if isinstance(axis, tuple) else (axis,))))
    if len(set(axes)) != len(axes):
        raise Unknown
    return axes


def fresh(
    func: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    dtype: np.dtype,
    shape: tuple[Size, ...],
    layout: str | None = "C",
) -> Any:
    """An uncompiled call that gives a new array of certain dtype and shape; a NumPy number if 0-d."""
    under = template()
    text, called = under.call(function_name(func), args, kwargs), call_of(under, func, args, kwargs)
    if not shape:
        kind = numpy_scalar(dtype)
        attrs = {"text": text, "raises": True, "_call": called}
        return SymbolicScalar(current().one("numpy", under.operands, kind, **attrs), kind)
    operands = tuple(under.operands)
    return unknown_array(operands, text, dtype, len(shape), shape, layout=layout, called=called)
