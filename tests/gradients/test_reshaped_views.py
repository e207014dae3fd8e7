"""Adjoints have the layout of their arrays: a reshaped view of the array is a view of its adjoint, too."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js


def row_from_row(s):
    p = s.T
    s[:, -2:][0] = s[0].reshape(-1, 2).mean(axis=0)
    return (p * p).sum()


def turned_outside(s):
    t = s * 2
    q = t.T
    t[1] = t[0].reshape(-1, 2).sum(1).repeat(2)
    return (q * q * np.arange(8.0)[:, None]).sum()


def column(s):
    u = s[:, 2].reshape(4, 2)
    return (u**3).sum() + (s.T @ s).sum()


def turned_whole(s):
    s[:, 1] = s[:, 0]
    u = s.T.reshape(4, 16)
    return (u**3 * np.arange(16.0)).sum() + (s.T @ s).sum()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("f", [row_from_row, turned_outside, column, turned_whole])
def test_gradients_are_those_of_differences(f, order):
    s = np.asarray(np.random.default_rng(0).random((8, 8)), order=order)
    found, step = js.grad(f)(s.copy("K")), 1e-6
    expected = np.zeros((8, 8))
    for place in np.ndindex(8, 8):
        more, less = s.copy("K"), s.copy("K")
        more[place] += step
        less[place] -= step
        expected[place] = (f(more) - f(less)) / (2 * step)
    np.testing.assert_allclose(found, expected, atol=1e-6)
