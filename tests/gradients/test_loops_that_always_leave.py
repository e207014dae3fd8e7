"""Loops whose body ends with `break` or `return` on every path: they make one iteration, which counts.

A condition that is known while tracing leaves such a body behind.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

X = np.array([0.3, -0.2, 0.5, 0.9])


def breaks(x):
    for _ in range(4):
        x = np.tanh(x) * 0.8
        if 0.7 > -0.2:
            break
    return np.sum(x * np.arange(1.0, 5.0))


def breaks_in_place(x):
    y = x * 0.5
    for _ in range(len(x)):
        y[-1] += x[0] * x[1]
        break
    return y


def breaks_a_while(x):
    n = 0
    while n < 4 and x[3] > 0.35:
        n += 1
        x = x * x[1]
        break
    return np.sum(x * np.arange(1.0, 5.0))


def returns(x):
    n = 0
    while n < 4:
        n += 1
        if np.sin(0.7) > 0.1:
            return np.sum(x * x)
        if x[0] < 0.3:
            break
    return np.sum(x * np.arange(1.0, 5.0))


def returns_after_a_write(x):
    x = x * 1.0
    for k in range(4):
        x[k] = x[k - 1] * x[k]
        if np.sin(0.7) > 0.1:
            return x * 2.0
        x[:] = np.tanh(x)
    return x


def goes_on(x):
    for k in range(3):
        x = x * (1.5 + k)
        if 0.7 > -0.2:
            continue
        x = np.tanh(x)
    return x


def inside_of_another(x):
    y = x * 1.0
    for k in range(3):
        for _ in range(2):
            y = y * x[k]
            if 0.7 > -0.2:
                break
        y[k] = np.sin(y[k])
    n = 0
    while n < 2 and np.sum(y) < 30.0:
        n += 1
        if np.sum(x) < -0.2:
            y[::2] *= np.tanh(y[1::2])
        y[n] *= x[0]
    return y


def never_begins(x):
    for _ in range(0):
        x = x * 2.0
        break
    else:
        x = x * x
    return x


def else_of_a_loop_that_breaks(x):
    for _ in range(3):
        x = x * x[2]
        break
    else:
        x = x * 100.0
    return x


PROGRAMS: tuple[Callable[..., Any], ...] = (
    breaks,
    breaks_in_place,
    breaks_a_while,
    returns,
    returns_after_a_write,
    goes_on,
    inside_of_another,
    never_begins,
    else_of_a_loop_that_breaks,
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_iteration_that_leaves_counts(function: Callable[..., Any], tmp_path: Path):
    check(function, (X,), tmp_path, tolerance=1e-6)
