"""Second derivatives of random programs: most of these seeds once gave a wrong one, or an error.

Expected are differences of the gradient that jitscope finds, which is compared with differences of the
program itself. Every program is compared: one that isn't smooth where it is evaluated is an error here.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric_gradients import gradient
from numeric_hessians import along_smoothly, gradient_of
from random_gradients import arguments, program

import jitscope as js

HESSIANS = (8, 18, 32, 43, 46, 73, 131, 173, 176)
PRODUCTS = (14, 19, 30, 56, 75, 199)
DIRECTION = np.array([0.3, -0.5, 0.7, 0.2])


def by_hessian(function: Callable[..., Any], x: np.ndarray, s: float) -> np.ndarray:
    """The second derivative along `DIRECTION`, from the whole Hessian."""
    hessian: np.ndarray = js.function(js.hessian(function), jit_level="off")(x, s)
    return hessian @ DIRECTION


def forwards(function: Callable[..., Any], x: np.ndarray, s: float) -> np.ndarray:
    """The second derivative along `DIRECTION`, forwards over the gradient."""
    tangent: np.ndarray = js.jvp(gradient_of(function), (x, s), (DIRECTION, 0.0))[1]
    return tangent


@pytest.mark.parametrize(
    ("seed", "second"),
    [*((seed, by_hessian) for seed in HESSIANS), *((seed, forwards) for seed in PRODUCTS)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_random_program(seed: int, second: Callable[..., np.ndarray]):
    function, (x, s) = program(seed), arguments(seed)
    first = gradient_of(function)
    with np.errstate(all="ignore"):
        (slope,) = gradient(function, (x, s), 0)
        close(first(x.copy(), s), slope, 1e-5)
        expected = along_smoothly(first, x, DIRECTION, s)
        assert expected is not None
        assert np.abs(expected).max() > 0.0
        close(second(function, x.copy(), s), expected, 1e-6)


@pytest.mark.parametrize("seed", PRODUCTS)
def test_pullback_is_called_twice(seed: int):
    function, args = program(seed), arguments(seed)
    with np.errstate(all="ignore"):
        (slope,) = gradient(function, args, 0)
        _, pullback = js.vjp(js.function(function, jit_level="off"), *copy.deepcopy(args))
        close(pullback(2.0)[0], 2.0 * slope, 1e-5)
        close(pullback(-3.0)[0], -3.0 * slope, 1e-5)


def close(found: Any, expected: np.ndarray, tolerance: float) -> None:
    """Compare, relatively to the largest element."""
    scale = 1.0 + float(np.abs(expected).max())
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * scale)
