"""Gradients through `for`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

X = np.array([0.3, -1.2, 0.8, 2.1, -0.4])
W = np.array([1.5, 0.2, -0.7, 0.9, 1.1])
M = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.6], [0.2, 0.7, 0.4], [0.9, -0.2, 1.3]])


def power(x: float, n: int):
    y = x
    for _ in range(n):
        y = y * x + x / (1.0 + y * y)
    return y


def sum_of_elements(x):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * x[i]
    return s * s


def over_rows(m):
    s = m[0, 0]
    for row in m:
        s = s * row[0] + np.sin(row).sum()
    return s


def over_elements(x):
    s = 1.0
    for v in x:
        s = s * v + v * v
    return s


def ode(y, h: float, n: int):
    for _ in range(n):
        y = y + h * np.sin(y) * y[::-1]
    return y


def in_place_elements(x, n: int):
    y = x.copy()
    for i in range(1, n):
        y[i] = y[i - 1] * y[i] + x[0]
    return y * y


def in_place_vector(x, n: int):
    y = x * 1.0
    for _ in range(n):
        y[1:] += y[:-1] * y[1:]
    return y


def swapped_buffers(u, n: int):
    v = np.zeros_like(u)
    for _ in range(n):
        for i in range(1, len(u) - 1):
            v[i] = u[i - 1] * u[i] + u[i + 1]
        u, v = v, u
    return u.sum() * v[1]


def nested_loops(m):
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(i, m.shape[1]):
            s = s * 0.5 + m[i, j] * m[i, 0]
    return s


def nested_in_place(x, n: int):
    y = x.copy()
    for _ in range(n):
        for i in range(1, len(x)):
            y[i] = y[i] * y[i - 1] * 0.5 + x[i]
    return y


def matrix_product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c * c


def branch_in_loop(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            s = s + x[i] * x[i]
        else:
            s = s * x[i]
    return s


def branch_writes_in_loop(x):
    y = x.copy()
    t = 1.0
    for i in range(len(x) - 1):
        if y[i] > 0.0:
            y[i + 1] = y[i + 1] * y[i] + t
            t = t + y[i]
        else:
            t = t * y[i + 1]
            y[i] = t * t
    return y.sum() * t


def backwards(x):
    s = 1.0
    for i in range(len(x) - 1, -1, -1):
        s = s * 0.5 + x[i] * s
    return s


def strided(x):
    y = x.copy()
    s = 0.0
    for i in range(1, len(x), 2):
        y[i] *= y[i - 1]
        s += y[i]
    for i in range(4, 0, -3):
        s = s * y[i]
    return s


def outer_scalar(x: float, n: int):
    y = 0.0
    a = x * x
    for i in range(n):
        y = y + a * i
    return y * a


def index_used(x, n: int):
    s = 0.0
    for i in range(n):
        s = s + x[i] * i
    return s


def state_and_views(x, n: int):
    y = x[1:4]
    z = x[:3] * 1.0
    for i in range(n):
        z = z * y + x[i]
        y[0] = z[1]
    return z.sum() + x


def overwritten_afterwards(x, n: int):
    y = np.sin(x)
    s = 0.0
    for i in range(n):
        s = s + y[i] * y[i]
    y[:] = 0.0
    return s + y


def rows_written(m):
    r = m.copy()
    for i in range(1, m.shape[0]):
        r[i] = r[i - 1] * r[i]
        r[i, 0] += r[i - 1, 1]
    return r


def growing_slices(x):
    s = 0.0
    for i in range(len(x)):
        s = s + x[: i + 1].sum() * x[i]
    return s


def growing_slices_in_place(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = (y[:i] * y[:i]).sum()
    return y


def temporaries(x, n: int):
    s = 0.0
    for _ in range(n):
        t = x * x
        t[0] = t[1] * t[2]
        t[1:] *= t[:-1]
        s = s + t.sum()
        x = t * 0.5
    return s


def carried_unchanged(x, n: int):
    y = x * 2.0
    z = x * 3.0
    for i in range(n):
        if i > 1:
            z = y
        y = y * 1.5
    return (y * z).sum()


def no_iteration(x):
    y = x * 2.0
    for _ in range(3, 1):
        y = y * y
    return y


def two_loops(x, n: int):
    y = x * 1.0
    for i in range(n):
        y[i] = y[i] * y[i]
    z = y * 2.0
    for i in range(n):
        z[i] = z[i] * y[i]
        y[i] = z[i]
    return z + y


def only_used_in_the_loop(x):
    y = x.copy()
    s = 0.0
    for i in range(1, len(x)):
        s = s + y[i] * y[i - 1]
        y[i] = y[i] * y[i - 1]
        y[i - 1] = 0.0
    return s


def products(x, m, n: int):
    h = x[:3] * 0.2
    for i in range(n):
        z = m @ h
        z[1:] *= z[:-1]
        if i > 0:
            h = h + np.tanh(m.T @ z)
        else:
            h = h + z[:3]
    return h.sum()


def replaced_state(x, n: int):
    z = x * 2.0
    for _ in range(n):
        for _ in range(2):
            z = np.tanh(x * x[1])
    return z.sum() * x[0]


def single(x: float, n: int):
    y = np.float32(x)
    for _ in range(n):
        y = y * np.float32(1.5) + np.float32(x)
    return y


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (power, (0.7, 5)),
    (power, (0.7, 0)),
    (sum_of_elements, (X,)),
    (sum_of_elements, (X[:0],)),
    (over_rows, (M,)),
    (over_elements, (X,)),
    (ode, (X, 0.1, 6)),
    (ode, (X, 0.1, 0)),
    (in_place_elements, (X, 5)),
    (in_place_elements, (X, 1)),
    (in_place_vector, (X, 3)),
    (swapped_buffers, (X, 3)),
    (swapped_buffers, (X, 2)),
    (nested_loops, (M,)),
    (nested_in_place, (X, 3)),
    (matrix_product, (M[:2], M[:3])),
    (branch_in_loop, (X,)),
    (branch_writes_in_loop, (X,)),
    (backwards, (X,)),
    (strided, (X,)),
    (outer_scalar, (0.8, 4)),
    (index_used, (X, 4)),
    (state_and_views, (X, 4)),
    (overwritten_afterwards, (X, 4)),
    (rows_written, (M,)),
    (growing_slices, (X,)),
    (growing_slices_in_place, (X,)),
    (temporaries, (X, 3)),
    (carried_unchanged, (X, 4)),
    (no_iteration, (X,)),
    (two_loops, (X, 4)),
    (only_used_in_the_loop, (X,)),
    (products, (X, M, 3)),
    (replaced_state, (X, 2)),
    (replaced_state, (X, 0)),
]


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_gradients_are_differences(function: Any, args: tuple[Any, ...], tmp_path: Path):
    check(function, args, tmp_path)
