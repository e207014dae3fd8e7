"""Roots of sums of squares where all of these are zero: derivatives are 0 there, first and second ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitscope as js

ROOTS: dict[str, Callable[..., Any]] = {
    "std": lambda x: np.std(x),
    "method": lambda x: x.std(ddof=1),
    "of rows": lambda x: np.std(x, axis=1).sum(),
    "nanstd": lambda x: np.nanstd(x),
    "nanstd of rows": lambda x: np.nanstd(x, axis=1).sum(),
    "in single precision": lambda x: np.std(x.astype(np.float32)),
    "norm": lambda x: np.linalg.norm(x - x.mean()),
}


@pytest.mark.parametrize("name", ROOTS)
def test_equal_elements_have_the_slope_zero(name: str) -> None:
    slope = js.grad(ROOTS[name])(np.full((3, 4), 0.25))
    assert slope.tolist() == np.zeros((3, 4)).tolist()


def test_rows_that_differ_keep_their_slopes() -> None:
    x = np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 4.0]])
    slope = js.grad(lambda x: np.std(x, axis=1).sum())(x.copy())
    apart = x[1] - x[1].mean()
    np.testing.assert_allclose(slope, [[0.0] * 3, apart / (3 * x[1].std())], rtol=1e-14)


@pytest.mark.parametrize("root", [np.std, np.nanstd, np.linalg.norm])
def test_memory_that_was_overwritten_has_second_derivatives(root: Callable[..., Any]) -> None:
    def loss(b, k):
        c = b * 1.0
        for _ in range(k):
            c.fill(0.0)
        return root(c) + (b * b).sum()

    def product(b, k, direction):
        return (js.grad(loss)(b, k) * direction).sum()

    b, direction = np.array([1.0, -2.0, 3.0]), np.array([0.5, 1.0, -1.0])
    assert js.grad(loss)(b, 2).tolist() == (2 * b).tolist()
    assert js.grad(product)(b, 2, direction).tolist() == (2 * direction).tolist()
