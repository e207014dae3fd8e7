"""Each pass does what its docstring shows."""

from __future__ import annotations

import inspect
import re
import textwrap

import pytest

from jitscope.graph import passes
from jitscope.graph.ir.parser import parse_graph
from jitscope.graph.ir.printer import print_graph
from jitscope.graph.passes import PIPELINE, Options


def shown(step) -> tuple[str, str]:
    doc = inspect.getdoc(step)
    before, after = re.split(r"^After::$", doc.split("Before::")[1], flags=re.M)
    return textwrap.dedent(before).strip("\n") + "\n", textwrap.dedent(after).strip("\n") + "\n"


@pytest.mark.parametrize("step", PIPELINE, ids=lambda step: step.__name__)
def test_docstring_shows_what_the_pass_does(step):
    before, after = shown(step)
    assert print_graph(parse_graph(before)) == before
    assert print_graph(step(parse_graph(before), Options())) == after
    assert print_graph(parse_graph(after)) == after


def test_pipeline_names_are_exported():
    assert all(getattr(passes, step.__name__) is step for step in PIPELINE)
