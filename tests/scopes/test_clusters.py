"""Which operations share a cluster, by scopes, devices and what lies between them."""

from __future__ import annotations

import time

import pytest

from jitscope.graph.analysis.verifier import verify
from jitscope.graph.ir.nodes import ENDINGS, walk
from jitscope.graph.ir.parser import parse_graph
from jitscope.graph.passes import Options, cluster, clusters_of, reasons
from jitscope.graph.passes.worth import LOOK

CALLS = {
    "exp": "exp(%{0}) {{{marks}loop=('float64',)}}",
    "add": "add(%{0}, %{1}) {{{marks}loop=('float64', 'float64')}}",
    "sort": "numpy(%{0}) {{{marks}text='np.sort({{0}})', aliases=False}}",
    "tail": "view(%{0}) {{{marks}axes=(span(0, 1, 1),), check=()}}",
    "copy": "copy(%{0}) {{{marks}text=''}}",
}


def line(text):
    """``a = exp x @0 -1`` as a node: its result, op, operands, the number of its scope, other marks."""
    target, _, rest = text.partition(" = ")
    op, *words = rest.split()
    operands = [word for word in words if word[0].isalpha()]
    marks = ""
    for word in words:
        if word.startswith("@"):
            marks += f"_JitCompile=True, _JitScope='jit_scope_{word[1:]}', "
        elif word == "-no":
            marks += "_JitCompile=False, _JitScope='jit_scope_9', "
        elif word == "-apart":
            marks += "_JitSeparateCompiledGradients=True, "
        elif word.startswith("-on"):
            marks += f"_Device='/job:localhost/replica:0/task:0/device:{word[4:]}', "
    size = "max(n - 1, 0)" if op == "tail" else "n"
    return f"  %{target}: f64[{size}] = {CALLS[op].format(*operands, marks=marks)}"


def clustered(text, **options):
    lines = [one if one[0] == " " else line(one) for one in text.strip("\n").splitlines()]
    body = "\n".join(lines)
    graph = parse_graph(f"graph f(%x: f64[n], %y: f64[n], %k: int) sizes n=x[0] {{\n{body}\n}}\n")
    return verify(cluster(verify(graph), Options(**options)))


def groups(text, **options):
    """The results that the nodes of each cluster make, by cluster."""
    found = clusters_of(clustered(text, **options))
    return ["".join(v.name for n in whole.regions[0].nodes[:-1] for v in n.results) for whole in found]


OFF = {"jit_level": "off"}
RETURN = "  return %x {text='{0}'}"


def test_a_path_through_an_uncompiled_operation_divides_a_scope():
    text = "a = exp x @0\nb = sort a\nc = exp b @0\nd = exp a @0\n" + RETURN
    assert groups(text, **OFF) == ["a", "cd"]


@pytest.mark.parametrize(
    "between", ["b = sort y", "b = exp y", "b = exp y @1", "  python(%k) {text='print({0})'}"]
)
def test_what_is_unrelated_does_not(between):
    # x is a new array: opaque code can't change it.
    text = f"z = copy x @0\na = exp z @0\n{between}\nc = add a z @0\n" + RETURN
    assert "zac" in groups(text, **OFF)


def test_neighbours_of_one_scope_that_share_nothing():
    text = "a = exp x @0\nb = sort x\nc = exp y @0\nd = sort c\ne = add b d\n" + RETURN
    assert groups(text, **OFF) == ["ac"]


def test_effects_divide_a_scope():
    write = "  assign(%x, %y) {text='{0}[...] = {1}'}"
    assert groups(f"a = exp x @0\n{write}\nb = exp x @0\n" + RETURN, **OFF) == ["a", "b"]
    assert groups(f"a = exp y @0\n{write}\nb = exp y @0\n" + RETURN, **OFF) == ["ab"]


def test_scopes_that_wait_for_each_other():
    text = "a = exp x @0\nb = exp a @1\nc = exp b @0\nd = exp c @1\n" + RETURN
    assert groups(text, **OFF) == ["a", "b", "c", "d"]
    # Either scope may be one cluster, but not both.
    crossed = "a = exp x @0\nb = exp y @1\nc = exp a @1\nd = exp b @0\n" + RETURN
    assert sorted(map(len, groups(crossed, **OFF))) == [1, 1, 2]


def test_only_marked_operations_with_the_level_off():
    text = "a = exp x\nb = exp a @0\nc = exp b\nd = exp c @1\n" + RETURN
    assert groups(text, **OFF) == ["b", "d"]
    assert groups(text) == ["abcd"]


def test_forbidden_operations_are_never_compiled():
    text = "a = exp x\nb = exp a -no\nc = exp b\nd = exp c\n" + RETURN
    assert groups(text, **OFF) == []
    assert groups(text) == ["cd"]


