"""Second derivatives by differences of the gradients that jitscope finds, which are checked elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import jitscope as js

STEP = 1e-4


def gradient_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient for the first argument, uncompiled: it compiles in no time."""
    return js.function(js.grad(function), jit_level="off")


def along(gradient: Callable[..., Any], x: np.ndarray, direction: np.ndarray, *rest: Any) -> np.ndarray:
    """The derivative of `gradient` along `direction`, by differences of fourth order."""
    return _difference(gradient, x, direction, rest, STEP)


def along_smoothly(
    gradient: Callable[..., Any], x: np.ndarray, direction: np.ndarray, *rest: Any
) -> np.ndarray | None:
    """As `along`; None where two steps disagree, for a branch changes close by."""
    wide, narrow = (_difference(gradient, x, direction, rest, step) for step in (STEP, 0.3 * STEP))
    return wide if np.allclose(wide, narrow, rtol=1e-5, atol=1e-5) else None


def _difference(
    gradient: Callable[..., Any], x: np.ndarray, direction: np.ndarray, rest: tuple[Any, ...], h: float
) -> np.ndarray:
    def at(distance: float) -> np.ndarray:
        return np.asarray(gradient(x + distance * direction, *rest))

    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


def by_differences(function: Callable[..., Any], x: np.ndarray) -> np.ndarray:
    """The Hessian of a function of one vector."""
    gradient = gradient_of(function)
    return np.stack([along(gradient, x, unit) for unit in np.eye(len(x))], axis=1)
