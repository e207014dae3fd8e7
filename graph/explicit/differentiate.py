"""`gradients` for symbols of explicit graphs and of traces alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..gradients import gradients as traced_gradients
from .sources import constant
from .steps import GRADIENTS, Past, graph_of


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    stop_gradients: Any = None,
    unconnected_gradients: str = "none",
) -> list[Any]:
    """The derivatives of the sum of `ys` with respect to each of `xs`.

    Args:
        ys: a symbol of floating or complex dtype, or several.
        xs: a symbol or a variable, or several.
        grad_ys: what takes the place of 1 as derivative by each of `ys`.
        name: a name scope for the operations made; ``jit_scope(separate_compiled_gradients=True)`` puts it
            into the names of the scopes of gradients.
        stop_gradients: symbols that are taken to be constant.
        unconnected_gradients: what stands for an x on which no y depends: ``"none"`` (None) or ``"zero"``.

    Returns:
        A list with a symbol of its shape and dtype for each of `xs`.

    Example::

        g, = js.gradients(loss, [w])
    """
    sources = list(xs) if isinstance(xs, (list, tuple)) else [xs]
    graph = graph_of(ys, sources, grad_ys, stop_gradients)
    if graph is None:
        return traced_gradients(ys, xs, grad_ys, name, stop_gradients, unconnected_gradients)
    call = _Gradients(name, unconnected_gradients)

    def unknown(make: Callable[[], Any]) -> list[Any]:
        return [make() for _ in sources]

    made: list[Any] = graph.record(GRADIENTS, call, (ys, sources, grad_ys, stop_gradients), unknown=unknown)
    with graph.as_default():  # the zero of a number is a constant
        return [constant(found) if isinstance(found, np.generic) else found for found in made]


@dataclass(frozen=True)
class _Gradients:
    """The recorded call. A variable that was assigned in the run comes as all the values that it had."""

    name: str
    unconnected: str

    def __call__(self, ys: Any, xs: list[Any], grad_ys: Any, stop_gradients: Any) -> list[Any]:
        past = [x.values if isinstance(x, Past) else (x,) for x in xs]
        ys, stops = _latest(ys), _latest(stop_gradients)
        flat = [value for values in past for value in values]
        several = len(flat) > len(past)
        unconnected = "none" if several else self.unconnected
        found = iter(traced_gradients(ys, flat, _latest(grad_ys), self.name, stops, unconnected))
        sums = [_sum([next(found) for _ in values]) for values in past]
        if several and self.unconnected == "zero":
            sums = [np.zeros_like(p[-1]) if s is None else s for s, p in zip(sums, past, strict=True)]
        return sums


def _latest(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_latest(item) for item in value]
    return value.values[-1] if isinstance(value, Past) else value


def _sum(parts: list[Any]) -> Any:
    """The sum of what is there; None if nothing is."""
    total = None
    for part in parts:
        total = part if total is None else total if part is None else total + part
    return total
