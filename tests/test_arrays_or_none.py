"""Functions that return an array from one place and something else from a loop: all of it is compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import compare, decorate

import jitscope as js

A = np.random.default_rng(3).random


def cholesky(a: Any) -> Any:
    n = len(a)
    low = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(j):
                s += low[i, k] * low[j, k]
            if i == j:
                d = a[i, i] - s
                if d <= 0:
                    return None
                low[i, j] = np.sqrt(d)
            else:
                low[i, j] = (a[i, j] - s) / low[j, j]
    return low


def doubled(a: Any) -> Any:
    made = np.zeros_like(a)
    for i in range(len(a)):
        if a[i] > 30:
            return None
        made[i] = a[i] * 2
    return made


def with_a_number(a: Any) -> Any:
    made = np.zeros_like(a)
    for i in range(len(a)):
        if a[i] > 30:
            return made, i
        made[i] = a[i] * 2
    return made, 0


def with_a_flag(a: Any) -> Any:
    made = np.zeros_like(a)
    for i in range(len(a)):
        if a[i] > 30:
            return False, None
        made[i] = a[i] * 2
    return True, made


def itself_or_fresh(a: Any) -> Any:
    for i in range(len(a)):
        if a[i] > 30:
            return a
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        if s > 1000.0:
            return s
    return None


def other_dtypes(a: Any) -> Any:
    order, seen = np.arange(len(a)), np.zeros(len(a), dtype=bool)
    for i in range(len(a)):
        if a[i] > 30:
            return order
        seen[i] = True
        if a[i] < -5:
            return seen, a
        order[i] = -i
    return a


def a_part(a: Any) -> Any:
    for i in range(len(a)):
        if a[i] > 30:
            return a[i:]
        a[i] += 1.0
    return None


def two_names(a: Any) -> Any:
    b = a * 2.0
    for i in range(len(a)):
        if a[i] > 30:
            return b, b
        b[i] -= 1.0
    return b, None


def rows(a: Any) -> Any:
    m = np.outer(a, a)
    for i in range(len(a)):
        if a[i] > 30:
            return m.T
        if a[i] < -5:
            return m[i]
        m[i] *= 0.5
    return -1


ONES = [doubled, with_a_number, with_a_flag, itself_or_fresh, other_dtypes, a_part, two_names, rows]


@pytest.mark.parametrize("program", ONES)
def test_what_is_returned(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for values in (np.arange(10.0), np.arange(10.0) * 10, np.arange(4.0) - 6, np.ones(0), np.full(3, 400.0)):
        compare(program, decorated, (values,), calls=2)
        frozen = values.copy()
        frozen.flags.writeable = False
        if program is not a_part:
            want, got = program(frozen), decorated(frozen)
            for one, other in zip(_arrays(want), _arrays(got), strict=True):
                assert (one is frozen) == (other is frozen)
                assert one.flags.writeable == other.flags.writeable
    same = np.arange(10.0) * 10
    want, got = program(same.copy()), decorated(same.copy())
    assert [one is other for one in _arrays(want) for other in _arrays(want)] == [
        one is other for one in _arrays(got) for other in _arrays(got)
    ]


def _arrays(found: Any) -> list[Any]:
    items = found if isinstance(found, tuple) else (found,)
    return [item for item in items if isinstance(item, np.ndarray)]


def test_cholesky() -> None:
    decorated: Any = decorate(cholesky, cache=False)
    for n in (5, 1, 8):
        b = A((n, n))
        compare(cholesky, decorated, (b @ b.T + np.eye(n),), calls=2)
        compare(cholesky, decorated, (b @ b.T - 2.0 * np.eye(n),), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", [doubled, with_a_number, with_a_flag, other_dtypes])
def test_the_loop_is_in_the_kernel(program: Any) -> None:
    text = js.to_code(program, np.arange(10.0))
    driver = text[text.index(f"\ndef {program.__name__}(") :]
    assert "for " not in driver.split("return")[0]
