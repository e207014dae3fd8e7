"""The softmax tutorial's training step in a session, with JIT against without, and what a timeline costs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from measure import Row, no_slower, shown
from timing import take_turns

import jitscope as js

TURNS = 4000
"""Turns of one call each: a turn of many would seldom have the machine to itself."""


def training_step(dtype: Any) -> tuple[Any, list[Any], dict[Any, np.ndarray]]:
    """The graph of a step on a batch of 100 pictures of 784 pixels: it, what is fetched, what is fed."""
    rng = np.random.default_rng(1)
    graph = js.Graph()
    with graph.as_default():
        x, wanted = js.placeholder(dtype, [None, 784]), js.placeholder(dtype, [None, 10])
        w, b = js.Variable(np.zeros((784, 10), dtype)), js.Variable(np.zeros(10, dtype))
        logits = js.matmul(x, w) + b
        loss = js.reduce_mean(js.nn.softmax_cross_entropy_with_logits(labels=wanted, logits=logits))
        step = js.train.GradientDescentOptimizer(0.5).minimize(loss)
    digits = np.eye(10, dtype=dtype)[rng.integers(0, 10, 100)]
    drawn = rng.random((100, 784)) < 0.19  # as many pixels as MNIST's have ink
    return graph, [loss, step], {x: (rng.random((100, 784)) * drawn).astype(dtype), wanted: digits}


def sessions(dtype: Any) -> dict[str, partial[Any]]:
    """A call that runs one step, for a session without and one with JIT."""
    graph, fetches, feeds = training_step(dtype)
    runs = {}
    for name, level in (("off", js.OptimizerOptions.OFF), ("on", js.OptimizerOptions.ON_1)):
        config = js.ConfigProto()
        config.graph_options.optimizer_options.global_jit_level = level
        session = js.Session(graph=graph, config=config)
        with graph.as_default():
            session.run(js.global_variables_initializer())
        runs[name] = partial(session.run, fetches, feeds)
    return runs


def tutorial_steps() -> list[Row]:
    """A step with JIT may take 0.6 times as long as one without, in the tutorial's own float32."""
    rows = []
    for dtype in (np.float32, np.float64):
        runs = sessions(dtype)
        losses = [run()[0] for run in runs.values()]
        np.testing.assert_allclose(losses[0], losses[1], rtol=1e-5)
        times = take_turns(runs, TURNS)
        what = f"session: a softmax training step, 100 x 784, {dtype.__name__}; without JIT"
        row = no_slower(what, times["on"], times["off"], 0.6)
        rows.append(row if dtype is np.float32 else replace(row, target=""))
    return rows


def timeline_costs() -> list[Row]:
    """What a timeline adds to a call of 200 operations, for each of them; and nothing when there is none."""

    @js.function(jit_level="off")
    def chain(x: np.ndarray) -> np.ndarray:
        for _ in range(200):
            x = np.negative(x)
        return x

    x = np.ones(10)
    chain(x)
    plain = take_turns({"call": partial(chain, x)}, TURNS)["call"]
    with js.trace(None):
        traced = take_turns({"call": partial(chain, x)}, TURNS)["call"]
    bar = (traced - plain) / 200
    what = "timeline: one bar; one NumPy call on 10 numbers"
    return [Row(what, shown(bar), shown(plain / 200), f"{bar * 1e6:.2f} us", "<= 1 us", bar <= 1e-6)]
