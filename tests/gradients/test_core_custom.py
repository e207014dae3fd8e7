"""Gradients that users give, and gradients that they stop."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from traced_gradients import gradients_of

import jitscope as js

X = np.array([0.3, -1.2, 0.8])


@js.custom_gradient
def clipped(x):
    e = np.exp(x)

    def rule(bar):
        return bar * np.minimum(e, 1.0)

    return e * 2.0, rule


@js.custom_gradient
def scaled(x, k: float):
    return x * k, lambda bar: (bar * 10.0, (bar * x).sum())


def once(x):
    return clipped(x) * x


def in_loop(x, n: int):
    for _ in range(n):
        x = clipped(x) * 0.25
    return x


def overwritten(x):
    y = x * 2.0
    z = scaled(y, 3.0)
    y[:] = 0.0
    return z + y


def in_branch(x):
    if x[0] > 0:
        y = scaled(x, 2.0)
    else:
        y = x
    return y.sum()


def stopped(x):
    return js.stop_gradient(x * x) * x


def test_the_rule_is_used(tmp_path: Path):
    (found,) = gradients_of(once, (X,), [0], tmp_path)
    np.testing.assert_allclose(found, 2 * np.exp(X) + X * np.minimum(np.exp(X), 1))


def test_the_rule_is_used_in_loops(tmp_path: Path):
    (found,) = gradients_of(in_loop, (X, 3), [0], tmp_path)
    expected, x = np.ones(3), X
    for _ in range(3):
        expected = expected * 0.25 * np.minimum(np.exp(x), 1)
        x = 0.5 * np.exp(x)
    np.testing.assert_allclose(found, expected)


def test_the_rule_sees_what_the_function_saw(tmp_path: Path):
    (found,) = gradients_of(overwritten, (X,), [0], tmp_path)
    np.testing.assert_allclose(found, np.full(3, 20.0))


def test_the_rule_is_used_in_branches(tmp_path: Path):
    (found,) = gradients_of(in_branch, (X,), [0], tmp_path)
    np.testing.assert_allclose(found, np.full(3, 10.0))


def test_nothing_passes_stop_gradient(tmp_path: Path):
    (found,) = gradients_of(stopped, (X,), [0], tmp_path)
    np.testing.assert_allclose(found, X * X)


def test_a_function_of_which_nothing_is_compiled_has_its_gradients(tmp_path: Path):
    @js.function
    def slope(x: float):
        return js.gradients(x * x, x)

    assert slope(3.0) == [6.0]
