"""Each pass does what its docstring shows."""

from __future__ import annotations

import inspect
import re
import textwrap

import pytest

from jitscope.graph import passes
from jitscope.graph.analysis.verifier import verify
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


RETURNS_WHILE_IT_GROWS = """\
graph f(%x: int, %k: i64[16]) sizes l=k.5[0], m=k.4[0], n=k.2[0], o=k.1[0] {
  %a: int, %k.1: i64[o] = call() {
    %c: int, %k.5: i64[l] = for(0, %x, 1, 0, %k) (%i: int, %c.1: int, %k.2: i64[n]) {
      %t0: bool = py.gt(%i, 7) {loop=('int', 'int')}
      if(%t0) {
        return %c.1, %k.2
      } {
        yield
      }
      %k.4: i64[m] = grow(%k.2, %c.1)
      store(%k.4, %i, %c.1) {check=(False,)}
      %c.2: int = py.add(%c.1, 1) {loop=('int', 'int'), safe=True}
      yield %c.2, %k.4
    }
    return %c, %k.5
  }
  return %a, %k.1 {text='({0}, {1})'}
}
"""


def test_an_array_that_is_returned_while_it_grows_is_the_one_of_that_iteration():
    """A strip has another array than the loop around it, where it may have grown."""
    graph = parse_graph(RETURNS_WHILE_IT_GROWS)
    assert print_graph(passes.strip_mine(graph, Options())) == print_graph(graph)


ONE_SIZE_TWICE = """\
graph f(%x: f64[n], %k: int) sizes n=x[0] {
  %a: int = py.max(0, %k) {loop=('int', 'int')}
  %b: int = py.max(0, %k) {loop=('int', 'int')}
  %v: f64[b] = view(%x, %b) {axes=(span(0, b, 1),), check=(), text='{0}[:{1}]'}
  %w: f64[b] = for(0, 2, 1, %v) {names=('w',), orelse=False} (%i: int, %w.1: f64[b]) {
    %t: f64[b] = add(%w.1, 2.0) {loop=('float64', 'float64')}
    assign(%w.1, %t)
    yield %w.1
  }
  return {text='None'}
}
"""


@pytest.mark.parametrize("step", PIPELINE, ids=lambda step: step.__name__)
def test_state_of_loops_whose_size_gets_another_name_is_used_inside(step):
    """A rewritten parameter is another value; the nodes of its block kept the old one."""
    graph = verify(parse_graph(ONE_SIZE_TWICE))
    for each in (passes.merge_common, step):
        graph = verify(each(graph, Options()))
    assert "assign(%w.1, %t)" in print_graph(graph)


def test_pipeline_names_are_exported():
    assert all(getattr(passes, step.__name__) is step for step in PIPELINE)
