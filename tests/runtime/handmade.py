"""A compiler for tests of the runtime alone: traces and modules written by hand, one for each function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from jitscope.autograph.traced import Helper, Input, Static, Traced, Unstageable
from jitscope.codegen.module import Module
from jitscope.graph.ir.nodes import Block, Graph, Guard, Node, Value
from jitscope.graph.ir.types import Array
from jitscope.runtime import compile as pipeline
from jitscope.runtime.function import Function
from jitscope.runtime.paths import follow
from jitscope.runtime.signature import type_of

FOUR = '''"""Four arrays."""

import numpy as np
from numba import njit


@njit("void(f8[::1], f8[::1], f8[::1], f8[::1], f8[::1])", error_model="numpy", nogil=True, cache=True)
def cluster_0(a, b, c, d, out):
    for i in range(out.shape[0]):
        out[i] = a[i] + b[i] + c[i] + d[i]


def total(a, b, c, d):
    out = np.empty(a.shape[0])
    cluster_0(a, b, c, d, out)
    return out
'''


@dataclass
class Plan:
    """What the handmade compiler makes of a function: `text` defines `name`; the rest is as in `Traced`."""

    text: str
    name: str
    paths: tuple[Any, ...] = ()
    statics: tuple[tuple[Any, str], ...] = ()
    helpers: tuple[Any, ...] = ()
    guards: tuple[Guard, ...] = ()
    clusters: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    opaque: bool = False
    refuse: Exception | None = None
    on_trace: Callable[[], None] = field(default=lambda: None)
    traces: int = 0


class Handmade:
    """Stands in for conversion, tracing, passes and code generation."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.plans: dict[str, Plan] = {}
        monkeypatch.setattr(pipeline, "stage", self.stage)
        # The modules made by hand have no clusters, and count as compiled all the same.
        monkeypatch.setattr(Function, "runner", lambda function, found: found.entry or function.plain)
        monkeypatch.setattr(pipeline, "generate_module", self.generate)

    def plan(self, function: str, text: str, **rest: Any) -> Plan:
        """Say what becomes of the function of this name."""
        plan = Plan(text, rest.pop("name", function), **rest)
        self.plans[function] = plan
        return plan

    def stage(self, request: pipeline.Request, _watch: Any = None) -> tuple[Graph, Traced]:
        """As `compile.stage`."""
        plan = self.plans[request.function.__name__]
        plan.traces += 1
        plan.on_trace()
        if plan.refuse is not None:
            raise_as_the_pipeline(plan.refuse)
        function, arguments = request.function, request.arguments
        paths = plan.paths or tuple((("arg", name),) for name in request.parameters)
        inputs, sizes = [], {}
        for path in paths:
            value = follow(path, function, arguments)
            type_, name = type_of(value), str(path[-1][1])
            inputs.append(Input(path, name, type_))
            if isinstance(type_, Array):
                sizes |= {f"{name}_{axis}": (Value(name, type_), axis) for axis in range(type_.ndim)}
        nodes = [Node("python", attrs={"text": "print()"})] if plan.opaque else []
        params = tuple(Value(item.name, item.type) for item in inputs)
        graph = Graph(
            request.function.__name__, params, Block((), (*nodes, Node("return"))), sizes, plan.guards
        )
        statics = tuple(Static(path, follow(path, function, arguments), how) for path, how in plan.statics)
        helpers = tuple(Helper(path, follow(path, function, arguments)) for path in plan.helpers)
        return graph, Traced(graph, tuple(inputs), statics, helpers, writes=plan.writes)

    def generate(self, request: pipeline.Request, _graph: Graph, _key: str) -> Module:
        """As `compile.generate_module`."""
        plan = self.plans[request.function.__name__]
        return Module(plan.text, plan.name, plan.clusters)


def raise_as_the_pipeline(error: Exception) -> None:
    """What `compile.stage` makes of an exception of a trace."""
    if isinstance(error, Unstageable):
        raise pipeline.StaysPlain("trace", error.reason) from error
    raise pipeline.StaysPlain("trace", f"tracing it raised {error}", cause=error) from error