def test_separate_gradients_stay_apart_at_every_level():
    text = (
        """
f = exp x @0 -apart
u = exp f
g = exp y @0_grad_g -apart
v = exp g
h = exp y @0_grad_h -apart
w = exp h
o = exp y @1 -apart
p = add g h
""".strip("\n")
        + "\n"
        + RETURN
    )
    assert groups(text, **OFF) == ["f", "g", "h", "o"]
    assert groups(text) == ["gv", "fuo", "hwp"]


def test_devices_share_no_cluster():
    text = "a = exp x @0\nb = exp a @0\nc = exp b @0 -on=JIT_CPU:0\nd = exp c @0 -on=JIT_CPU:0\n" + RETURN
    for options in (OFF, {}):
        found = clusters_of(clustered(text, **options))
        assert [len(whole.regions[0].nodes) - 1 for whole in found] == [2, 2]
        assert [whole.attrs.get("_Device", "")[-9:] for whole in found] == ["", "JIT_CPU:0"]
    # On a device that compiles everything no mark is needed, but compile_ops=False holds.
    text = "a = exp x -on=JIT_CPU:0\nb = exp a -no -on=JIT_CPU:0\n" + RETURN
    assert groups(text, **OFF) == ["a"]


def test_looks_alone_are_no_cluster():
    graph = clustered("a = tail x @0\nb = sort a\n" + RETURN, **OFF)
    assert not clusters_of(graph)
    assert [reason for _, reason in reasons(graph, Options("off"))][0] == LOOK
    assert groups("a = copy x @0\nb = tail a @0\n  return %b {text='{0}'}", **OFF) == ["a"]


LOOP = """
  %r: f64[n] = for(0, %k, 1, %x){outer} {{names=('i', 'x'){outer_marks}}} (%i: int, %s: f64[n]) {{
    %a: f64[n] = exp(%s){inner} {{loop=('float64',){inner_marks}}}
    %b: f64[n] = exp(%a){inner} {{loop=('float64',){inner_marks}}}
    yield %b
  }}
  return %r {{text='{{0}}'}}
"""
YES, NO = ", _JitCompile=True", ", _JitCompile=False"


@pytest.mark.parametrize(
    ("outer", "inner", "level", "expected"),
    [
        ("", "", "on", ["for"]),
        (" @jit_scope_0", " @jit_scope_0", "off", ["for"]),
        ("", " @jit_scope_0", "off", ["exp exp"]),  # the loop itself is not marked
        ("", " @jit_scope_0", "on", ["for"]),
        (" @jit_scope_0", "", "off", []),
        ("no", " @jit_scope_0", "on", ["exp exp"]),
        (" @jit_scope_0", "no", "on", []),
    ],
)
def test_a_loop_is_compiled_if_it_and_all_in_it_may_be(outer, inner, level, expected):
    def parts(mark):
        return (" @jit_scope_0", NO) if mark == "no" else (mark, YES if mark else "")

    (one, one_marks), (two, two_marks) = parts(outer), parts(inner)
    text = LOOP.format(outer=one, outer_marks=one_marks, inner=two, inner_marks=two_marks)
    found = clusters_of(clustered(text.strip("\n"), jit_level=level))
    assert [" ".join(n.op for n in whole.regions[0].nodes[:-1]) for whole in found] == expected


def test_a_scope_in_two_blocks_is_two_clusters():
    text = """
a = exp x @0
  %r: f64[n] = for(0, %k, 1, %a) {names=('i', 'x')} (%i: int, %s: f64[n]) {
    %b: f64[n] = exp(%s) {_JitCompile=True, _JitScope='jit_scope_0', loop=('float64',)}
    yield %b
  }
  return %r {text='{0}'}
""".strip("\n")
    assert [whole.attrs["scope"] for whole in clusters_of(clustered(text, **OFF))] == ["jit_scope_0"] * 2


def test_the_pass_is_about_linear():
    lines, previous = [], "x"
    for layer in range(100):
        for _ in range(25):
            lines.append(f"a{len(lines)} = add {previous} x @{layer}")
            previous = f"a{len(lines) - 1}"
        lines.append(f"u{layer} = sort {previous}")
        previous = f"u{layer}"
    for layer in reversed(range(100)):
        for _ in range(24):
            lines.append(f"g{len(lines)} = add {previous} a{25 * layer + layer} @{layer}_grad_g")
            previous = f"g{len(lines) - 1}"
    text = "\n".join([*map(line, lines), RETURN])
    graph = parse_graph(f"graph f(%x: f64[n], %y: f64[n], %k: int) sizes n=x[0] {{\n{text}\n}}\n")
    assert sum(1 for node in walk(graph.body) if node.op not in ENDINGS) == 5000
    for level, expected in (("off", 200), ("on", 200)):
        start = time.process_time()
        found = clusters_of(cluster(graph, Options(level)))
        assert time.process_time() - start < 2
        assert len(found) == expected
