"""`js.trace`: threads have lanes, and what the timeline does itself stands in none."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from traces import bars, check_document, names

import jitscope as js

X, W = np.ones((4, 3)), np.full((3, 5), 0.1)


@js.function(jit_level="off")
def by_hand(x, w, iterations):
    h = np.tanh(x @ w)
    for _ in range(iterations):
        h = np.sqrt(h)
    return h


def summed() -> tuple[Any, Any, js.Graph]:
    """A placeholder, the sum of its elements, and their graph."""
    graph = js.Graph()
    with graph.as_default():
        x = js.placeholder(np.float64, [None, None])
        return x, js.reduce_sum(x), graph


def test_threads_have_lanes_with_their_names() -> None:
    x, total, graph = summed()

    def work() -> None:
        by_hand(X, W, 1)
        with js.Session(graph=graph) as session:
            session.run(total, {x: X})

    with js.trace(None) as trace:
        # One after another: each gets the identifier that the one before has left.
        for k in range(3):
            worker = threading.Thread(target=work, name=f'worker "{k}" <ü>')
            worker.start()
            worker.join()
    check_document(trace.document)
    events = trace.document["traceEvents"]
    named = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert named == {k + 1: f'worker "{k}" <ü>' for k in range(3)}
    for k in named:
        mine = {**trace.document, "traceEvents": [e for e in events if e["tid"] == k]}
        assert names(mine, "Function") == ["by_hand"]
        assert names(mine, "Run") == ["Session.run"]
        assert names(mine).count("matmul") == 1


def test_a_thread_that_goes_on_from_one_trace_to_the_next_keeps_its_name() -> None:
    steps = [threading.Event() for _ in range(4)]

    def wait(k: int) -> None:
        steps[k].set()
        assert steps[k + 1].wait(60)

    @js.function(jit_level="off")
    def long(x):
        y = np.sin(x)
        wait(0)
        z = np.cos(y)
        wait(2)
        return z

    with js.trace(None):
        worker = threading.Thread(target=long, args=(X,), name="long")
        worker.start()
        assert steps[0].wait(60)
    with js.trace(None) as second:
        by_hand(X, W, 0)
        steps[1].set()
        assert steps[2].wait(60)
    steps[3].set()
    worker.join()
    events = second.document["traceEvents"]
    (cosine,) = (e for e in events if e["name"] == "cos")
    assert cosine["tid"] == 1
    assert {e["tid"] for e in events if e["name"] == "matmul"} == {0}


def test_what_the_timeline_itself_does_is_not_in_the_bars() -> None:
    """The first traced call of what is compiled already: its driver gets bars before its own bar begins."""
    f = js.function(by_hand.python_function, jit_level="off")
    f(X, W, 0)
    x, total, graph = summed()
    with js.Session(graph=graph) as session:
        session.run(total, {x: X})
        with js.trace(None) as trace:
            f(X, W, 0)
            session.run(total, {x: X})
    check_document(trace.document)
    made = bars(trace.document, "Compile")
    assert [bar["name"] for bar in made if bar["name"] == "instrument"] == ["instrument"] * 2
    for call in (*bars(trace.document, "Function"), *bars(trace.document, "Run")):
        assert not [bar["name"] for bar in made if call["ts"] < bar["ts"] < call["ts"] + call["dur"]]
