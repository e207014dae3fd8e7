"""Gradients of gradients: what one reverse pass made is gone back through by another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numeric_gradients import gradient
from traced_gradients import gradients_of

import jitscope as js

X = np.array([0.3, -1.2, 0.8, 2.1, -0.4])


def values(x):
    return (np.sin(x) * x[::-1] + x**3).sum()


def views_and_stores(x):
    y = x * x
    y[1:] *= x[:-1]
    y[0] = y[1] * y[2]
    return (y * y).sum()


def branch(x):
    s = x[0] * x[1]
    if x[2] > 0.0:
        s = s * x[3] * x[3]
    else:
        s = s + np.exp(x[2])
    return s * s


def loop(x):
    y = x
    for i in range(4):
        y = y * x + np.sin(y)
    return y.sum()


def loop_in_place(x):
    y = x.copy()
    for i in range(1, 5):
        y[i] = y[i] * y[i - 1] + x[0] * y[i]
    return (y * y).sum()


def nested(x):
    y = x.copy()
    for _ in range(2):
        for i in range(1, 5):
            y[i] = y[i] * y[i - 1] * 0.5 + x[i]
    return y.sum()


def counted(x):
    s = x[0] * x[0]
    k = 0
    while k < 3:
        s = s * x[1] + x[2] * s * s * 0.1
        k += 1
    return s


def breaking(x):
    s = 1.0
    for i in range(5):
        s = s + x[i] * x[i] * s
        if s > 4.0:
            break
    return s * x[0]


PROGRAMS = [values, views_and_stores, branch, loop, loop_in_place, nested, counted, breaking]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives_are_differences_of_first(function: Any, tmp_path: Path):
    def slope(x):
        return (js.grad(function)(x) * x).sum()

    def plain(x):
        return float((gradient(function, (x,), 0)[0] * x).sum())

    (found,) = gradients_of(slope, (X,), [0], tmp_path, value=False)
    np.testing.assert_allclose(found, gradient(plain, (X,), 0)[0], rtol=1e-6, atol=1e-6)
