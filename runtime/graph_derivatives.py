"""Derived functions called with symbols of an explicit graph: these become operations, then gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..autograph.transforms import CHECKPOINT, CUSTOM_GRADIENT, GRAD, VALUE_AND_GRAD, Transform, Transforms
from ..graph.explicit.differentiate import gradients
from ..graph.explicit.sources import constant
from ..graph.explicit.steps import graph_of, mapped
from ..graph.explicit.symbol import Recordable
from .errors import JitscopeError


def call_in_graph(transforms: Transforms, plain: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What the transforms make of a call of `plain` with symbols.

    Raises:
        JitscopeError: a transform that needs more than a graph of single operations.
    """
    if not transforms:
        return plain(*args)
    last, others = transforms[-1], transforms[:-1]
    if last.kind == CHECKPOINT:
        return call_in_graph(others, plain, args)
    if last.kind == CUSTOM_GRADIENT:
        return with_custom_gradient(lambda *given: call_in_graph(others, plain, given), args, {})
    if last.kind in (GRAD, VALUE_AND_GRAD):
        return _value_and_grad(last, lambda *given: call_in_graph(others, plain, given), args)
    raise JitscopeError(
        f"{last.kind} can't be called with symbols of a graph",
        attempt="js.gradients on the symbols, or a function decorated with js.function, which is traced",
    )


def with_custom_gradient(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a function with a custom gradient, in a graph as one step of it."""
    from ..autograph.operators.derivatives import applied_plainly

    def step(*args: Any, **kwargs: Any) -> Any:
        return applied_plainly(Transform(CUSTOM_GRADIENT), f, args, kwargs)

    graph = graph_of(args, kwargs)
    return step(*args, **kwargs) if graph is None else graph.record("custom_gradient", step, args, kwargs)


def _value_and_grad(transform: Transform, f: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    places, given, sources = transform.numbers, list(args), _Sources()
    for place in places:
        given[place] = mapped(args[place], sources.own)
    result = f(*given)
    value, *aux = result if transform.has_aux else (result,)
    found = iter(gradients(value, sources.symbols, unconnected_gradients="zero"))

    def answer(leaf: Any) -> Any:
        return next(found) if _number(leaf) else leaf

    parts = tuple(mapped(args[place], answer) for place in places)
    grads = parts[0] if isinstance(transform.argnums, int) else parts
    if transform.kind == GRAD:
        return (grads, *aux) if transform.has_aux else grads
    return ((value, *aux) if transform.has_aux else value), grads


class _Sources:
    """Symbols of their own for what is differentiated for."""

    def __init__(self) -> None:
        self.symbols: list[Any] = []

    def own(self, leaf: Any) -> Any:
        if not _number(leaf):
            return leaf
        from ..autograph.operators.own_values import alias

        given = leaf if isinstance(leaf, Recordable) else constant(leaf)
        symbol = given.graph.record("Identity", alias, (given,))
        if np.dtype(symbol.dtype).kind not in "fc":
            raise TypeError(f"gradients are taken for floating-point numbers only, not for {symbol.dtype}")
        self.symbols.append(symbol)
        return symbol


def _number(leaf: Any) -> bool:
    return isinstance(leaf, (Recordable, np.ndarray, np.generic, int, float, complex))
