"""Arrays that NumPy makes when the program runs: their sizes are read from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import Operand, Value
from ..ir.overlap import has_elements_of_its_own
from ..ir.types import Array, Scalar, numpy_scalar
from ..trace.build import current
from ..trace.called import Call
from .arrays import SymbolicArray
from .symbols import SymbolicScalar


def unknown_array(
    operands: tuple[Operand, ...],
    text: str,
    dtype: np.dtype,
    ndim: int,
    shape: tuple[Size, ...] | None = None,
    hints: tuple[int, ...] | None = None,
    aliases: bool = False,
    layout: str | None = None,
    writeable: bool = True,
    called: Call | None = None,
) -> SymbolicArray:
    """The array that an uncompiled NumPy call gives; sizes that aren't known get symbols of their own."""
    builder = current()
    layout = layout or ("C" if ndim == 1 and not aliases else "A")
    attrs = {"text": text, "aliases": aliases, "raises": True, **known_call(called)}
    symbols = [] if shape is not None else _new_symbols(ndim)
    sizes = tuple(dims.symbol(symbol) for symbol in symbols) if shape is None else shape
    value = builder.emit("numpy", operands, (Array(dtype, sizes, layout, writeable),), attrs)[0]
    _measure(value, symbols, hints)
    return SymbolicArray(value, layout if layout in ("C", "F") else None)


def several(
    text: str, operands: list[Operand], dtypes: list[np.dtype], hint: int | None, called: Call | None = None
) -> tuple[SymbolicArray, ...]:
    """A call that gives a tuple of 1-d arrays of one length, each an array of its own."""
    (symbol,) = _new_symbols(1)
    types = [Array(dtype, (dims.symbol(symbol),), "A") for dtype in dtypes]
    attrs = {"text": text, "aliases": False, "raises": True, **known_call(called)}
    values = current().emit("numpy", operands, types, attrs)
    _measure(values[0], [symbol], None if hint is None else (hint,))
    return tuple(SymbolicArray(value) for value in values)


def parts(
    operands: tuple[Operand, ...],
    text: str,
    example: Sequence[np.ndarray | np.generic],
    shapes: tuple[tuple[int, ...], ...],
    called: Call | None = None,
) -> tuple[SymbolicArray | SymbolicScalar, ...]:
    """A call that gives a tuple of arrays and numbers with the types of those in `example`."""
    symbols = [_new_symbols(item.ndim) for item in example]
    types = [
        Array(item.dtype, tuple(map(dims.symbol, names)), "A", has_elements_of_its_own(item))
        if names
        else numpy_scalar(item.dtype)
        for item, names in zip(example, symbols, strict=True)
    ]
    attrs = {"text": text, "aliases": True, "raises": True, **known_call(called)}
    values = current().emit("numpy", operands, types, attrs)
    for value, names, shape in zip(values, symbols, shapes, strict=True):
        _measure(value, names, shape)
    return tuple(
        SymbolicScalar(value, value.type) if isinstance(value.type, Scalar) else SymbolicArray(value)
        for value in values
    )


def measured(
    op: str,
    operands: Sequence[Operand],
    text: str,
    example: np.ndarray,
    hints: tuple[int, ...] | None,
    shape: tuple[Size, ...] | None,
    attrs: Mapping[str, object] | None = None,
) -> SymbolicArray:
    """The new array like `example` that a call gives; sizes that aren't known are read from it."""
    symbols = [] if shape is not None else _new_symbols(example.ndim)
    sizes = tuple(dims.symbol(symbol) for symbol in symbols) if shape is None else shape
    value = current().emit(
        op, operands, (Array(example.dtype, sizes, "C"),), {"text": text, **(attrs or {})}
    )[0]
    _measure(value, symbols, hints)
    return SymbolicArray(value, "C")


def known_call(called: Call | None) -> dict[str, Any]:
    """The attribute of a node that stands for a call which gradients know."""
    return {} if called is None else {"_call": called}


def _new_symbols(ndim: int) -> list[str]:
    builder = current()
    label = builder.fresh(f"{builder.suggest() or 't'}_shape")
    return [builder.fresh(f"{label}_{axis}") for axis in range(ndim)]


def _measure(value: Value, symbols: list[str], hints: tuple[int, ...] | None) -> None:
    """The sizes `symbols` are read from the array `value`."""
    for axis, symbol in enumerate(symbols):
        current().sizes[symbol] = (value, axis)
        if hints is not None:
            current().hints[symbol] = hints[axis]
