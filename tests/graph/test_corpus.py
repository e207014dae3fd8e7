"""The graphs of all programs of the corpus: well formed after every pass, printed and read back."""

from __future__ import annotations

import copy
import inspect

import numpy as np
import pytest
from programs import PROGRAMS, Program

from jitscope.autograph.trace import trace
from jitscope.graph.analysis.verifier import verify
from jitscope.graph.ir.nodes import Graph, walk
from jitscope.graph.ir.parser import parse_graph
from jitscope.graph.ir.printer import print_graph
from jitscope.graph.passes import PIPELINE, Options, reasons


def graphs(program: Program) -> list[Graph]:
    """The graphs of the program's calls that can be traced."""
    found = []
    for call in program.calls:
        try:
            bound = inspect.signature(program.function).bind(
                *copy.deepcopy(call.args), **copy.deepcopy(call.kwargs)
            )
            bound.apply_defaults()
            found.append(trace(program.function, bound.arguments).graph)
        except Exception:  # the function itself fails, or has to run plain: no graph
            continue
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_passes_keep_graphs_well_formed(program):
    for graph in graphs(program):
        for level in ("on", "off"):
            verify(graph)
            done = graph
            for step in PIPELINE:
                done = verify(step(done, Options(level)))
            reasons(done, Options(level))


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_printing_and_reading_are_inverse(program):
    for graph in graphs(program):
        done = graph
        for step in (None, *PIPELINE):
            done = step(done, Options()) if step else done
            if any(not _readable(o) for node in walk(done.body) for o in node.operands):
                pytest.skip("a constant operand that is no number has no text to read back")
            text = print_graph(done)
            assert print_graph(parse_graph(text)) == text


def _readable(operand) -> bool:
    value = getattr(operand, "value", None)
    return value is None or isinstance(value, (str, int, float, complex, np.generic))
