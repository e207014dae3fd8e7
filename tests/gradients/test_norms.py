"""`np.linalg.norm`: its derivative, also where the norm is 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import Tolerance, same

import jitscope as js

X = np.array([[0.3, -1.2, 0.8], [2.1, -0.4, 0.9]])


def of_all(x):
    return np.linalg.norm(x)


def of_a_turned_one(x):
    return np.linalg.norm(x.T)


def of_rows(x):
    return np.sum(np.linalg.norm(x, axis=1) ** 2 + np.linalg.norm(x, 1, axis=1))


def of_columns(x):
    return np.sum(np.linalg.norm(x, axis=0, keepdims=True))


def of_a_part(x):
    return np.linalg.norm(x[:, ::2][0]) * np.linalg.norm(x[1], 2)


NORMS = (of_all, of_a_turned_one, of_rows, of_columns, of_a_part)


@pytest.mark.parametrize("function", NORMS, ids=lambda f: f.__name__)
def test_derivatives(function: Callable[..., Any]):
    found, h = js.grad(function)(X), 1e-6
    for place in np.ndindex(X.shape):
        step = np.zeros_like(X)
        step[place] = h
        slope = (function(X + step) - function(X - step)) / (2 * h)
        assert found[place] == pytest.approx(slope, rel=1e-7, abs=1e-8)


def test_of_zeros_it_is_zero():
    np.testing.assert_array_equal(js.grad(of_all)(np.zeros((2, 3))), np.zeros((2, 3)))
    np.testing.assert_array_equal(js.grad(of_columns)(np.zeros((2, 3))), np.zeros((2, 3)))


def in_a_loop(x, n):
    s = 0.0
    for k in range(n):
        s += np.linalg.norm(x) * k + np.linalg.norm(x, 2) if x.ndim == 1 else np.linalg.norm(x)
    return s


@pytest.mark.parametrize("dtype", [float, np.float32, int, bool, complex])
def test_values(dtype: Any):
    x = (np.arange(24) % 7 - 2).astype(dtype)
    for array in (x, x[:0], x[::2], x[::-1], x.reshape(4, 6), x.reshape(4, 6).T, x.reshape(2, 3, 4)):
        same(in_a_loop, array, 3, tol=Tolerance(ulp=8))
