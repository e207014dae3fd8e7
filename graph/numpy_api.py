"""NumPy's functions on symbols: which are ops of the graph, and the generic rule for all others.

A handler has the function's own parameters; a call that it can't bind (an argument that it does not know)
goes to `generic`, which asks NumPy itself for the types of the results and runs the call uncompiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import dims
from .build import TraceError, current
from .dims import Size
from .ir import Operand
from .symbolic_array import SymbolicArray
from .symbols import (
    Either,
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    python_call,
    settled,
    template,
)
from .template import Template
from .types import Array, Scalar, numpy_scalar

LIMIT = 1 << 16
"""Example arrays up to this many elements are made to ask NumPy for result types."""

COMPILED_DTYPES = "biufc"


class Unknown(Exception):
    """A handler does not know this form of the call."""


def function_name(func: Any) -> str:
    """Source text of a NumPy function."""
    module = getattr(func, "__module__", None) or "numpy"
    name = getattr(func, "__name__", str(func))
    return f"np.{name}" if getattr(np, name, None) is func else f"{module.replace('numpy', 'np', 1)}.{name}"


def call(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``func(*args, **kwargs)`` of a NumPy function with symbols among its arguments."""
    from .numpy_functions import HANDLERS

    args = tuple(_settled(arg) for arg in args)
    kwargs = {key: _settled(value) for key, value in kwargs.items()}
    name = function_name(func)
    if any(_has_object(value) for value in (*args, *kwargs.values())):
        return python_call(name, args, kwargs)
    handler = HANDLERS.get(func)
    if handler is not None:
        try:
            return handler(*args, **kwargs)
        except (Unknown, TypeError) as error:
            if (
                isinstance(error, TypeError)
                and error.__traceback__
                and error.__traceback__.tb_next is not None
            ):
                if not _binding_error(error):
                    raise TraceError(str(error)) from error
    return generic(func, name, args, kwargs)


def _binding_error(error: TypeError) -> bool:
    trace = error.__traceback__
    return trace is not None and trace.tb_next is None or "argument" in str(error)


def _settled(value: Any) -> Any:
    value = settled(value)
    if isinstance(value, Either):
        from .indexing import payload

        if isinstance(value.first, Scalar) or isinstance(value.payload, SymbolicScalar):
            return value.as_object()
        return payload(value)
    return value


def _has_object(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_has_object(_settled(item)) for item in value)
    return isinstance(value, SymbolicObject)


def generic(
    func: Callable[..., Any],
    name: str | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    source: Callable[[Template], str] | None = None,
    shape: tuple[Size, ...] | None = None,
    aliases: bool = True,
) -> Any:
    """A NumPy call that runs uncompiled; its result types are what NumPy gives for an example."""
    under = template()
    text = source(under) if source is not None else under.call(name or function_name(func), args, kwargs)
    try:
        result = _example_result(func, args, kwargs)
    except Exception:  # the user's own error, or an example that can't be made: leave it to the run
        return SymbolicObject(current().one("python", under.operands, _object(), text=text))
    if (
        isinstance(result, np.ndarray)
        and type(result) is np.ndarray
        and _compiles(result.dtype)
        and result.ndim
    ):
        known = shape if shape is not None and len(shape) == result.ndim else None
        return unknown_array(
            tuple(under.operands), text, result.dtype, result.ndim, known, result.shape, aliases
        )
    if isinstance(result, np.generic) and _compiles(result.dtype):
        kind = numpy_scalar(result.dtype)
        return SymbolicScalar(current().one("numpy", under.operands, kind, text=text, raises=True), kind)
    return SymbolicObject(current().one("python", under.operands, _object(), text=text))


def _object() -> Any:
    from .types import OBJECT

    return OBJECT


def _compiles(dtype: np.dtype) -> bool:
    return dtype.kind in COMPILED_DTYPES and dtype.isnative


def unknown_array(
    operands: tuple[Operand, ...],
    text: str,
    dtype: np.dtype,
    ndim: int,
    shape: tuple[Size, ...] | None = None,
    hints: tuple[int, ...] | None = None,
    aliases: bool = False,
    layout: str | None = None,
) -> SymbolicArray:
    """The array that an uncompiled NumPy call gives; sizes that aren't known get symbols of their own."""
    builder = current()
    layout = layout or ("C" if ndim == 1 and not aliases else "A")
    attrs = {"text": text, "aliases": aliases, "raises": True}
    if shape is None:
        name = builder.suggest() or "t"
        label = builder.fresh(f"{name}_shape")
        symbols = [builder.fresh(f"{label}_{axis}") for axis in range(ndim)]
        shape = tuple(dims.symbol(symbol) for symbol in symbols)
        value = builder.emit("numpy", operands, (Array(dtype, shape, layout),), attrs)[0]
        for axis, symbol in enumerate(symbols):
            builder.sizes[symbol] = (value, axis)
            if hints is not None:
                builder.hints[symbol] = hints[axis]
    else:
        value = builder.emit("numpy", operands, (Array(dtype, shape, layout),), attrs)[0]
    return SymbolicArray(value, "C" if layout == "C" else None)


def _example_result(func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    with np.errstate(all="ignore"):
        return func(*(example(a) for a in args), **{key: example(v) for key, v in kwargs.items()})


def example(value: Any) -> Any:
    """A plain value of the symbol's type and of the example's sizes."""
    if isinstance(value, (list, tuple)):
        return (
            type(value)(example(item) for item in value)
            if type(value) in (list, tuple)
            else [example(i) for i in value]
        )
    if isinstance(value, slice):
        return slice(example(value.start), example(value.stop), example(value.step))
    if isinstance(value, SymbolicArray):
        shape = tuple(current().hint(size) for size in value.shape_sizes)
        if any(size is None for size in shape) or int(np.prod([s or 0 for s in shape])) > LIMIT:
            raise TraceError("no small example of this array")
        return np.ones([s or 0 for s in shape], value.dtype)
    if isinstance(value, SymbolicScalar):
        if value.dim is not None and (known := current().hint(value.dim)) is not None:
            return known
        kind = value.type
        return {"bool": bool, "int": int, "float": float, "complex": complex}.get(kind.kind, kind.dtype.type)(
            1
        )
    if isinstance(value, Symbol):
        raise TraceError("an object has no example")
    return value


def as_array(value: Any) -> SymbolicArray:
    """`value` as an array of the graph; Unknown when it is not one."""
    if isinstance(value, SymbolicArray):
        return value
    raise Unknown


def normal_axis(axis: Any, ndim: int) -> int:
    """A constant axis as a non-negative number; NumPy's AxisError text where it is out of range."""
    if isinstance(axis, Symbol) or isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
        raise Unknown
    if not -ndim <= axis < ndim:
        raise TraceError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return int(axis) % ndim
