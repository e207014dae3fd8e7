"""Gradients of programs whose parts run again in the reverse pass: what is kept, where, under which name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

import jitscope as js

X = np.array([0.3, 0.5, 0.8, 1.1])


def results_kept_of_what_is_overwritten(x, s: float):
    y = np.zeros(4) + 0.5 * s
    if s < 9.0:
        x[1:] = np.tanh(y[:-1])
    else:
        return y[1] + np.sum(x)
    x *= np.sin(x) * y
    for _ in range(3):
        x[:] += np.cos(y)
    return np.sum(x * np.arange(1.0, 5.0))


def branch_makes_state(x, s: float):
    y = np.zeros(4) + 0.5 * s
    for _ in range(2):
        if s < -0.2:
            y = np.sin(x)
        y += np.sin(y)
    return np.sum(y)


def loop_in_loop_kept(x, s: float):
    y = np.zeros(4) + 0.5 * s
    a = np.sum(x) * 0.1
    for _ in range(4):
        y[1:] = np.cos(y[:-1]) * s
        n = 0
        while n < 4 and 1.0 / (2.0 + a * a) > 0.1:
            n += 1
            x[:] += 1.0 / (2.0 + y * y) * a
    return np.sum(x * np.arange(1.0, 5.0))


def swapped_and_continued(x, s: float):
    y = np.zeros(4) + 0.5 * s
    a = np.sum(x)
    for _ in range(3):
        x, y = y, x
        x[:-1] = np.cos(y[1:]) * a
        continue
    return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y)


def written_and_perhaps_replaced(x, s: float):
    y = np.zeros(4) + 0.5 * s
    n = 0
    while n < 3 and s < 5.0:
        n += 1
        x[1] = np.sin(y[-1]) * s
        m = 0
        while m < 3 and s < -0.2:
            m += 1
            x = y.copy()
    x *= np.cos(x) * s
    return np.sum(x * np.arange(1.0, 5.0))


def asked_of_what_changes(x, s: float):
    y = np.zeros(4) + 0.5 * s
    for _ in range(4):
        n = 0
        while n < 4 and np.cos(x[1]) * s < 0.7:
            n += 1
            x = np.tanh(np.tanh(y) * (s - 0.5 * x[0]))
    x *= 1.0 / (2.0 + np.sin(y) * s)
    return np.sum(x * np.arange(1.0, 5.0))


def view_from_before(x, s: float):
    t = 0.0
    v = x[1:]
    for _ in range(3):
        y = x * 2.0
        n = 0
        while n < 4 and np.sum(v) * y[1:].sum() < 30.0:
            n += 1
            y *= 1.5 + v[0]
            x += s
        t += np.sum(y)
    return t


def bound_again_in_branches(x, s: float):
    v = x[::2]
    for k in range(3):
        if k == 1:
            x *= s
        else:
            x += v[0]
        x[k] = v[1] * s
    return np.sum(x * v[1])


def one_adjoint_for_two_branches(x, s: float):
    y = np.zeros(4) + 0.5 * s
    if s < 0.1:
        x = x * 2.0
        y[:-1] += np.sin(x[1:])
    elif s > 0.35:
        x, y = y, x
    return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y)


CASES: list[Any] = [
    results_kept_of_what_is_overwritten,
    branch_makes_state,
    loop_in_loop_kept,
    swapped_and_continued,
    written_and_perhaps_replaced,
    asked_of_what_changes,
    view_from_before,
    bound_again_in_branches,
    one_adjoint_for_two_branches,
]


@pytest.mark.parametrize("s", [0.05, 0.3, 0.8])
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_gradients_are_differences(function: Any, s: float, tmp_path: Path):
    check(function, (X, s), tmp_path)


def left_by_break(x):
    y = x * 0.5
    for k in range(3):
        if x[1] > 5.0:
            break
        y[3 - k] = np.sin(y[k]) * x[k]
    return np.sum(y * y)


def writes_while(x):
    n, a = 0, np.sum(x)
    while n < 3 and a > -99:
        n += 1
        a *= 0.5 * np.sum(x)
        x[n % 4] *= a
    return np.sum(x * x)


@pytest.mark.parametrize("function", [left_by_break, writes_while], ids=lambda f: f.__name__)
def test_pullbacks_may_be_called_again(function: Any):
    function = js.function(function, jit_level="off")
    _, pullback = js.vjp(function, X.copy())
    (first,), (again,) = pullback(1.0), pullback(1.0)
    np.testing.assert_array_equal(first, again)
    rows = js.function(js.hessian(function), jit_level="off")(X.copy())
    slope = js.function(js.grad(function), jit_level="off")
    columns = [js.jvp(slope, (X.copy(),), (unit,))[1] for unit in np.eye(4)]
    np.testing.assert_allclose(rows, np.stack(columns, axis=1), rtol=1e-12, atol=1e-13)
