"""Random numbers are constants of the run: the gradient has those that the run has drawn."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import needs_compiler

import jitscope as js

X = np.array([0.3, -0.2, 0.5, 0.9])


def weighted(x):
    return np.sum(x * np.random.normal(size=4))


def noisy_steps(x):
    rng = np.random.default_rng(0)
    m = rng.random(4)
    for _ in range(3):
        x = x * m + 0.1 * rng.normal(size=4)
    return np.sum(x * x)


@needs_compiler
@pytest.mark.parametrize("function", [weighted, noisy_steps], ids=lambda f: f.__name__)
def test_numbers_that_were_drawn_are_constants(function):
    def at(x):
        np.random.seed(1)
        return function(x)

    steps = 1e-6 * np.eye(4)
    expected = np.array([(at(X + h) - at(X - h)) / 2e-6 for h in steps])
    np.random.seed(1)
    np.testing.assert_allclose(js.grad(function)(X.copy()), expected, atol=1e-8)


@needs_compiler
def test_what_is_drawn_may_not_depend_on_x():
    def shifted(x):
        return np.sum(np.random.normal(x))

    with pytest.raises(js.JitscopeError, match=r"np\.random\.normal\(x\) can't be differentiated"):
        js.grad(shifted)(X)


def one_by_one(x, n, rng):
    s = 0.0
    y = x
    for _ in range(n):
        if rng.random() < 0.5:
            y = y * (1 + 0.1 * rng.normal())
        else:
            y = y + np.sin(y) * rng.random() * rng.integers(3)
        s += y * rng.exponential(2.0)
    return s


def arrays_one_by_one(x, n, rng):
    y = np.array([x, 1.0, x * x])
    for _ in range(n):
        y = np.sin(y) * rng.normal(size=3)
    return y.sum()


def until(x, n, rng):
    y = x
    k = 0
    while y < 50.0 and k < n:
        y = y + x * rng.random()
        k += 1
    return y * k


def left_early(x, n, rng):
    y = x
    for _ in range(n):
        y = y * (1 + rng.random()) + np.sin(y)
        if rng.random() < 0.1:
            break
    return y


@needs_compiler
@pytest.mark.parametrize("function", [one_by_one, arrays_one_by_one, until, left_early])
def test_numbers_that_loops_draw_are_kept(function):
    def drawn_from(x):
        rng = np.random.default_rng(4)
        return function(x, 40, rng), rng.random()

    expected = (drawn_from(1.3 + 1e-6)[0] - drawn_from(1.3 - 1e-6)[0]) / 2e-6
    slope_of = js.value_and_grad(function)
    for _ in range(2):
        rng = np.random.default_rng(4)
        value, slope = slope_of(1.3, 40, rng)
        assert (value, rng.random()) == drawn_from(1.3)
        np.testing.assert_allclose(slope, expected, rtol=1e-5)


@needs_compiler
def test_numbers_of_inner_loops_are_refused():
    def nested(x, n, rng):
        for _ in range(n):
            for _ in range(3):
                x = np.sin(x) * rng.normal()
        return x

    with pytest.raises(js.JitscopeError, match="it can't be run twice"):
        js.grad(nested)(1.3, 4, np.random.default_rng(4))
