"""`gradients`: the adjoints of xs for the sum of ys."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arith import type_of
from ..build import current
from ..ir import Literal, Node, Operand, Value
from ..naming import name_scope
from ..ops import OPS
from ..ops.define import NotDifferentiable
from ..scopes import gradient_scope
from ..symbols import Symbol, symbol_for
from ..types import Array, Scalar
from .contributions import added, fitted_to
from .errors import NoGradient, NotFloating
from .pullback import Lazy, Pullback


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    stop_gradients: Any = None,
    unconnected_gradients: str = "none",
) -> list[Any]:
    """The derivatives of the sum of `ys` with respect to each of `xs`."""
    targets, sources = _listed(ys), _listed(xs)
    seeds = _listed(grad_ys) if grad_ys is not None else [None] * len(targets)
    stops = {s.operand() for s in _listed(stop_gradients or [])}
    for symbol in (*targets, *sources):
        kind = type_of(symbol)
        if not isinstance(kind, Scalar | Array) or kind.dtype.kind not in "fc":
            raise NotFloating(f"gradients need numbers of a floating dtype, not {kind}")
    with name_scope(name) as scope:
        sweep = _Sweep(scope.strip("/").replace("/", "_"), stops)
        sweep.run(targets, seeds, sources)
        return [sweep.answer(x, unconnected_gradients == "zero") for x in sources]


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


class _Sweep:
    def __init__(self, name: str, stops: set[Operand]) -> None:
        self.name, self.stops = name, stops
        self.adjoints: dict[Value, Any] = {}

    def run(self, targets: list[Any], seeds: list[Any], sources: list[Any]) -> None:
        nodes = [node for block in current().blocks for node in block]
        varied = {x.operand() for x in sources}
        active = []
        for node in nodes:
            if any(o in varied for o in node.operands) and not any(r in self.stops for r in node.results):
                varied.update(r for r in node.results if getattr(r.type, "dtype", np.dtype(int)).kind in "fc")
                active.append(node)
        for target, seed in zip(targets, seeds, strict=True):
            self.add(target.operand(), 1.0 if seed is None else seed)
        for node in reversed(active):
            if any(result in self.adjoints for result in node.results):
                with gradient_scope(node, self.name):
                    self.reverse(node, varied)

    def reverse(self, node: Node, varied: set[Any]) -> None:
        rule = OPS[node.op].gradient
        if isinstance(rule, NotDifferentiable):
            return
        if rule is None:
            raise NoGradient(
                node, "it has no gradient rule", "put stop_gradient or custom_gradient around it"
            )
        pullback = Pullback(
            node,
            Lazy(len(node.operands), lambda k: symbol_for(node.operands[k])),
            Lazy(len(node.results), lambda k: symbol_for(node.results[k])),
            [self.adjoints.get(result) for result in node.results],
            tuple(o in varied for o in node.operands),
        )
        for operand, contribution in zip(node.operands, rule(pullback), strict=False):
            if contribution is not None and operand in varied:
                self.add(operand, contribution)

    def add(self, operand: Operand, contribution: Any) -> None:
        if isinstance(operand, Literal):
            return
        fitted = fitted_to(operand.type, contribution)
        known = self.adjoints.get(operand)
        self.adjoints[operand] = fitted if known is None else added(known, fitted)

    def answer(self, x: Symbol, zeros: bool) -> Any:
        found = self.adjoints.get(x.operand())  # type: ignore[arg-type]
        if found is None and zeros:
            return fitted_to(x.type, 0.0)
        return found
