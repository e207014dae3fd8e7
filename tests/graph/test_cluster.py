"""What is compiled as one unit, what stays in the driver, and why."""

from __future__ import annotations

from jitscope.graph.analysis.verifier import verify
from jitscope.graph.ir.nodes import walk
from jitscope.graph.ir.parser import parse_graph
from jitscope.graph.ir.printer import print_graph
from jitscope.graph.ir.types import INT
from jitscope.graph.passes import Options, cluster, join_returns, reasons


def clustered(body, params="%x: f64[n], %y: f64[n], %k: int", level="on"):
    text = f"graph f({params}) sizes n=x[0] {{\n{body.strip(chr(10))}\n}}\n"
    graph = parse_graph(text)
    verify(graph)
    done = verify(cluster(graph, Options(level)))
    assert print_graph(parse_graph(print_graph(done))) == print_graph(done)
    return done


def shape(graph):
    """The driver's nodes by name, those inside clusters in brackets."""
    found = []
    for node in graph.body.nodes:
        inner = [n.op for n in node.regions[0].nodes[:-1]] if node.op == "cluster" else None
        found.append(node.op if inner is None else inner)
    return found


EXP = "  %a: f64[n] = exp(%x) {loop=('float64',)}\n"
ADD = "  %b: f64[n] = add(%a, 1.0) {loop=('float64', 'float64')}\n"
PRINT = "  python(%k) {text='print({0})'}\n"
OUT = "  return %b {text='{0}'}"


def test_a_lone_call_stays_numpy():
    graph = clustered(EXP + "  return %a {text='{0}'}")
    assert shape(graph) == ["exp", "return"]
    assert reasons(graph)[0][1] == "too little work for a call of compiled code"


def test_array_work_moves_up_across_a_print():
    # exp and add read x, which opaque code might change: only what reads nothing of the outside moves.
    graph = clustered(
        EXP + ADD.replace("%b", "%t") + PRINT + "  %b: f64[n] = sin(%t) {loop=('float64',)}\n" + OUT
    )
    assert shape(graph) == [["exp", "add", "sin"], "python", "return"]


def test_reading_an_argument_keeps_its_place():
    second = "  %b: f64[n] = add(%a, %x) {loop=('float64', 'float64')}\n"
    graph = clustered(
        EXP + PRINT + second + "  %c: f64[n] = sin(%b) {loop=('float64',)}\n" + OUT.replace("%b", "%c")
    )
    assert shape(graph) == ["exp", "python", ["add", "sin"], "return"]


def test_a_pure_numpy_call_moves_in_front():
    roll = "  %r: f64[n] = numpy(%y) {text='np.roll({0}, 1)', aliases=False, raises=False}\n"
    graph = clustered(EXP + roll + "  %b: f64[n] = add(%a, %r) {loop=('float64', 'float64')}\n" + OUT)
    assert shape(graph) == ["numpy", ["exp", "add"], "return"]


def test_a_view_is_made_again_by_the_driver():
    view = "  %v: f64[max(n - 1, 0)] = view(%b) {axes=(span(0, 1, 1),), check=(), text='{0}[1:]'}\n"
    total = "  %s: np.float64 = sum(%v) {axis=None, keepdims=False, loop=('float64',)}\n"
    graph = clustered(EXP + ADD + view + total + "  return %v, %s {text='({0}, {1})'}")
    assert shape(graph) == [["exp", "add", "view", "sum"], "view", "return"]
    whole, again, _ = graph.body.nodes
    assert [v.name for v in whole.results] == ["b.1", "s.1"]
    assert again.operands == (whole.results[0],)


def test_scalars_of_python_stay_in_the_driver():
    scalar = "  %j: int = py.add(%k, 1) {loop=('int', 'int'), text='{0} + {1}'}\n"
    graph = clustered(scalar + "  return %j {text='{0}'}")
    assert shape(graph) == ["py.add", "return"]
    graph = clustered(EXP + ADD + scalar + "  return %b, %j {text='({0}, {1})'}")
    assert shape(graph) == [["exp", "add"], "py.add", "return"]


def test_a_loop_is_always_worth_it():
    loop = (
        "  for(0, %k, 1) {names=('i',)} (%i: int) {\n    store(%x, 1.0, %i) {check=(True,)}\n    yield\n  }\n"
    )
    assert shape(clustered(loop + "  return")) == [["for"], "return"]


