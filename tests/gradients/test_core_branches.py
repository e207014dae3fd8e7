"""Gradients through `if`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

X = np.array([0.3, -1.2, 0.8, 2.1, -0.4])


def scalars(x: float, w: float):
    if x * w > 0.5:
        y = x * x * w
    else:
        y = x - w
    return y * x


def one_sided(x: float):
    y = np.sin(x)
    if y > 0.2:
        y = y * y * x
    return y + x


def arrays(x, flag: bool):
    if flag:
        y = x * x[0]
    else:
        y = np.exp(x)
    return y * x


def written_branch(x, limit: float):
    y = x * 2.0
    if x[0] < limit:
        y[1:3] *= x[:2]
        y[0] = y[1] * y[2]
    else:
        y[3] = 0.0
    return y * y


def branch_reads_what_is_overwritten_later(x):
    y = x * x
    s = 0.0
    if x[1] < 0.0:
        s = y[0] * y[1] + y.sum() * y[2]
    y[:] = x
    return y * s


def nested(x, a: float):
    s = a
    if x[0] > 0.0:
        t = x[1] * s
        if t > 10.0:
            s = t
        else:
            s = t * t
            x[2] = s
    return s * x


def buffers_chosen(x, flag: bool):
    a, b = x * 1.0, np.sin(x)
    c = a if flag else b
    d = c * c
    return d.sum() + b[0]


def raising(x: float):
    if x > 100.0:
        raise ValueError("too large")
    return x * x


def conditional_expression(x: float):
    y = x * x if x > 0.0 else -x
    return y * y


def written_through_choice(x, flag: bool):
    a = x * 1.0
    b = x * 3.0
    c = a if flag else b
    c[1] = x[0] * x[1]
    return c * c


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (scalars, (0.7, 1.3)),
    (scalars, (0.7, 0.3)),
    (one_sided, (1.0,)),
    (one_sided, (-1.0,)),
    (arrays, (X, True)),
    (arrays, (X, False)),
    (written_branch, (X, 1.0)),
    (written_branch, (X, 0.0)),
    (branch_reads_what_is_overwritten_later, (X,)),
    (nested, (X, 2.0)),
    (nested, (X, -20.0)),
    (nested, (-X, 2.0)),
    (buffers_chosen, (X, True)),
    (buffers_chosen, (X, False)),
    (raising, (2.0,)),
    (conditional_expression, (2.0,)),
    (conditional_expression, (-2.0,)),
    (written_through_choice, (X, True)),
    (written_through_choice, (X, False)),
]


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_gradients_are_differences(function: Any, args: tuple[Any, ...], tmp_path: Path):
    check(function, args, tmp_path)
