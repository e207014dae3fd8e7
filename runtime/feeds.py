"""Feeds: what may be fed for a symbol, and what is wrong with what may not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.explicit.graph import Graph
from ..graph.explicit.operation import Operation
from ..graph.explicit.replay import FedValue
from ..graph.explicit.shape import shape_text
from ..graph.explicit.symbol import Dimension, GraphSymbol
from ..graph.explicit.values import cast_to
from ..graph.explicit.variable import Variable
from ..graph.ir.types import Scalar
from .errors import InvalidArgumentError
from .signature import WRITEABLE, layout_of


@dataclass(frozen=True)
class Feeds:
    """The symbols that a run is fed, in the order of its arguments."""

    symbols: tuple[GraphSymbol, ...]

    @classmethod
    def of(cls, keys: Sequence[Any], graph: Graph) -> Feeds:
        """The feeds of a run.

        Raises:
            TypeError: a key is nothing that can be fed.
            ValueError: it belongs to another graph, or is there twice.
        """
        found = tuple(_symbol(key, graph) for key in keys)
        if len({id(symbol) for symbol in found}) < len(found):
            raise ValueError("a symbol is fed twice")
        return cls(found)

    def checked(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The values as plans take them; the same objects where nothing is to be done.

        Raises:
            ValueError: a shape doesn't fit.
            TypeError: a dtype doesn't.
        """
        return tuple(_checked(symbol, value) for symbol, value in zip(self.symbols, values, strict=True))

    def given(self, values: Sequence[Any]) -> dict[GraphSymbol, FedValue]:
        """What a plan is made for."""
        return {
            symbol: given_of(value, symbol.declared)
            for symbol, value in zip(self.symbols, values, strict=True)
        }


def _symbol(key: Any, graph: Graph) -> GraphSymbol:
    try:
        found = graph.as_graph_element(key)
    except (TypeError, KeyError, ValueError) as error:
        kind = ValueError if isinstance(error, ValueError) else TypeError
        raise kind(f"Cannot interpret feed_dict key as a symbol of the graph: {error}") from None
    if isinstance(found, Variable):
        return found.op.outputs[0]
    if isinstance(found, Operation):
        raise TypeError(f"Cannot interpret feed_dict key as a symbol: {found!r} is an operation")
    if isinstance(found, Dimension):
        raise TypeError(f"{found.name} can't be fed: it is the size of an array that is")
    if isinstance(found.inner.type, Scalar) and found.inner.type.is_python:
        raise TypeError(f"{found.name!r} can't be fed: it is a number that comes from the sizes of arrays")
    return found


def _checked(symbol: GraphSymbol, value: Any) -> Any:
    if hasattr(value, "graph") and hasattr(value, "op"):
        raise TypeError("The value of a feed cannot be a symbol: it is a number, a list or an array.")
    if symbol.dtype is not None:
        found = cast_to(value, symbol.dtype, f"the value fed for {symbol.name!r}")
    else:
        array = np.asarray(value)
        found = cast_to(value, array.dtype, f"the value fed for {symbol.name!r}")
    declared = symbol.declared
    if declared is not None and not _fits(np.shape(found), declared):
        raise ValueError(
            f"Cannot feed value of shape {np.shape(found)} for {symbol.name!r}, which has shape"
            f" {shape_text(declared)}"
        )
    return found


def _fits(shape: tuple[int, ...], declared: tuple[int | None, ...]) -> bool:
    return len(shape) == len(declared) and all(
        size in (None, known) for known, size in zip(shape, declared, strict=True)
    )


def given_of(value: Any, declared: tuple[int | None, ...] | None) -> FedValue:
    """What a plan knows of a value."""
    if not isinstance(value, np.ndarray):
        return FedValue(value.dtype, (), ())
    flags = value.flags.num
    return FedValue(value.dtype, value.shape, declared, layout_of(flags), bool(flags & WRITEABLE))


def missing_feed(symbol: GraphSymbol) -> InvalidArgumentError:
    """The error for a placeholder that has no value."""
    declared, dtype = symbol.declared, symbol.dtype
    assert dtype is not None
    sizes = ",".join("?" if size is None else str(size) for size in declared or ())
    shape = "" if declared is None else f" and shape [{sizes}]"
    loc = symbol.step.loc
    where = f" (line {loc.line}: {loc.text.strip()})" if loc.line else ""
    return InvalidArgumentError(
        f"You must feed a value for placeholder {symbol.op.name!r} with dtype {dtype.name}{shape}{where}"
    )