def test_clusters_inside_a_loop_that_is_not_compiled():
    graph = clustered("""
  %r: f64[n] = for(0, %k, 1, %x) {names=('i', 'x')} (%i: int, %x.1: f64[n]) {
    %a: f64[n] = exp(%x.1) {loop=('float64',)}
    %b: f64[n] = add(%a, 1.0) {loop=('float64', 'float64')}
    python(%i) {text='print({0})'}
    yield %b
  }
  return %r {text='{0}'}
""")
    assert [n.op for n in walk(graph.body)][:3] == ["for", "cluster", "exp"]
    loop = graph.body.nodes[0]
    assert loop.regions[0].ending.operands == loop.regions[0].nodes[0].results
    assert reasons(graph)[0][1].endswith("it is plain Python: print(_)")


def test_scopes_forbid_and_demand():
    no = EXP.replace("{loop", "{_JitCompile=False, loop")
    assert shape(clustered(no + ADD + OUT)) == ["exp", "add", "return"]
    yes = EXP.replace("{loop", "{_JitCompile=True, loop")
    assert shape(clustered(yes + "  return %a {text='{0}'}")) == [["exp"], "return"]


def test_level_off_compiles_scopes_one_by_one():
    first = EXP.replace("{loop", "@jit_scope_0 {_JitCompile=True, loop")
    second = ADD.replace("{loop", "@jit_scope_1 {_JitCompile=True, loop")
    assert shape(clustered(EXP + ADD + OUT, level="off")) == ["exp", "add", "return"]
    assert shape(clustered(first + second + OUT, level="off")) == [["exp"], ["add"], "return"]
    assert shape(clustered(first + second + OUT)) == [["exp", "add"], "return"]


def test_sizes_that_come_with_an_output_get_new_symbols():
    text = """graph f(%x: f64[n], %k: int, %c: bool) sizes n=x[0], m=r[0] {
  %y: f64[n] = exp(%x) {loop=('float64',)}
  %w: f64[max(n - 1, 0)] = view(%x) {axes=(span(0, 1, 1),), check=()}
  %r: f64[m] = if(%c) {names=('r',)} {
    yield %y
  } {
    yield %w
  }
  %z: f64[m] = exp(%r) {loop=('float64',)}
  %q: f64[m] = numpy(%z) {text='np.sort({0})', aliases=False}
  return %q, %z {text='({0}, {1})'}
}
"""
    graph = verify(cluster(parse_graph(text), Options()))
    inside = {n.op for n in graph.body.nodes[0].regions[0].nodes}
    assert {"exp", "if"} <= inside
    sort = next(n for n in graph.body.nodes if n.op == "numpy")
    (size,) = sort.results[0].type.shape
    array, axis = graph.sizes[str(size)]
    assert array in graph.body.nodes[0].results
    assert axis == 0


def test_numbers_in_several_structures_are_joined_by_their_number():
    text = """graph f(%k: int, %x: f64[n]) sizes n=x[0] {
  for(0, %k, 1) {names=('i',)} (%i: int) {
    %c: bool = py.gt(%i, 3) {loop=('int', 'int')}
    if(%c) {names=()} {
      return %i {text='{0}'}
    } {
      yield
    }
    yield
  }
  return {text='None'}
}
"""
    graph = join_returns(parse_graph(text), Options())
    call, ending = graph.body.nodes
    assert [value.type for value in call.results] == [INT, INT]
    assert ending.attrs["text"] == "{1} if {0} == 0 else None"


def test_returns_of_objects_and_others_are_not_joined():
    text = """graph f(%k: int, %o: object) {
  for(0, %k, 1) {names=('i',)} (%i: int) {
    %c: bool = py.gt(%i, 3) {loop=('int', 'int')}
    if(%c) {names=()} {
      return %i {text='{0}'}
    } {
      yield
    }
    yield
  }
  return %o {text='({0}, 1)'}
}
"""
    graph = parse_graph(text)
    assert join_returns(graph, Options()) is graph


def test_a_loop_without_work_stays_in_the_driver():
    graph = clustered("""
  %r: f64[n] = for(0, %k, 1, %x) {names=('i', 'x')} (%i: int, %x.1: f64[n]) {
    %v: f64[n] = view(%x.1) {axes=(span(0),), check=()}
    yield %v
  }
  return %r {text='{0}'}
""")
    assert shape(graph) == ["for", "return"]
