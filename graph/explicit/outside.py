"""Values that come from outside of a graph, as symbols of a trace: placeholders, constants, variables."""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import dims
from ..ir.nodes import Value
from ..ir.types import Array, numpy_scalar
from ..symbolic.arrays import SymbolicArray, symbol_for
from ..symbolic.symbols import SymbolicScalar
from .steps import InputStep

if TYPE_CHECKING:
    from .graph import Graph

GUESSED_RANK = 2
"""So many axes a placeholder without a shape is taken to have while the graph is built."""

_TAKEN = ("np", "math", "operator", "njit", "check_bound")


def parameter(graph: Graph, name: str, given: InputStep) -> Any:
    """The symbol of a trace for a value that comes from outside."""
    builder, dtype = graph.builder, np.dtype(given.dtype)
    label = builder.fresh(plain_name(name))
    builder.params.add(label)
    if given.shape == ():
        kind = numpy_scalar(dtype)
        return SymbolicScalar(Value(label, kind), kind)
    sizes = (None,) * GUESSED_RANK if given.shape is None else given.shape
    symbols = {axis: builder.fresh(f"{label}_n{axis}") for axis, size in enumerate(sizes) if size is None}
    shape = tuple(dims.symbol(symbols[k]) if size is None else size for k, size in enumerate(sizes))
    value = Value(label, Array(dtype, shape))
    for axis, symbol in symbols.items():
        builder.sizes[symbol] = (value, axis)
    return SymbolicArray(value)


def plain_name(name: str) -> str:
    """A name of an operation as the name of a variable."""
    label = re.sub(r"\W", "_", name)
    if not label.isidentifier():
        label = f"x_{label}"
    return f"{label}_" if keyword.iskeyword(label) or label in _TAKEN else label


def symbol_of(value: Value) -> Any:
    """The symbol of the trace for a result inside of a step."""
    layout = value.type.layout if isinstance(value.type, Array) else "C"
    return symbol_for(value, order=layout if layout != "A" else None)
