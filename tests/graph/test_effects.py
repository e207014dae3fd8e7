"""Which arrays may share memory, and which nodes must keep their order."""

from __future__ import annotations

import pytest

from jitscope.graph.analysis.effects import Aliases, conflict, effects_of, leaves, written_params
from jitscope.graph.ir.nodes import walk
from jitscope.graph.ir.parser import parse_graph


def looked_up(text):
    graph = parse_graph(text)
    values = {p.name: p for p in graph.params}
    nodes = {}
    for node in walk(graph.body):
        for region in node.regions:
            values.update((p.name, p) for p in region.params)
        for result in node.results:
            values[result.name] = result
            nodes[result.name] = node
        nodes.setdefault(node.op, node)
    return graph, Aliases(graph), values, nodes


SWAP = """
graph f(%u: f64[n], %v: f64[n], %k: int) sizes n=u[0] {
  %a: f64[n], %b: f64[n] = for(0, %k, 1, %u, %v) {names=()} (%i: int, %u.1: f64[n], %v.1: f64[n]) {
    assign(%v.1, %u.1)
    yield %v.1, %u.1
  }
  %c: f64[n] = copy(%a)
  %d: f64[max(n - 1, 0)] = view(%b) {axes=(span(0, 1, 1),)}
  return %c, %d {text='({0}, {1})'}
}
"""


def test_swapped_buffers_stay_apart():
    _, aliases, v, _ = looked_up(SWAP)
    assert not aliases.may_overlap(v["u.1"], v["v.1"])
    assert not aliases.may_overlap(v["a"], v["b"])
    assert aliases.may_overlap(v["a"], v["u"])
    assert aliases.may_overlap(v["a"], v["v"])


def test_views_share_memory_and_copies_do_not():
    _, aliases, v, _ = looked_up(SWAP)
    assert aliases.may_overlap(v["d"], v["b"])
    assert not aliases.may_overlap(v["c"], v["a"])
    assert aliases.is_local(v["c"])
    assert not aliases.is_local(v["d"])


def test_both_arguments_of_a_swap_are_written():
    graph, _, v, _ = looked_up(SWAP)
    assert written_params(graph) == (v["u"], v["v"])


def test_duplicated_state_overlaps():
    text = SWAP.replace("yield %v.1, %u.1", "yield %v.1, %v.1")
    _, aliases, v, _ = looked_up(text)
    assert aliases.may_overlap(v["u.1"], v["v.1"])


def test_memory_of_this_iteration_is_not_that_of_the_last():
    _, aliases, v, _ = looked_up("""
graph f(%u: f64[n], %k: int) sizes n=u[0] {
  %r: f64[n] = for(0, %k, 1, %u) {names=('i', 'u')} (%i: int, %u.1: f64[n]) {
    %new: f64[n] = copy(%u.1)
    assign(%new, %u.1)
    yield %new
  }
  return %r {text='{0}'}
}
""")
    assert not aliases.may_overlap(v["new"], v["u.1"])
    assert aliases.may_overlap(v["r"], v["u"])


def test_what_opaque_code_saw_is_not_local():
    _, aliases, v, nodes = looked_up("""
graph f(%u: f64[n]) sizes n=u[0] {
  %a: f64[n] = copy(%u)
  %b: f64[n] = copy(%u)
  python(%a) {text='keep({0})'}
  %c: f64[n] = numpy(%b) {text='np.roll({0}, 1)', aliases=False, raises=False}
  return %c {text='{0}'}
}
""")
    assert not aliases.is_local(v["a"])
    assert aliases.is_local(v["b"])
    assert conflict(nodes["python"], nodes["a"], aliases)
    assert not conflict(nodes["python"], nodes["c"], aliases)


def test_branches_are_compared_side_by_side():
    _, aliases, v, _ = looked_up("""
graph f(%u: f64[n], %v: f64[n], %c: bool) sizes n=u[0] {
  %a: f64[n], %b: f64[n] = if(%c) {names=('a', 'b')} {
    yield %u, %v
  } {
    yield %v, %u
  }
  return %a, %b {text='({0}, {1})'}
}
""")
    assert not aliases.may_overlap(v["a"], v["b"])
    assert aliases.may_overlap(v["a"], v["u"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%t: float = py.truediv(%x, %x) {loop=('float', 'float')}", True),
        ("%t: float = py.truediv(%x, 2.0) {loop=('float', 'float'), safe=True}", False),
        ("%t: int = py.add(%k, 1) {loop=('int', 'int')}", True),
        ("%t: float = py.add(%x, 1.0) {loop=('float', 'float')}", False),
        ("%t: np.float64 = load(%u, %k) {check=(True,)}", True),
        ("%t: np.float64 = load(%u, %k) {check=(False,)}", False),
        ("%t: np.float64 = max(%u) {axis=None, keepdims=False, loop=('float64',)}", True),
        ("%t: np.float64 = sum(%u) {axis=None, keepdims=False, loop=('float64',)}", False),
    ],
)
def test_what_may_raise(text, expected):
    graph = parse_graph(
        f"graph f(%u: f64[n], %x: float, %k: int) sizes n=u[0] {{\n  {text}\n  return %t\n}}\n"
    )
    assert effects_of(graph.body.nodes[0]).raises is expected


def test_break_leaves_an_if_but_not_its_loop():
    graph = parse_graph("""
graph f(%k: int, %c: bool) {
  for(0, %k, 1) {names=('i',)} (%i: int) {
    if(%c) {names=()} {
      break
    } {
      yield
    }
    yield
  }
  return
}
""")
    loop = graph.body.nodes[0]
    assert not leaves(loop)
    assert leaves(loop.regions[0].nodes[0])


def test_an_index_is_not_read_before_what_proved_it():
    _, aliases, _, nodes = looked_up("""
graph f(%a: f64[n], %c: bool) sizes n=a[0] {
  if(%c) {names=()} {
    return 0.0 {text='{0}'}
  } {
    yield
  }
  %x: np.float64 = load(%a, 0) {check=(False,)}
  return %x {text='{0}'}
}
""")
    assert conflict(nodes["if"], nodes["x"], aliases)


def test_what_may_be_no_array_is_not_read_before_the_check():
    _, aliases, v, nodes = looked_up("""
graph f(%a: f64[n], %c: bool) sizes n=a[0] {
  %none: f64[0] = empty()
  %b: bool, %x: f64[n] = if(%c) {names=('b', 'x')} {
    yield True, %a
  } {
    yield False, %none
  }
  check_bound(%b) {name='x', text='check_bound({0})'}
  %s: np.float64 = sum(%x) {axis=None, keepdims=False, loop=('float64',)}
  %t: np.float64 = sum(%a) {axis=None, keepdims=False, loop=('float64',)}
  return %s, %t {text='({0}, {1})'}
}
""")
    assert aliases.may_be_nothing(v["x"])
    assert not aliases.may_be_nothing(v["a"])
    assert not aliases.may_be_nothing(v["none"])
    assert conflict(nodes["check_bound"], nodes["s"], aliases)
    assert not conflict(nodes["check_bound"], nodes["t"], aliases)
