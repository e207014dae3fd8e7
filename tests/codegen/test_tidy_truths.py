"""A condition that only chooses between truth values stays of its kind: ``~`` of Python's False is -1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from same import compare, decorate

from jitscope import ArraySpec, to_code


def between(x: Any) -> Any:
    t = x.sum()
    u = ~(1 < t <= 3)
    return u, x * u


def outside(x: Any, y: Any) -> Any:
    t = x.sum()
    u = ~(t < 1 or t > 3)
    v = ~(t > 1 and y[0] > 0)
    return u, v, x * u + y * v


@pytest.mark.parametrize("value", [0.0, 1.0, 5.0])
def test_truths_of_numpys_are_numpys(value: float) -> None:
    x = np.full(2, value)
    compare(between, decorate(between, cache=False), (x,), calls=2)
    compare(outside, decorate(outside, cache=False), (x, x - 2.0), calls=2)


def test_the_kernel_says_so_in_short() -> None:
    text = to_code(between, ArraySpec((None,), np.float64))
    assert "u = not (t > 1.0 and t <= 3.0)" in text
