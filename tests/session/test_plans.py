"""Plans: what is compiled at each level, what is kept, and what runs where nothing can be compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import timeit
import tracemalloc

import numpy as np
import pytest

import jitscope as js
from jitscope.runtime import plan
from jitscope.runtime.session import Session

LEVELS = ("DEFAULT", "OFF", "ON_1", "ON_2")


def session_at(level: str, **options: bool) -> Session:
    config = js.ConfigProto(**options)
    config.graph_options.optimizer_options.global_jit_level = getattr(js.OptimizerOptions, level)
    return js.Session(config=config)


def mixed():
    """Scoped, forbidden and free operations."""
    x = js.placeholder(js.float64, [None, 3], name="x")
    with js.jit_scope():
        inside = js.tanh(js.exp(x, name="scoped_exp") * 0.5, name="scoped_tanh")
    with js.jit_scope(compile_ops=False):
        never = js.sin(inside, name="never")
    free = js.add(js.square(never, name="free_square"), 1.0, name="free_add")
    return x, free


FED = np.linspace(-1, 1, 12).reshape(4, 3)
WANTED = np.square(np.sin(np.tanh(np.exp(FED) * 0.5))) + 1.0


@pytest.mark.parametrize("level", LEVELS)
def test_levels_decide_what_is_compiled(level):
    x, out = mixed()
    session = session_at(level)
    clusters = session.clusters(out, {x: FED})
    members = {name for names in clusters.values() for name in names}
    assert {"scoped_exp", "scoped_tanh"} <= members
    assert "never" not in members
    assert ("free_square" in members) == ("free_add" in members) == level.startswith("ON")
    np.testing.assert_allclose(session.run(out, {x: FED}), WANTED, rtol=1e-14)


def test_two_scopes_are_two_clusters_where_the_level_is_off():
    x = js.placeholder(js.float64, [None], name="x")
    with js.jit_scope():
        y = js.exp(x, name="one")
    with js.jit_scope():
        z = js.sin(y, name="two")
    assert list(session_at("OFF").clusters(z, {x: FED[0]}).values()) == [["one"], ["two"]]


def test_a_callable_decides_for_each_operation():
    a, b = js.placeholder(js.float64, [3, 3]), js.placeholder(js.float64, [3, 3])
    with js.jit_scope(compile_ops=lambda node_def: "matmul" in node_def.op.lower()):
        e = js.matmul(a, b) + 1.0
    fed = {a: np.eye(3), b: np.ones((3, 3))}
    session = js.Session()
    assert [name for names in session.clusters(e, fed).values() for name in names] == ["matmul"]
    assert session.run(e, fed).tolist() == np.full((3, 3), 2.0).tolist()


def test_a_symbol_without_a_rank_can_stand_in_a_scope():
    x = js.placeholder(np.float32)
    with js.jit_scope():
        y = js.add(x, x)
        z = np.exp(y[..., 0]) * 2
    session = js.Session()
    for shape in ((3,), (2, 3), (2, 2, 2)):
        fed = np.ones(shape, np.float32)
        assert list(session.clusters(y, {x: fed}).values()) == [["add"]]
        assert session.run(y, {x: fed}).tolist() == (fed + fed).tolist()
        np.testing.assert_allclose(session.run(z, {x: fed}), np.exp(2.0) * 2 * np.ones(shape[:-1]), rtol=1e-6)
        members = {name.split("/")[0] for names in session.clusters(z, {x: fed}).values() for name in names}
        assert {"exp", "multiply"} <= members


def test_nothing_marked_and_level_off_runs_as_numpy():
    x = js.placeholder(js.float64, [None, 3], name="x")
    y = np.tanh(x) * 2 + np.exp(x).sum(axis=0)
    session = js.Session()
    assert session.clusters(y, {x: FED}) == {}
    text = session.to_code(y, {x: FED})
    assert "njit" not in text
    assert "np.tanh(x) * 2 + np.exp(x).sum(axis=0)" in text
    assert session.run(y, {x: FED}).tolist() == (np.tanh(FED) * 2 + np.exp(FED).sum(axis=0)).tolist()


def test_plans_do_not_depend_on_sizes():
    x = js.placeholder(js.float64, [None, None])
    y = js.placeholder(js.float64, [None, None])
    z = np.exp(x) + y
    session = js.Session()
    traces = lambda: js.counters().traces  # noqa: E731
    rng = np.random.default_rng(1)

    def run(a, b):
        before = traces()
        found = session.run(z, {x: a, y: b})
        assert found.tolist() == (np.exp(a) + b).tolist()
        return traces() - before

    assert run(rng.random((3, 4)), rng.random((3, 4))) == 1
    assert run(rng.random((30, 5)), rng.random((30, 5))) == 0
    assert run(rng.random((1, 5)), rng.random((30, 5))) == 1
    assert run(rng.random((1, 7)), rng.random((9, 7))) == 0
    assert run(rng.random((4, 3)).T, rng.random((4, 3)).T) == 1
    assert run(rng.random((4, 9)).T, rng.random((4, 9)).T) == 0
    assert run(rng.random((3, 8))[:, ::2], rng.random((3, 4))) == 1
    assert run(rng.random((3, 4)), rng.random((3, 4))) == 0
    with pytest.raises(ValueError, match="could not be broadcast"):
        run(rng.random((3, 4)), rng.random((3, 5)))
    assert run(rng.random((3, 4)), rng.random((3, 4))) == 0


def test_the_order_of_feeds_and_their_names_make_no_new_plan():
    x, y = js.placeholder(js.float64, [None], name="x"), js.placeholder(js.float64, [None], name="y")
    z = x - 2 * y
    session = js.Session()
    one, other = np.array([1.0]), np.array([5.0])
    before = js.counters().traces
    calls = [session.make_callable(z, order) for order in ([x, y], ["y:0", x])]
    assert [calls[0](one, other).tolist(), calls[1](other, one).tolist()] == [[-9.0], [-9.0]]
    assert session.run(z, {y: other, x: one}).tolist() == [-9.0]
    assert session.run(z, {"x:0": one, "y:0": other}).tolist() == [-9.0]
    assert session.clusters(z, {y: other, x: one}) == {}
    assert js.counters().traces == before + 1
    for call in calls:
        with pytest.raises(TypeError, match="2 values are to be fed, not 3"):
            call(one, one, one)


def test_compiled_code_that_raises_gives_way_to_numpy():
    x = js.placeholder(js.float64, [None], name="x")
    k = js.placeholder(js.int64, [], name="k")
    with js.jit_scope():
        y = np.exp(x[k]) * 2 + x.max()
    session = js.Session()
    assert session.run(y, {x: FED[0], k: 1}) == np.exp(FED[0, 1]) * 2 + FED[0].max()
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        session.run(y, {x: FED[0], k: 7})
    with pytest.raises(ValueError, match="zero-size array"):
        session.run(x.max() + 1, {x: []})


def test_what_no_plan_can_be_made_for_runs_call_by_call():
    x = js.placeholder(js.int8, [None])
    w = js.Variable([1, 2], dtype=js.int8)
    y = w.assign(x + 1)
    session = js.Session()
    session.run(js.global_variables_initializer())
    assert session.run(y, {x: [5, 6]}).tolist() == [6, 7]
    with pytest.raises(OverflowError, match="300 out of bounds for int8"):
        session.run(js.placeholder_with_default(x, None) + 300, {x: [5, 6]})
    parts = np.split(x, 2)
    assert [part.tolist() for part in session.run(parts, {x: [5, 6]})] == [[5], [6]]


def test_the_global_switch_turns_compiling_off(monkeypatch):
    monkeypatch.setattr(js.config, "_disable", True)
    x, out = mixed()
    session = session_at("ON_1")
    assert session.clusters(out, {x: FED}) == {}
    assert session.run(out, {x: FED}).tolist() == WANTED.tolist()


def test_reports_and_texts():
    x, out = mixed()
    session = js.Session()
    report = session.explain(out, {x: FED})
    assert "scoped_tanh" in report
    assert "never: its scope says compile_ops=False" in report
    assert "free_add: jit_level is off and it stands in no jit_scope" in report
    graph = js.to_code(session, out, {x: FED}, stage="graph")
    assert "name='scoped_exp'" in graph
    assert "@jit_scope_0" in graph
    assert "def plan(x):" in js.to_code(session, out, {x: FED})
    with pytest.raises(ValueError, match="stage"):
        js.to_code(session, out, {x: FED}, stage="ast")
    with pytest.raises(js.errors.InvalidArgumentError):
        session.explain(out)


def test_a_traced_run_has_a_bar_for_each_operation_and_cluster():
    x, out = mixed()
    session = js.Session()
    metadata = js.RunMetadata()
    for _ in range(2):
        full = js.RunOptions(trace_level=js.RunOptions.FULL_TRACE)
        result = session.run(out, {x: FED}, options=full, run_metadata=metadata)
        np.testing.assert_allclose(result, WANTED, rtol=1e-14)
    bars = [bar for bar in metadata.step_stats["traceEvents"] if bar["ph"] == "X" and bar["cat"] == "Op"]
    assert [bar["name"] for bar in bars] == ["_JitLaunch", "sin", "square", "add"]
    assert [bar["args"]["name"] for bar in bars][1:] == ["never", "free_square", "free_add"]
    with js.trace(None) as trace:
        session.run(out, {x: FED})
    assert any(bar["name"] == "Session.run" for bar in trace.document["traceEvents"])
    assert json.loads(js.Timeline(metadata.step_stats).generate_chrome_trace_format())["traceEvents"]


PROGRAM = """
import numpy as np, jitscope as js
x = js.placeholder(js.float64, [None, 3])
w = js.Variable(np.ones(3))
with js.jit_scope():
    step = w.assign_sub(np.exp(x).sum(axis=0) * np.tanh(w))
