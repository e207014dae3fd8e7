"""Second derivatives of functions that write to memory: to their arguments, in loops, under several names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric_gradients import gradient
from numeric_hessians import by_differences, gradient_of

import jitscope as js

X = np.array([0.3, -0.5, 0.7, 0.9])


def written_in_while(x):
    n = 0
    while n < 3:
        n += 1
        x[n] *= np.sin(x[n - 1])
    return np.sum(x * x * x)


def written_in_while_after_a_write(x):
    x[0] = x[3] * x[1]
    n = 0
    while n < 3:
        n += 1
        x[1:] = np.sin(x[:-1]) * x[n]
    return np.sum(x * x * x)


def view_written_in_while(x):
    w = x[1:]
    n = 0
    while n < 3:
        n += 1
        w[n - 1] = np.sin(x[n - 1]) * x[n]
    return np.sum(x * x * x)


def written_in_inner_loop(x):
    for k in range(3):
        for i in range(2):
            x[k + 1] *= np.sin(x[k - i])
    return np.sum(x * x * x)


def written_as_a_whole(x):
    for k in range(3):
        x *= np.sin(x[k])
    return np.sum(x * x)


def written_until_a_break(x):
    for k in range(3):
        x[k] = np.sin(x[k + 1]) * x[k]
        if x[k] < -0.3:
            break
        x[k + 1] += x[k] * x[k]
    return np.sum(x * x * x)


def written_in_a_branch(x):
    if x[0] > 0.0:
        x[1] = x[0] * x[2]
        x[2] *= x[1]
    else:
        x[1] = 0.0
    return np.sum(x * x * x)


def swapped_in_while(x):
    y = x * 0.5
    n = 0
    while n < 4 and x[3] > -9.0:
        n += 1
        x, y = y, x
        y[:-1] = np.cos(x[1:] * x[0]) * 0.3
    return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y)


def swapped_until_a_break(x):
    y = x * 0.5
    for _ in range(2):
        for n in range(3):
            if x[3] < -9.0:
                break
            x, y = y, x
            y[:-1] += np.cos(x[1:] * x[0]) * 0.3
    return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y)


def rebound_then_written(x):
    y = np.zeros(4) + 0.5
    b = np.sum(y) * 0.2
    if b > 0.1:
        n = 0
        while n < 3 and np.sum(x) < 9.0:
            n += 1
            y = np.sin(np.sin(x[::-1]) * x[::-1])
    y[2] += 1.0 / (2.0 + (y[2] + b) * (y[2] + b))
    return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y)


def rebound_in_one_branch(x):
    y = x * 0.5
    if x[1] < 0.1:
        for k in range(4):
            y = y * y + x
            y[k - 2] *= 3.0
    return np.sum(y * y)


def changed_in_nested_branches(x):
    y = x * 0.5
    if x[0] > 0.2:
        if x[1] > 0.25:
            y = np.sin(y)
        else:
            y += x * x
    y *= y * x
    return np.sum(y * y)


def overwritten_after_branches(x):
    y = x * 0.5
    if x[2] > 0.35:
        if x[0] > 1.0:
            x = y.copy()
        else:
            y = np.tanh(x * x) * y[1]
    else:
        y[::2] = np.cos(x[1::2])
    y[::2] = 1.0 / (2.0 + y[1::2] * y[1::2])
    return np.sum(x * y) + np.sum(y * y)


PROGRAMS = [
    written_in_while,
    written_in_while_after_a_write,
    view_written_in_while,
    written_in_inner_loop,
    written_as_a_whole,
    written_until_a_break,
    written_in_a_branch,
    swapped_in_while,
    swapped_until_a_break,
    rebound_then_written,
    rebound_in_one_branch,
    changed_in_nested_branches,
    overwritten_after_branches,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(function: Any):
    (slope,) = gradient(function, (X,), 0)
    np.testing.assert_allclose(gradient_of(function)(X.copy()), slope, rtol=1e-6, atol=1e-8)
    expected = by_differences(function, X)
    x = X.copy()
    np.testing.assert_allclose(
        js.function(js.hessian(function), jit_level="off")(x), expected, rtol=1e-7, atol=1e-8
    )
    after = X.copy()
    function(after)
    np.testing.assert_allclose(x, after, rtol=1e-13)
    direction = np.array([0.3, -0.5, 0.7, 0.2])
    _, product = js.jvp(gradient_of(function), (X.copy(),), (direction,))
    np.testing.assert_allclose(product, expected @ direction, rtol=1e-7, atol=1e-8)
