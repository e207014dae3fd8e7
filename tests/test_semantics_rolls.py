"""`np.roll` by one, forwards and backwards, along any axis: two slices in a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same

import jitscope as js

RNG = np.random.default_rng(5)


def diffused(u, steps):
    for _ in range(steps):
        u = u + 0.1 * (
            np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, axis=1) - 4 * u
        )
    return u


def alive(u, steps):
    for _ in range(steps):
        rows = np.roll(u, 1, 0) + u + np.roll(u, -1, 0)
        n = np.roll(rows, 1, 1) + rows + np.roll(rows, -1, 1) - u
        u = ((n == 3) | ((u == 1) & (n == 2))).astype(u.dtype)
    return u


@needs_compiler
@pytest.mark.parametrize("function", [diffused, alive], ids=lambda f: f.__name__)
def test_neighbours(function: Callable[..., Any]):
    compiled = decorate(function)
    for shape in ((7, 9), (1, 1), (1, 6), (2, 2), (0, 3)):
        compare(function, compiled, (RNG.integers(0, 2, shape).astype(float), 4), calls=2)
    assert has_compiled_part(compiled)


def rolled(x, k):
    return (
        np.roll(x, 1),
        np.roll(x, -1),
        np.roll(x, k),
        np.roll(x, 1, 0),
        np.roll(x, [1], axis=0),
        np.roll(x, 0),
    )


@pytest.mark.parametrize("dtype", [float, np.float32, int, bool, complex, "U2"])
def test_any_array(dtype: Any):
    x = np.arange(12).astype(dtype)
    for array in (x, x[:0], x[:1], x[::2], x[::-1], x.reshape(3, 4), x.reshape(3, 4).T, x.reshape(2, 3, 2)):
        same(rolled, array, 5)


def test_a_roll_is_a_new_array():
    def written(x):
        y = np.roll(x, 1)
        y[0] = 9.0
        x[1] = 7.0
        return x, y

    same(written, np.arange(4.0))


def test_derivatives_come_back_rolled():
    def loss(x):
        return np.sum(np.roll(x, 1) * x * x + np.roll(x, -1) ** 3)

    x = RNG.normal(size=6)
    expected = 2 * x * np.roll(x, 1) + np.roll(x, -1) ** 2 + 3 * x**2
    np.testing.assert_allclose(js.grad(loss)(x), expected, rtol=1e-13)
