"""Ranges whose step is known only at run time: Python's items, its errors, in compiled code."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same

X = np.arange(20.0)
BIG = 2**62


def sieve(n):
    flags = np.ones(n + 1, dtype=np.bool_)
    flags[:2] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    return flags


def walk(a, b, c):
    s = 0
    for j in range(a, b, c):
        s = s * 3 % 1009 + j
    return s


def in_company(x, c):
    s = 0.0
    for k, j in enumerate(range(0, len(x), c)):
        s += x[j] * k
    for a, b in zip(x, range(5, 50, c)):
        s += a * b
    for j in reversed(range(0, len(x), c)):
        s = s * 0.5 + x[j]
    return s, len(range(0, len(x), c))


def checked_before_anything(x, c):
    x[0] = 7.0
    for j in range(3, len(x), c):
        x[j] = 1.0
    return x


UP = [(0, 10, 3), (10, 0, 3), (0, 0, 1), (0, 9, 3), (-7, 8, 5), (1, 2, 0)]
DOWN = [(0, 10, -3), (10, 0, -3), (5, 5, -1), (9, 0, -3)]
FAR = [
    (BIG, BIG + 5, 2),
    (-BIG, BIG, BIG // 2),
    (5 - 2 * BIG, 2 * BIG - 5, BIG),
    (0, 2 * BIG - 1, BIG),
    (2 * BIG - 1, 0, -BIG),
]


@pytest.mark.parametrize("bounds", UP + DOWN + FAR, ids=str)
def test_any_bounds(bounds: tuple[int, int, int]):
    same(walk, *bounds)


@pytest.mark.parametrize("step", [1, 2, 7, 40, -1, 0])
@pytest.mark.parametrize("function", [in_company, checked_before_anything], ids=lambda f: f.__name__)
def test_wherever_a_range_may_stand(function, step: int):
    same(function, X, step)


@needs_compiler
def test_a_sieve_is_compiled():
    compiled = decorate(sieve)
    for n in (1, 2, 30, 200):
        compare(sieve, compiled, (n,), calls=2)
    assert has_compiled_part(compiled)
