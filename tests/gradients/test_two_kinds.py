"""Variables that are one of two kinds of numbers, a Python float or a np.float64, in NumPy's functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric_gradients import assert_close, gradient

import jitscope as js

SMALL, LARGE = np.array([0.1, 0.2, -0.3, 0.4]), np.array([1.0, 2.0, -3.0, 4.0])


def clipped(x):
    n = np.sqrt(np.sum(x * x))
    scale = 1.0
    if n > 1.0:
        scale = 1.0 / n
    y = x.copy()
    y[0] += np.cos(scale)
    y *= scale
    return np.sum(y * x)


def sum_of_positive(x):
    s = 0.0
    for v in x:
        if v > 0:
            s += v
    return np.sin(s) * s


def replaced(x, s: float = 0.3):
    b = np.sum(x)
    for k in range(3):
        x[k] *= np.sin(b)
        b = s
    return np.sum(x) * np.tanh(b)


@pytest.mark.parametrize("x", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("function", [clipped, sum_of_positive, replaced], ids=lambda f: f.__name__)
def test_gradients_are_differences(function: Any, x: np.ndarray):
    value, found = js.function(js.value_and_grad(function), jit_level="off")(x.copy())
    assert value == pytest.approx(function(x.copy()), rel=1e-13)
    assert_close(found, gradient(function, [x], 0))


def called(x, single, flag: bool):
    a, b, c = 2, 3.0, 0
    if flag:
        a = np.sum(x)
    if x[0] > 0.5:
        b = x[1] * 1.0
        c = np.float64(x[2])
    numbers = np.add(a, b), np.sin(a), np.maximum(a, b), np.hypot(b, c), np.add(c, a), np.multiply(c, c)
    return (*numbers, np.multiply(x, b), np.add(single, b), np.add(single, c), np.arctan2(b, x), -np.exp(b))


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("x", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("level", ["off", "on"])
def test_results_are_of_numpys_kind(x: np.ndarray, flag: bool, level: Any):
    single = np.float32([1.5, 2.5])
    found, expected = js.function(called, jit_level=level)(x, single, flag), called(x, single, flag)
    for mine, plain in zip(found, expected, strict=True):
        assert type(mine) is type(plain)
        assert mine.dtype == plain.dtype
        np.testing.assert_allclose(mine, plain, rtol=1e-15)
