"""Which of two functions takes less time: what Python does for the whole program meanwhile is not counted."""

from __future__ import annotations

import functools
import gc
import operator
import time

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate

import jitscope as js
from jitscope.runtime import trial as trials
from jitscope.runtime.trial import CALLS, LONG, MOST_CALLS, ROUNDS, LoopTrial, Runs, Trial

ALIVE = [[k] for k in range(200_000)]


def collecting() -> None:
    gc.collect()


def waiting() -> None:
    time.sleep(0.004)


@pytest.mark.parametrize(("trial", "calls"), [(Trial, CALLS), (LoopTrial, 2 * ROUNDS + 1)])
def test_collections_of_garbage_are_not_the_calls_own_time(trial, calls) -> None:
    began = time.perf_counter()
    gc.collect()
    assert time.perf_counter() - began > 0.004
    told: list[bool] = []
    watched = trial(Runs(collecting, waiting, nothing), told.append)
    for _ in range(calls):
        watched()
        if told:
            break
    assert told == [False]
    assert not any("Watch" in repr(callback) for callback in gc.callbacks)


def test_what_raises_leaves_nothing_behind() -> None:
    def failing() -> None:
        raise ValueError("no")

    watched = Trial(Runs(failing, waiting, nothing), lambda slower: None)
    before = list(gc.callbacks)
    with pytest.raises(ValueError):
        watched()
    assert gc.callbacks == before


def nothing(*values: object) -> None:
    return None


def slowly(*values: object) -> None:
    time.sleep(0.002)


@pytest.mark.parametrize(("compiled", "plain", "slower"), [(slowly, nothing, True), (nothing, slowly, False)])
def test_the_plain_function_has_to_be_clearly_faster(compiled, plain, slower) -> None:
    told: list[bool] = []
    watched = Trial(Runs(compiled, plain, nothing), told.append)
    for _ in range(CALLS):
        assert not told
        watched(np.zeros(3), [1, 2])
    assert told == [slower]


def test_only_calls_with_arguments_of_the_same_sizes_are_compared() -> None:
    told: list[bool] = []
    watched = Trial(Runs(slowly, nothing, nothing), told.append)
    for n in (5, 5, 6, 6, 5, 5):
        watched(np.zeros(n), list(range(n)), "text")
    assert not told
    watched(np.zeros(5), list(range(5)), "another")
    assert told == [True]


def test_calls_that_always_differ_end_it() -> None:
    told: list[bool] = []
    watched = Trial(Runs(slowly, nothing, nothing), told.append)
    for n in range(MOST_CALLS):
        watched(np.zeros(n))
    assert told == [False]


def test_many_short_calls_decide_as_well() -> None:
    told: list[bool] = []
    watched = Trial(Runs(lambda: sum(range(200)), nothing, nothing), told.append)
    for _ in range(MOST_CALLS):
        assert not told
        watched()
    assert told == [True]


def waves(x, n):
    return np.sqrt(x * x + n) + x, n


def waves_in_a_loop(x, n):
    for k in range(n):
        x = np.sqrt(x * x + k)
    return x, n


def waves_in_a_scope(x, n):
    with js.jit_scope():
        y = np.sqrt(x * x + n)
    return y, n


@needs_compiler
@pytest.mark.parametrize("function", [waves, waves_in_a_loop])
def test_only_what_numpy_does_in_as_many_loops_is_on_trial(function, monkeypatch) -> None:
    monkeypatch.setattr(trials, "CLEARLY", 1e9)
    monkeypatch.setattr(trials, "SHORT", 0.0)
    decorated = decorate(function)
    for n in (2, 3, 2, 2, 3, 4):
        compare(function, decorated, (np.linspace(0, 1, 50), n))
    assert has_compiled_part(decorated)
    told = "plain Python, which took less time" in str(decorated.explain(np.linspace(0, 1, 50), 2))
    assert told is (function is waves)


@needs_compiler
def test_what_must_be_compiled_is_not_on_trial(monkeypatch) -> None:
    monkeypatch.setattr(trials, "CLEARLY", 1e9)
    monkeypatch.setattr(trials, "SHORT", 0.0)
    strict, scoped = js.function(waves, strict=True), js.function(waves_in_a_scope)
    gradient = js.grad(lambda x: np.sqrt(x * x + 1).sum())
    for _ in range(CALLS + 2):
        strict(np.ones(4), 3)
        assert np.allclose(scoped(np.ones(4), 3)[0], 2)
        assert np.allclose(gradient(np.ones(4)), 0.5**0.5)
    for function in (strict, scoped):
        assert "took less time" not in str(function.explain())


def at_length(*values: object) -> None:
    time.sleep(0.02)


@pytest.mark.parametrize(("taking", "slower"), [(at_length, True), (nothing, False)])
def test_loops_that_mostly_take_lists_over_are_compared_however_long_they_take(taking, slower) -> None:
    assert LONG < 0.002
    told: list[bool] = []
    watched = LoopTrial(Runs(slowly, nothing, taking), told.append)
    for _ in range(2 * ROUNDS + 1):
        watched([1, 2])
        if told:
            break
    assert told == [slower]


def eliminated(rows, n):
    a = [row[:] for row in rows]
    sign = 1
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i][k]))
        if p != k:
            a[k], a[p] = a[p], a[k]
            sign = -sign
        for i in range(k + 1, n):
            a[i][k] /= a[k][k]
            f = a[i][k]
            for j in range(k + 1, n):
                a[i][j] -= f * a[k][j]
    return functools.reduce(operator.mul, (a[i][i] for i in range(n)), float(sign)), a


@needs_compiler
def test_such_a_loop_is_put_back() -> None:
    rows = (np.random.default_rng(3).random((60, 60)) + 60 * np.eye(60)).tolist()
    decorated = decorate(eliminated, cache=False)
    for _ in range(3):
        compare(eliminated, decorated, (rows, 60), calls=1)
    assert decorated.__jitscope__.outlining.left
    assert decorated.__jitscope__.outlining.made is None  # no other loop of it can leave the function
