"""`js.trace`: which bars a timeline has, where they are, and that nothing is left of it afterwards."""

from __future__ import annotations

import inspect
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traces import bars, check_document, names

import jitscope as js
from jitscope.runtime import timed


def step(x, w, iterations):
    h = np.tanh(x @ w + 1.0)
    with js.jit_scope():
        g = np.exp(h) * 2.0 - h
    for _ in range(iterations):
        if np.any(g > 9.0):
            break
        g = np.sqrt(g)
    return g


STEP = ["matmul", "add", "tanh", "_JitLaunch"]
TRIP = ["greater", "any", "sqrt"]
X, W = np.ones((4, 3)), np.full((3, 5), 0.1)
by_hand = js.function(step, jit_level="off")
whole = js.function(step)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    by_hand(X, W, 2)
    whole(X, W, 2)


def traced(f: Any, *args: Any) -> dict[str, Any]:
    """The timeline of one call."""
    began = time.perf_counter()
    with js.trace(None) as trace:
        f(*args)
    check_document(trace.document, (time.perf_counter() - began) * 1e6)
    return trace.document


def test_without_jit_each_operation_has_a_bar_in_program_order() -> None:
    document = traced(by_hand, X, W, 2)
    assert names(document) == STEP + TRIP + TRIP
    matmul, add, *_ = bars(document)
    assert matmul["args"]["inputs"] == ("x", "w")
    assert add["args"]["inputs"][0] == matmul["args"]["name"]
    assert matmul["args"]["source"].endswith("h = np.tanh(x @ w + 1.0)")


def test_with_jit_a_cluster_is_one_launch() -> None:
    document = traced(whole, X, W, 2)
    assert names(document) == ["_JitLaunch"]
    launch = bars(document)[0]["args"]
    assert launch["cluster"] == "cluster_0"
    assert {"matmul", "tanh", "exp", "sqrt", "for"} <= set(launch["nodes"])


def test_a_launch_names_its_scope() -> None:
    launch = next(bar for bar in bars(traced(by_hand, X, W, 0)) if bar["name"] == "_JitLaunch")
    assert launch["args"]["scope"] == "jit_scope_0"
    assert launch["args"]["nodes"] == ("exp", "multiply", "subtract")


def test_the_call_itself_is_a_bar_around_its_operations() -> None:
    document = traced(by_hand, X, W, 1)
    (call,) = bars(document, "Function")
    assert call["name"] == "step"
    assert call["args"]["source"].startswith("test_timeline.py:")
    for bar in bars(document):
        assert call["ts"] <= bar["ts"]
        assert bar["ts"] + bar["dur"] <= call["ts"] + call["dur"] + 1e-4


def test_the_stages_of_the_compiler_are_bars_in_a_lane_of_their_own() -> None:
    def fresh(x):
        return np.sinh(x) * 3.0 + np.cosh(x)

    document = traced(js.function(fresh, cache=False), X)
    stages = names(document, "Compile")
    passes = [step.__name__ for step in __import__("jitscope.graph.passes", fromlist=["x"]).PIPELINE]
    wanted = ["convert", "trace", *passes, "generate", "compile", "compile cluster_0", "instrument"]
    assert [name for name in stages if name in wanted] == wanted
    lanes = {e["pid"]: e["args"]["name"] for e in document["traceEvents"] if e["name"] == "process_name"}
    assert {lanes[bar["pid"]] for bar in bars(document, "Compile")} == {"jitscope compiler"}
    assert {lanes[bar["pid"]] for bar in bars(document)} == {
        "/job:localhost/replica:0/task:0/device:CPU:0 Compute"
    }


def test_loading_from_disk_is_a_stage_and_operations_still_have_bars(tmp_path: Path) -> None:
    before = js.config.cache_dir
    js.config.cache_dir = tmp_path
    try:
        f = js.function(step, jit_level="off")
        expected = f(X, W, 2)
        f.clear()
        document = traced(f, X, W, 2)
        np.testing.assert_array_equal(f(X, W, 2), expected)
    finally:
        js.config.cache_dir = before
    assert "load" in names(document, "Compile")
    assert "compile" not in names(document, "Compile")
    assert names(document) == STEP + TRIP + TRIP


