"""`explain(bisect=True)` names the pass or the kernel that makes an answer wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler

import jitscope as js
from jitscope.graph import passes
from jitscope.graph.ir.nodes import Block, Graph, Node
from jitscope.graph.ir.rewrite import with_body
from jitscope.graph.ops import OPS

A = np.linspace(0.5, 4.5, 5)


@js.function
def waves(a, n):
    total = 0.0
    for i in range(n):
        a[i] = np.sin(a[i]) * n
        total += a[i]
    shifted = a * 2.0 + 1.0
    return total + (shifted * shifted).sum()


def steps(report: str) -> list[tuple[str, str]]:
    """Each step of a report, and whether it is right."""
    return re.findall(r"^  ([\w, ]+): (right|wrong)", report, flags=re.MULTILINE)


@needs_compiler
def test_nothing_is_wrong() -> None:
    report = waves.explain(A, 5, bisect=True)
    found = steps(report)
    assert [name for name, _ in found[: len(passes.PIPELINE) + 1]] == [
        "trace",
        *(step.__name__ for step in passes.PIPELINE),
    ]
    assert len(found) > len(passes.PIPELINE) + 1
    assert {verdict for _, verdict in found} == {"right"}
    assert "every step is right" in report
    np.testing.assert_array_equal(A, np.linspace(0.5, 4.5, 5))


@needs_compiler
def test_a_pass_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(node: Node) -> Node:
        regions = tuple(Block(one.params, tuple(map(turned, one.nodes))) for one in node.regions)
        return replace(node, op="subtract" if node.op == "add" else node.op, regions=regions)

    def hoist(graph: Graph, options: passes.Options) -> Graph:
        body = Block(graph.body.params, tuple(map(turned, graph.body.nodes)))
        return with_body(passes.hoist(graph, options), body)

    pipeline = tuple(hoist if step is passes.hoist else step for step in passes.PIPELINE)
    monkeypatch.setattr(passes, "PIPELINE", pipeline)
    report = waves.explain(A, 5, bisect=True)
    assert steps(report)[-1] == ("hoist", "wrong")
    assert "the result is " in report
    assert {verdict for _, verdict in steps(report)[:-1]} == {"right"}


@needs_compiler
def test_a_kernel_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    right = OPS["multiply"]
    monkeypatch.setitem(OPS, "multiply", replace(right, scalar={"iufc": "{0} + {1}"}))
    report = waves.explain(A, 5, bisect=True)
    assert re.match(r"cluster_0, lines \d+ to \d+", steps(report)[-1][0])
    assert steps(report)[-1][1] == "wrong"


@needs_compiler
def test_written_arguments_and_exceptions_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    @js.function
    def halved(a: Any, k: int) -> float:
        for i in range(k):
            a[i] /= 2.0
        return 0.0

    assert "every step is right" in halved.explain(A, 9, bisect=True)  # IndexError in all of them
    monkeypatch.setitem(OPS, "divide", replace(OPS["divide"], scalar={"f": "{0} * {1}"}))
    monkeypatch.setitem(OPS, "py.truediv", replace(OPS["py.truediv"], scalar={"f": "{0} * {1}"}))
    monkeypatch.setattr(js.config, "check", False)  # which finds it before anything runs
    assert "argument 1 is " in halved.explain(A, 5, bisect=True)
    monkeypatch.setattr(js.config, "check", True)
    assert "after a few iterations a is " in halved.explain(A, 5, bisect=True)


def test_a_parameter_of_that_name_is_the_users() -> None:
    @js.function
    def cut(a, bisect):
        return a[:bisect].sum()

    said = cut.explain(A, bisect=2)
    assert "cut(a: f64[:], bisect: int)" in said
    assert "trace: " not in said and "module: " in said
