"""Writes into an array that there is only behind a check of its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import Tolerance, compare, decorate

Array = Any


def raised_for_none(x: Array, n: int) -> Array:
    t = np.cos(x)
    acc = None
    if n > 2:
        acc = np.zeros(len(x))
    if acc is None:
        raise ValueError(n)
    acc[:] = t
    return acc


def part_written(x: Array, n: int) -> Array:
    t = np.cos(x)
    acc = None
    if n > 2:
        acc = np.zeros((3, len(x)))
    if acc is None:
        raise ValueError(n)
    acc[1] = t
    acc[:, 0] = 1.0
    return acc


def not_bound(x: Array, n: int) -> Array:
    t = np.cos(x)
    if n > 2:
        acc = np.zeros(len(x))
    acc[:] = t
    return acc


def left_for_none(x: Array, n: int) -> Any:
    t = np.cos(x)
    acc = None
    for i in range(n):
        if i > 2:
            acc = x * i
    if acc is None:
        return t
    acc[...] = t + 1
    return acc


@pytest.mark.parametrize("function", [raised_for_none, part_written, not_bound, left_for_none])
@pytest.mark.parametrize("size", [6, 600])
def test_nothing_is_written_before_the_check(function: Callable[..., Any], size: int) -> None:
    decorated, x = decorate(function), np.linspace(0.0, 1.0, size)
    for n in (4, 1, 1, 0, 5, 1):
        compare(function, decorated, (x, n), tol=Tolerance(ulp=4))