with js.Session() as session:
    session.run(js.global_variables_initializer())
    session.run(step, {x: np.ones((2, 3))})
    print(session.run(step, {x: np.ones((2, 3))}).tolist(), js.counters().compilations, js.counters().loads)
"""


def test_another_process_finds_the_machine_code(tmp_path):
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(tmp_path / "cache")}
    seen = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        seen.append(done.stdout.rpartition("] ")[::2])
    assert seen[0][0] == seen[1][0]
    assert (seen[0][1].split(), seen[1][1].split()) == (["1", "0"], ["0", "1"])


def test_devices_that_are_not_there():
    x = js.placeholder(js.float64, [3])
    with js.device("/job:nowhere/device:GPU:7"):
        y = np.exp(x) + 1
    with pytest.raises(js.JitscopeError, match="GPU:7") as caught:
        js.Session().run(y, {x: np.ones(3)})
    assert "so:  there is /device:CPU:0, /device:JIT_CPU:0" in str(caught.value)
    assert session_at("OFF", allow_soft_placement=True).run(y, {x: np.ones(3)}).tolist() == [np.e + 1] * 3


def test_the_placement_of_operations_is_told(capsys):
    x = js.placeholder(js.float64, [3], name="x")
    with js.device("jit_cpu"):
        y = js.add(x, x, name="twice")
    z = js.multiply(y, y, name="square")
    session_at("OFF", log_device_placement=True).run(z, {x: np.ones(3)})
    here = "/job:localhost/replica:0/task:0/device:"
    told = capsys.readouterr().err.splitlines()
    assert told == [f"twice: (add): {here}JIT_CPU:0", f"square: (multiply): {here}CPU:0"]


def test_a_device_that_compiles_everything():
    x = js.placeholder(js.float64, [3])
    with js.device("/device:JIT_CPU:0"):
        y = js.add(x, x)
        z = np.linalg.inv(np.outer(x, x))
    session = js.Session()
    assert list(session.clusters(y, {x: np.ones(3)}).values()) == [["add"]]
    with pytest.raises(js.JitscopeError, match="JIT_CPU"):
        session.run(z, {x: np.ones(3)})


def test_what_can_not_be_compiled_runs_as_numpy(monkeypatch):
    x, out = mixed()
    session = session_at("ON_1")
    made = plan.generate_module

    def broken(wanted, graph):
        if wanted.jit_level != "none":
            raise RuntimeError("a fault of ours")
        return made(wanted, graph)

    monkeypatch.setattr(plan, "generate_module", broken)
    before = js.counters().fallbacks
    assert session.run(out, {x: FED}).tolist() == WANTED.tolist()
    assert session.run(out, {x: FED}).tolist() == WANTED.tolist()
    assert js.counters().fallbacks == before + 1
    monkeypatch.setattr(plan, "replay", lambda *_: 1 / 0)
    assert js.Session().run(out, {x: FED}).tolist() == WANTED.tolist()


def test_a_change_of_the_configuration_makes_plans_anew():
    x, out = mixed()
    session = session_at("ON_1")
    assert session.clusters(out, {x: FED})
    js.config.disable = True
    try:
        assert session.run(out, {x: FED}).tolist() == WANTED.tolist()
        assert session.clusters(out, {x: FED}) == {}
    finally:
        js.config.disable = False
    assert session.clusters(out, {x: FED})


@pytest.mark.parametrize(
    "names",
    [
        ("range", "exp", "plan"),
        ("float", "njit", "math"),
        ("np", "len", "max"),
        ("i", "n0", "cluster_0"),
        ("larger", "pairwise_sum", "tanh"),
        ("lambda", "None", "2.x"),
    ],
)
def test_names_of_operations_are_no_names_of_the_module(names):
    a, b, c = (js.placeholder(js.float64, [None, 3], name=name) for name in names)
    y = (np.tanh(a) * np.exp(b) + c).sum(axis=0) + np.maximum(a, b).max()
    for level in ("OFF", "ON_1"):
        session = session_at(level)
        found = session.run(y, {a: FED, b: FED * 2, c: FED + 1})
        right = (np.tanh(FED) * np.exp(FED * 2) + FED + 1).sum(axis=0) + np.maximum(FED, FED * 2).max()
        np.testing.assert_allclose(found, right, rtol=1e-13)
        assert bool(session.clusters(y, {a: FED, b: FED, c: FED})) == (level == "ON_1")


def test_nothing_is_copied_between_compiled_and_uncompiled_parts():
    x = js.placeholder(js.float64, [None])
    plain = np.sqrt(x)
    with js.jit_scope():
        inside = np.tanh(plain) * 2
    after = np.sqrt(inside)
    session = js.Session()
    fed = np.ones(1 << 18)
    call = session.make_callable(after, [x])
    call(fed)
    tracemalloc.start()
    result = call(fed)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.shape == fed.shape
    assert peak < 3.2 * fed.nbytes


def test_a_run_costs_a_few_microseconds():
    a, b = js.placeholder(js.float64, [None]), js.placeholder(js.float64, [None])
    rate = js.placeholder(js.float64, [])
    w = js.Variable(np.zeros(3))
    total, step = js.add(a, b), w.assign_sub(rate * w)
    session = js.Session()
    session.run(js.global_variables_initializer())
    call = session.make_callable(total, [a, b])
    fed = np.ones(3)

    def cost(work) -> float:
        work()
        return min(timeit.repeat(work, number=2000, repeat=9)) / 2000

    assert cost(lambda: call(fed, fed)) < 5e-6
    assert cost(lambda: session.run(total, {a: fed, b: fed})) < 10e-6
    assert cost(lambda: session.run(step, {rate: 0.5})) < 15e-6


def test_long_chains_are_compiled_in_lines_that_can_be_read():
    x = js.placeholder(js.float64, [None, 3])
    y = x
    with js.jit_scope():
        for k in range(500):  # of more, several kernels are made
            y = y + 1.5 * k
    wanted = js.Session().wanted(y, {x: FED})
    module = plan.generate_module(wanted, plan.stage(wanted)[1])
    assert (len(module.clusters), module.failed) == (1, ())
    assert max(map(len, module.text.splitlines())) < 120
    with js.jit_scope():
        z = x
        for _ in range(40):
            z = z * 0.5 + x
    expected = FED
    for _ in range(40):
        expected = expected * 0.5 + FED
    session = js.Session()
    assert len(session.clusters(z, {x: FED})["cluster_0"]) == 80
    np.testing.assert_array_equal(session.run(z, {x: FED}), expected)
