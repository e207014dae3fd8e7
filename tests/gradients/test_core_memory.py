"""Gradients through views, writes and copies on straight lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

X = np.array([0.3, -1.2, 0.8, 2.1, -0.4])
W = np.array([1.5, 0.2, -0.7, 0.9, 1.1])
M = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.6]])


def values(x, w):
    return np.sin(x) * w + x**2


def scalar(x: float, w: float):
    return x * w + np.sin(x) / w


def views(x):
    return x[1:] * x[:-1] + x[::2].sum()


def element_loads(x):
    return x[0] * x[-1] + np.exp(x[2])


def element_stores(x):
    y = x.copy()
    y[1] = y[0] * y[1]
    y[1] = y[1] * y[2]
    return (y * x).sum()


def argument_overwritten(x):
    x[1:3] = 5.0 * x[0]
    return x * x


def in_place_shifted(x):
    x[1:] += x[:-1] * 2.0
    x[1:] *= x[:-1]
    return x


def overlapping_assign(x):
    y = x * 1.0
    y[1:] = y[:-1]
    y[:2] = y[3:] * y[:2]
    return y


def read_before_write(x):
    y = np.exp(x)
    z = y * y
    y[:] = x
    return z * y


def broadcast(m):
    return m * m.sum(axis=0) + m[:, :1] * m[0]


def transposed(m):
    t = m.T
    t[0, 1] = t[1, 0] * 3.0
    return t * t


def reshaped(m):
    r = m.reshape(6)
    r[1:5] *= r[0:4]
    return m.sum(axis=0) * m[1]


def new_axes(x):
    y = x[:, None] * x[None, :2]
    y[0] = x[:2]
    return y


def filled(x):
    a = np.full(4, x[1])
    a[2] = x[0] * a[0]
    b = np.zeros(5)
    b[1:] = a
    b[0:2] = x[3]
    return b * x


def returned_view(x):
    y = np.cos(x)
    y[2] = 1.0
    return y[::-1]


def scalar_and_array(x, s: float):
    s2 = s * s
    y = x * s2
    y += s
    y -= x[0]
    return y / s


def squeezed(m):
    return np.squeeze(m[:, None, 1:], axis=1) * m[1, 1:]


def all_constant(x):
    y = np.zeros(3)
    y[0] = 2.0
    return y * 3.0 + x.shape[0]


def stacked_views(m):
    row = m[1]
    part = row[1:]
    part *= row[:2]
    m[0, 0] = part[0] * part[1]
    return m * m


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (values, (X, W)),
    (scalar, (0.7, 1.3)),
    (views, (X,)),
    (element_loads, (X,)),
    (element_stores, (X,)),
    (argument_overwritten, (X,)),
    (in_place_shifted, (X,)),
    (overlapping_assign, (X,)),
    (read_before_write, (X,)),
    (broadcast, (M,)),
    (transposed, (M,)),
    (reshaped, (M,)),
    (new_axes, (X,)),
    (filled, (X,)),
    (returned_view, (X,)),
    (scalar_and_array, (X, 0.8)),
    (squeezed, (M,)),
    (all_constant, (X,)),
    (stacked_views, (M,)),
    (values, (X[:1], W[:1])),
    (values, (X[:0], W[:0])),
    (views, (X[:1],)),
]


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_gradients_are_differences(function: Any, args: tuple[Any, ...], tmp_path: Path):
    check(function, args, tmp_path)
