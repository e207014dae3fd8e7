"""Passes keep what a function does: the graphs of the corpus run uncompiled after every pass."""

from __future__ import annotations

import copy
import inspect

import pytest
from programs import PROGRAMS, Program
from same import difference, observe

from jitscope.autograph.trace import trace
from jitscope.codegen.generate import Header, generate
from jitscope.graph.ir.nodes import Graph
from jitscope.graph.passes import PIPELINE, Options, cluster

STEPS = [step for step in PIPELINE if step is not cluster]


def runnable(graph: Graph):
    """The driver of a graph without clusters, as a function."""
    module = generate(graph, Header("driver", "f.py", 1, "", "", "", "", ""))
    scope: dict = {}
    exec(compile(module.text, "module", "exec"), scope)
    return scope[module.driver]


def traced(program: Program, args, kwargs) -> tuple[Graph, list[str]] | None:
    """The graph of one call, if all that it reads are arguments; with their names in its order."""
    try:
        bound = inspect.signature(program.function).bind(*copy.deepcopy(args), **copy.deepcopy(kwargs))
        bound.apply_defaults()
        found = trace(program.function, bound.arguments)
    except Exception:  # the function itself fails, or has to run plain
        return None
    if any(len(item.path) != 1 or item.path[0][0] != "arg" for item in found.inputs):
        return None
    return found.graph, [item.path[0][1] for item in found.inputs]


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_every_pass_keeps_the_answer(program):
    for call in program.calls:
        found = traced(program, call.args, call.kwargs)
        if found is None:
            continue
        graph, names = found

        def run(*args, **kwargs):
            bound = inspect.signature(program.function).bind(*args, **kwargs)
            bound.apply_defaults()
            return driver(*(bound.arguments[name] for name in names))

        def outcome():
            if program.reset:
                program.reset()
            return difference(expected, observe(run, (call.args, call.kwargs)), program.tolerance)

        expected = observe(program.function, (call.args, call.kwargs))
        driver = runnable(graph)
        before = outcome()
        if outcome() != before:
            pytest.skip("each call of it gives another answer")
        for step in STEPS:
            graph = step(graph, Options())
            driver = runnable(graph)
            assert outcome() == before, f"{step.__name__} changed what {program} does"


def test_the_corpus_is_not_empty():
    assert len(PROGRAMS) > 100
