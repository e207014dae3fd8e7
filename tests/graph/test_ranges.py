"""Indices that are proved to be in range, and those that aren't."""

from __future__ import annotations

import pytest

from jitscope.graph.ir.nodes import walk
from jitscope.graph.ir.parser import parse_graph
from jitscope.graph.passes import Options, check_ranges


def checks(text):
    """The check of every load, in program order."""
    graph = check_ranges(parse_graph(text), Options())
    return [all(not c for c in n.attrs["check"]) for n in walk(graph.body) if n.op == "load"]


def in_loop(start, stop, *indices, step=1, before=""):
    lines = [f"  {line}" for line in before.splitlines()]
    for name, size in (("start", start), ("stop", stop)):
        lines.append(f"  %{name}: int = size() {{size={size}}}")
    lines.append(f"  for(%start, %stop, {step}) {{names=('i',)}} (%i: int) {{")
    for k, index in enumerate(indices):
        lines.append(f"    %j{k}: int = size() {{size={index}}}")
        lines.append(f"    %x{k}: np.float64 = load(%a, %j{k}) {{check=(True,)}}")
    lines += ["    yield", "  }", "  return"]
    return "graph f(%a: f64[n], %k: int) sizes n=a[0] {\n" + "\n".join(lines) + "\n}\n"


@pytest.mark.parametrize(
    ("start", "stop", "index", "step", "proved"),
    [
        ("0", "n", "any(i)", 1, True),
        ("1", "n - 1", "any(i) - 1", 1, True),
        ("1", "n - 1", "any(i) + 1", 1, True),
        ("1", "n - 1", "any(i) + 2", 1, False),
        ("0", "n", "any(i) - 1", 1, False),
        ("0", "n", "any(i) + 1", 1, False),
        ("n - 1", "-1", "any(i)", -1, True),
        ("n - 2", "-1", "any(i) + 1", -1, True),
        ("0", "any(k)", "any(i)", 1, False),
        ("0", "min(any(k), n)", "any(i)", 1, True),
        ("0", "max(n - 2, 0)", "any(i) + 2", 1, True),
        ("0", "n // 2", "2 * any(i) + 1", 1, True),
        ("0", "n // 2", "2 * any(i) + 2", 1, False),
        ("0", "n", "n - any(i) - 1", 1, True),
        ("0", "n", "n - any(i)", 1, False),
        ("any(k)", "n", "any(i)", 1, False),
    ],
)
def test_affine_index_of_a_range(start, stop, index, step, proved):
    assert checks(in_loop(start, stop, index, step=step)) == [proved]


def test_an_index_that_was_checked_once():
    assert checks(in_loop("0", "any(k)", "any(i)", "any(i)")) == [False, True]
    assert checks(in_loop("0", "any(k)", "any(i) + 1", "any(i)")) == [False, True]
    assert checks(in_loop("0", "any(k)", "any(i)", "any(i) + 1")) == [False, False]


WHILE = """
graph f(%a: f64[n]) sizes n=a[0] {
  %stop: int = size() {size=n}
  %r: int = while(0) {names=('i',)} (%i: int) {
    %c: bool = py.lt(%i, %stop) {loop=('int', 'int')}
    yield %c
  } (%i.1: int) {
    %x: np.float64 = load(%a, %i.1) {check=(True,)}
    %i.2: int = py.STEP(%i.1, 1) {loop=('int', 'int')}
    yield %i.2
  }
  return
}
"""


@pytest.mark.parametrize(("step", "proved"), [("add", True), ("sub", False), ("mul", False)])
def test_while_counts_up_to_its_condition(step, proved):
    assert checks(WHILE.replace("STEP", step)) == [proved]


def test_counters_cannot_leave_64_bits():
    graph = check_ranges(parse_graph(WHILE.replace("STEP", "add")), Options())
    assert [n.attrs.get("safe") for n in walk(graph.body) if n.op == "py.add"] == [True]


IF = """
graph f(%a: f64[n], %k: int) sizes n=a[0] {
  %stop: int = size() {size=n}
  %low: bool = py.ge(%k, 0) {loop=('int', 'int')}
  %both: bool = if(%low) {names=('both',)} {
    %high: bool = py.lt(%k, %stop) {loop=('int', 'int')}
    yield %high
  } {
    yield %low
  }
  if(%both) {names=()} {
    %x: np.float64 = load(%a, %k) {check=(True,)}
    yield
  } {
    %y: np.float64 = load(%a, %k) {check=(True,)}
    yield
  }
  return
}
"""


def test_conditions_are_facts_where_they_hold():
    assert checks(IF) == [True, False]


@pytest.mark.parametrize(
    ("node", "safe"),
    [
        ("%t: int = py.add(%k, 1) {loop=('int', 'int')}", True),
        ("%t: int = py.mul(%k, %k) {loop=('int', 'int')}", False),
        ("%t: int = py.add(%free, 1) {loop=('int', 'int')}", False),
        ("%t: int = py.mod(%free, 7) {loop=('int', 'int')}", True),
        ("%t: int = py.mod(%free, %k) {loop=('int', 'int')}", False),
        ("%t: int = py.floordiv(%free, -1) {loop=('int', 'int')}", False),
        ("%t: float = py.truediv(%free, 2) {loop=('int', 'int')}", False),
        ("%t: float = py.truediv(%k, 2) {loop=('int', 'int')}", True),
        ("%t: bool = py.lt(%k, %x) {loop=('int', 'float')}", True),
        ("%t: bool = py.lt(%free, %x) {loop=('int', 'float')}", False),
    ],
)
def test_arithmetic_that_cannot_fail(node, safe):
    text = f"graph f(%k: int, %free: int, %x: float) guards int64(k, 0) {{\n  {node}\n  return %t\n}}\n"
    graph = check_ranges(parse_graph(text), Options())
    assert bool(graph.body.nodes[0].attrs.get("safe")) is safe


def test_a_counter_of_many_branches_is_looked_at_once_each():
    """2^80 ways lead through them; each is asked for how far the counter moves."""
    lines, k = [], "%k"
    for n in range(80):
        lines += [
            f"%c{n}: bool = py.gt(%x, {n}.5) {{loop=('float', 'float')}}",
            f"%k.{2 * n + 2}: int = if(%c{n}) {{names=('k',)}} {{",
            f"  %k.{2 * n + 1}: int = py.add({k}, 1) {{loop=('int', 'int')}}",
            f"  yield %k.{2 * n + 1}",
            "} {",
            f"  yield {k}",
            "}",
        ]
        k = f"%k.{2 * n + 2}"
    body = "\n    ".join(lines)
    text = (
        "graph f(%x: float, %n: int) guards int64(n, 0) {\n"
        f"  %all: int = for(0, %n, 1, 0) {{names=('k',), orelse=False}} (%i: int, %k: int) {{\n    {body}\n"
        f"    yield {k}\n  }}\n  return %all\n}}\n"
    )
    graph = check_ranges(parse_graph(text), Options())
    additions = [node for node in walk(graph.body) if node.op == "py.add"]
    assert len(additions) == 80
    assert additions[0].attrs.get("safe")