def test_a_call_that_runs_plain_is_one_bar() -> None:
    def refused(x):
        try:
            return x * 2
        finally:
            pass

    f = js.function(refused)
    document = traced(f, 4)
    assert names(document, "Function") == ["test_a_call_that_runs_plain_is_one_bar.<locals>.refused"]
    assert names(document) == []
    try:
        js.config.disable = True
        assert names(traced(by_hand, X, W, 1), "Function") == ["step"]
    finally:
        js.config.disable = False


def test_opaque_calls_are_named_after_what_they_call() -> None:
    def listed(x):
        found = []
        for row in np.linalg.eigvals(x):
            found.append(abs(row))
        return sorted(found)

    shown = names(traced(js.function(listed, jit_level="off"), np.eye(3)))
    assert "linalg.eigvals" in shown
    assert "sorted" in shown


def test_exceptions_pass_and_leave_their_bars() -> None:
    def failing(x, k):
        y = x + 1.0
        return np.linalg.inv(y) if k else y[7]

    f = js.function(failing, jit_level="off", cache=False)
    with pytest.raises(np.linalg.LinAlgError), js.trace(None) as trace:
        f(np.full((2, 2), -1.0), 1)
    check_document(trace.document)
    assert names(trace.document)[0] == "add"
    assert len(bars(trace.document, "Function")) == 1


def test_traced_calls_give_the_same_answers_and_write_the_same_memory() -> None:
    def writing(a, b):
        a[1:] += b[:-1]
        np.multiply(a, 2.0, out=b)
        return a[::2], b.sum()

    f = js.function(writing, jit_level="off")
    pairs = [(np.arange(6.0), np.linspace(0, 1, 6)) for _ in range(2)]
    expected = writing(*pairs[0])
    with js.trace(None) as trace:
        got = f(*pairs[1])
    np.testing.assert_array_equal(got[0], expected[0])
    assert got[1] == expected[1]
    assert type(got[1]) is type(expected[1])
    assert got[0].base is pairs[1][0]
    np.testing.assert_array_equal(pairs[0], pairs[1])
    assert "multiply" in names(trace.document)


def test_nothing_of_a_trace_is_left_in_later_calls() -> None:
    with js.trace(None) as trace:
        by_hand(X, W, 1)
    count = len(trace.document["traceEvents"])
    by_hand(X, W, 1)
    concrete = by_hand.get_concrete_function(X, W, 1)
    assert set(by_hand.__jitscope__.binder.table.values()) == {concrete.entry}
    assert "_js_" not in concrete.text
    assert inspect.getclosurevars(concrete.entry).nonlocals["_js_driver"] is concrete.driver
    assert len(trace.document["traceEvents"]) == count


def test_concrete_functions_are_traced_too() -> None:
    assert names(traced(by_hand.get_concrete_function(X, W, 1), X, W, 1)) == STEP + TRIP


def test_derivatives_have_bars_of_their_own_name() -> None:
    def energy(x):
        return np.sum(np.sin(x) * x)

    gradient = js.grad(energy)
    document = traced(gradient, X)
    (call,) = names(document, "Function")
    assert call.startswith("grad_")
    assert call.endswith("energy")
    assert "_JitLaunch" in names(document)


def test_traces_inside_traces_get_their_own_part() -> None:
    with js.trace(None) as outer:
        by_hand(X, W, 0)
        with js.trace(None) as inner:
            by_hand(X, W, 1)
        by_hand(X, W, 0)
    assert names(inner.document) == STEP + TRIP
    assert names(outer.document) == STEP + STEP + TRIP + STEP


def test_where_no_driver_with_bars_can_be_made_launches_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError

    f = js.function(step, jit_level="off")
    expected = f(X, W, 2)
    monkeypatch.setattr(timed, "_timed_text", fails)
    with js.trace(None) as trace:
        got = f(X, W, 2)
    np.testing.assert_array_equal(got, expected)
    assert names(trace.document) == ["_JitLaunch"]


def test_a_bar_costs_about_a_microsecond() -> None:
    def chain(x):
        for _ in range(300):
            x = np.negative(x)
        return x

    f = js.function(chain, jit_level="off")

    def fastest() -> float:
        times = []
        for _ in range(30):
            start = time.perf_counter()
            f(X)
            times.append(time.perf_counter() - start)
        return min(times)

    f(X)
    plain = fastest()
    with js.trace(None):
        slower = fastest()
    assert (slower - plain) / 300 < 3e-6  # 0.4 µs on an idle machine
