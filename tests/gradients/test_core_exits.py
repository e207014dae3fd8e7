"""Gradients through `while`, `break`, `continue`, early `return` and `else` of loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

X = np.array([0.3, -1.2, 0.8, 2.1, -0.4])


def newton(a: float):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def while_on_arrays(x, n: int):
    k = 0
    y = x * 1.0
    while k < n:
        y[1:] = y[:-1] * y[1:] + x[0]
        k += 1
    return y


def while_rebinds(x, limit: float):
    while (x * x).sum() < limit:
        x = x * 1.3 + x[::-1] * 0.1
    return x * x


def no_iteration(x: float):
    while x > 100.0:
        x = x * 0.5
    return x * x


def breaks(x, limit: float):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * x[i]
        if s > limit:
            break
        s = s * 1.5
    return s * x[0]


def continues(x):
    s = 1.0
    for i in range(len(x)):
        if x[i] < 0.0:
            s = s + x[i]
            continue
        s = s * x[i]
    return s


def breaks_deep_inside(x, limit: float):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            s = s + x[i] * x[i]
            if s > limit:
                s = s * 3.0
                break
            s = s * 1.1
        else:
            s = s - x[i]
        s = s * (1.0 + x[0])
    return s


def break_and_memory(x, limit: float):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = y[i - 1] * y[i]
        if y[i] > limit:
            y[0] = 7.0
            break
        y[i] += x[0]
    return y * y


def helper(x, limit: float):
    if x[0] > limit:
        return x * x
    y = x * 2.0
    if x[1] > limit:
        return y
    return y * x[2]


def early_returns(x, limit: float):
    return helper(x, limit) * x


def search(x, limit: float):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * x[i]
        if s > limit:
            return s * 2.0
    return s * x[1]


def returns_from_loops(x, limit: float):
    return search(x, limit) * x[2]


def search_twice(x, limit: float):
    s = 1.0
    for i in range(3):
        for j in range(len(x)):
            s = s + x[j] * x[i]
            if s > limit:
                return s * x[j]
        s = s * 0.5
    return s


def returns_from_nested_loops(x, limit: float):
    return search_twice(x, limit) * x[2]


def loop_else(x, limit: float):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * x[i]
        if s > limit:
            break
    else:
        s = s * x[0]
    return s * x[1]


def while_else(x: float):
    k = 0
    while k < 5:
        x = x * 1.2
        if x > 4.0:
            x = x * x
            break
        k += 1
    else:
        x = x * 3.0
    return x


def while_in_for(x):
    s = 0.0
    for i in range(len(x)):
        v = x[i]
        k = 0
        while k < i:
            v = v * x[0] + s
            k += 1
        s = s + v
    return s


def for_in_while(x, limit: float):
    s = 1.0
    y = x.copy()
    while s < limit:
        for i in range(1, len(x)):
            y[i] = y[i] * y[i - 1] + 0.5
        s = s + (y * y).sum()
    return s * y


def while_with_walrus(x: float):
    k = 0
    while (k := k + 1) < 4:
        x = x * x
    return x


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (newton, (2.0,)),
    (while_on_arrays, (X, 3)),
    (while_on_arrays, (X, 0)),
    (while_rebinds, (X, 50.0)),
    (no_iteration, (3.0,)),
    (breaks, (X, 1.0)),
    (breaks, (X, 1e6)),
    (continues, (X,)),
    (breaks_deep_inside, (X, 1.0)),
    (breaks_deep_inside, (X, 1e6)),
    (break_and_memory, (X, -0.3)),
    (break_and_memory, (X, 1e6)),
    (early_returns, (X, 0.0)),
    (early_returns, (-X, 0.0)),
    (early_returns, (X, 1e6)),
    (returns_from_loops, (X, 1.0)),
    (returns_from_loops, (X, 1e6)),
    (returns_from_nested_loops, (X, 2.0)),
    (returns_from_nested_loops, (X, 1e6)),
    (loop_else, (X, 1.0)),
    (loop_else, (X, 1e6)),
    (while_else, (1.0,)),
    (while_else, (3.0,)),
    (while_in_for, (X,)),
    (for_in_while, (X, 20.0)),
    (while_with_walrus, (1.1,)),
]


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_gradients_are_differences(function: Any, args: tuple[Any, ...], tmp_path: Path):
    check(function, args, tmp_path)
