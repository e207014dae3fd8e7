"""Graphs that break a rule are refused, with the rule and the place."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from jitscope.graph.analysis.verifier import GraphError, verify
from jitscope.graph.ir.nodes import Block, Graph, Node, Value
from jitscope.graph.ir.parser import ParseError, parse_graph
from jitscope.graph.ir.types import FLOAT

X = Value("x", FLOAT)


def graph(*nodes, params=(X,)):
    return Graph("f", params, Block((), nodes))


def call(op, *operands, name="t", type_=FLOAT, **attrs):
    return Node(op, operands, (Value(name, type_),), attrs)


RETURN = Node("return", ())


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ((call("py.neg", Value("y", FLOAT), loop=("float",)), RETURN), "%y isn't defined where it is used"),
        ((call("py.neg", X, loop=("float",), name="x"), RETURN), "%x is defined twice"),
        ((call("frobnicate", X), RETURN), "frobnicate: is no operation"),
        ((call("py.add", X, loop=("float", "float")), RETURN), "has 1 operands, not 2"),
        ((RETURN, call("py.neg", X, loop=("float",)), RETURN), "return: stands in the middle"),
        ((call("py.neg", X, loop=("float",)),), "a region ends without"),
        ((Node("break", ()),), "the function ends in break"),
        ((Node("if", (X,)), RETURN), "has 0 regions, not 2"),
    ],
)
def test_broken_rules_have_names(nodes, message):
    with pytest.raises(GraphError, match=message):
        verify(graph(*nodes))


LOOP = """
graph f(%k: int, %s: float) {
  %r: float = for(0, %k, 1, %s) {names=('i', 's')} (%i: int, %t: float) {
    yield %t
  }
  return %r {text='{0}'}
}
"""


def test_state_has_one_type():
    good = parse_graph(LOOP)
    assert verify(good) is good
    loop = good.body.nodes[0]
    body = replace(loop.regions[0], nodes=(Node("yield", (loop.regions[0].params[0],)),))
    with pytest.raises(GraphError, match="carries a int to %r: float"):
        verify(graph(replace(loop, regions=(body,)), RETURN, params=good.params))


def test_values_of_a_region_are_not_seen_outside():
    good = parse_graph(LOOP)
    inner = good.body.nodes[0].regions[0].params[1]
    with pytest.raises(GraphError, match="%t isn't defined where it is used"):
        verify(replace(good, body=Block((), (good.body.nodes[0], Node("return", (inner,))))))


def test_a_size_needs_an_origin():
    with pytest.raises(GraphError, match="the size m is neither an axis nor an int"):
        verify(parse_graph("graph f(%x: f64[n]) sizes n=x[0] {\n  %m0: int = size() {size=m}\n  return\n}\n"))


WINDOWS = """
graph f(%x: f64[n], %k: int) sizes n=x[0] {
  %w: f64[n] = for(0, %k, 1, %x) {names=('w',), orelse=False} (%i: int, %w.1: f64[w_shape_0]) {
    %t: f64[i] = view(%x, %i) {axes=(span(0),), check=()}
    yield %t
  }
  return %w
}
"""


@pytest.mark.parametrize(
    ("state", "result", "what"),
    [
        ("i", "n", "%w.1 has a size, i, that each iteration sets anew"),
        ("n", "i", "the size i isn't defined where it is used"),
    ],
)
def test_a_size_of_one_iteration_is_not_known_in_others(state, result, what):
    text = WINDOWS.replace("w_shape_0", state).replace("%w: f64[n]", f"%w: f64[{result}]")
    with pytest.raises(GraphError, match=re.escape(what)):
        verify(parse_graph(text))
    verify(parse_graph(WINDOWS.replace("w_shape_0", "n")))


@pytest.mark.parametrize(
    "text", ["graph", "graph f() {", "graph f() {\n  %a = \n}", "graph f() {\n  return %a\n}"]
)
def test_the_parser_says_where(text):
    with pytest.raises((ParseError, GraphError)):
        verify(parse_graph(text))


def test_kinds_of_state_may_become_objects():
    text = LOOP.replace("%r: float = for(0, %k, 1, %s)", "%r: object = for(0, %k, 1, %s)").replace(
        "%t: float)", "%t: object)"
    )
    verify(parse_graph(text))
