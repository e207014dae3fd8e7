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
