"""A size that is 1 in the example, and that no argument's size tells: ``a * b // 2`` can't be solved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from same import compare, decorate


def maximum(a: Any) -> Any:
    a = a[::2]
    return np.maximum(a, sum(a.reshape(2, -1)))


def add_rows(a: Any) -> Any:
    s = a.reshape(2, -1) * 2.0
    return a + s[0] + s[1]


def write_rows(a: Any) -> Any:
    made = np.zeros(a.shape)
    made[:] = a[::2].reshape(2, -1)[1]
    return made


def sum_in_loop(a: Any, x: Any) -> Any:
    rows, total = a[::2].reshape(2, -1), x * 0.0
    for row in rows:
        total = total + row * x
    return total


@pytest.mark.parametrize("first", [2, 3])
@pytest.mark.parametrize("program", [maximum, add_rows, write_rows])
def test_arrays_of_one_element_are_stretched(program: Any, first: int) -> None:
    decorated: Any = decorate(program, cache=False)
    rng = np.random.default_rng(7)
    for n in (first, 2, 3, 4, 1, 2):
        for shape in ((n, n), (n, 2), (2, 1)):
            compare(program, decorated, (rng.integers(-5, 5, shape),), calls=2)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_arrays_of_one_element_are_stretched_in_loops(n: int) -> None:
    decorated: Any = decorate(sum_in_loop, cache=False)
    rng = np.random.default_rng(7)
    for m in (n, 2, 3):
        compare(sum_in_loop, decorated, (rng.random((m, m)), rng.random(m)), calls=2)
