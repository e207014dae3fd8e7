"""NumPy's ints wrap around, in arrays and as scalars, whatever is concluded from a comparison."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import same

MOST = np.iinfo(np.int64).max
pytestmark = [needs_compiler, pytest.mark.filterwarnings("ignore:overflow")]


def grown(n):
    k = n
    for _ in range(10):
        k = k * k + 1
    return k


def doubled(x):
    n = 0
    while x > 0:
        x = x * 2
        n += 1
    return n, x


def counted_down(x):
    n = 0
    x = x - np.int64(MOST)
    while x - 1 < x:
        x -= 1
        n += 1
    return n, x


def larger(a):
    return np.where(a + 1 > a, 1.0, -1.0)


def usual_test(a, b):
    s = a + b
    return ((a > 0) & (b > 0) & (s < a)).sum()


def there_and_back(a):
    return a * 2 // 2 - a, (a * 3) // 3 == a


def cleared(a):
    for i in range(len(a)):
        d = a[i] - 5
        if d > a[i]:
            a[i] = 0
    return a


def smallest(a):
    return np.abs(a) < 0, -a == a, a - 1 > a


def hashed(a):
    h = np.int64(1469598103934665603)
    for i in range(len(a)):
        h = (h ^ a[i]) * np.int64(1099511628211)
    return h


def sums(a):
    s = a.sum()
    t = a[0]
    for v in a:
        t = t + v
    return s, t, s > a.max(), a.prod(), a.cumsum()


def distances(a):
    out = np.zeros((len(a), len(a)), a.dtype)
    for i in range(len(a)):
        for j in range(len(a)):
            d = a[i] - a[j]
            out[i, j] = d if d * d >= 0 else -1
    return out


EDGES = np.array([1, 2, 5, -5, 0, MOST, MOST - 1, MOST // 2, MOST // 2 + 1, -MOST, -MOST - 1, 3037000500])
ON_ARRAYS = (larger, there_and_back, cleared, smallest, hashed, sums, distances)


DTYPES = ("int64", "int32", "int16", "int8", "uint8", "uint64")
CASES = [case for case in itertools.product(ON_ARRAYS, DTYPES) if case != (hashed, "uint64")]
"""An int64 and a uint64 make a float, which has no bits."""


@pytest.mark.parametrize(("f", "dtype"), CASES, ids=lambda x: getattr(x, "__name__", x))
def test_arrays_wrap(f: Callable[..., Any], dtype: str) -> None:
    same(f, EDGES.astype(dtype))


def test_pairs_wrap() -> None:
    a, b = np.array(list(itertools.product(EDGES, EDGES))).T.copy()
    same(usual_test, a, b)


@pytest.mark.parametrize("f", [grown, doubled, counted_down], ids=lambda f: f.__name__)
@pytest.mark.parametrize("start", [1, 2, 3, 7])
def test_numbers_wrap(f: Callable[..., Any], start: int) -> None:
    same(f, np.int64(start))


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul], ids=lambda op: op.__name__)
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_what_is_compared_with_its_own_parts(op: Any, dtype: type) -> None:
    def parts(a, b):
        n = 0
        for i in range(len(a)):
            for j in range(len(b)):
                c = op(a[i], b[j])
                n = n * 2 % 1000003 + (c > a[i]) + 3 * (c < b[j]) + 5 * (c == a[i])
        return n, op(a, b) >= a, op(a, b) < b

    same(parts, EDGES.astype(dtype), EDGES[::-1].astype(dtype))
