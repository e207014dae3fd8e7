"""A cluster that can't be lowered is left to the driver; the others are compiled."""

from __future__ import annotations

import numpy as np
import pytest
from modules import header

from jitscope.autograph.trace import trace
from jitscope.codegen import generate as generating
from jitscope.graph.ir.nodes import Graph
from jitscope.graph.passes import run_passes
from jitscope.runtime.decorator import function


def two_parts(x, seen):
    """Two clusters with a call between them."""
    n = 0
    for i in range(x.shape[0]):
        if x[i] > 0.0:
            n = n + 1
    seen.add(n)
    total = np.zeros(n)
    for i in range(n):
        total[i] = x[i] * 2.0
    return total, n


def graph_of_two_parts() -> Graph:
    traced = trace(two_parts, {"x": np.arange(-2.0, 5.0), "seen": set()})
    return run_passes(traced.graph)


@pytest.mark.parametrize("broken", [("cluster_0",), ("cluster_1",), ("cluster_0", "cluster_1")])
def test_what_fails_runs_as_it_was(broken: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    lower, done = generating.lower_cluster, set()

    def failing(graph, cluster, name, aliases, target, check):
        if name in broken and name not in done:
            done.add(name)
            raise NotImplementedError("for a test")
        return lower(graph, cluster, name, aliases, target, check)

    monkeypatch.setattr(generating, "lower_cluster", failing)
    module = generating.generate(graph_of_two_parts(), header("two_parts"))
    assert len(module.clusters) == 2 - len(broken)
    assert [reason for _, reason in module.failed] == [
        "code generation failed: NotImplementedError: for a test"
    ] * len(broken)
    done.clear()
    seen: set[int] = set()
    total, n = function(two_parts, cache=False)(np.arange(-2.0, 5.0), seen)
    assert (total.tolist(), n, seen) == ([-4.0, -2.0, 0.0, 2.0], 4, {4})
