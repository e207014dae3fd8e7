"""Lists of ints and truths as indices of arrays, and what NumPy writes into arrays that are made inside."""

from __future__ import annotations

import numpy as np
import pytest
from same import same


def assembled(members, n, held):
    k = np.zeros((2 * n, 2 * n))
    for i, j in members:
        rows, columns = [2 * i, 2 * i + 1], [2 * j, 2 * j + 1]
        k[np.ix_(rows, columns)] += i - j
        k[np.ix_(columns, columns)] -= 1.0
    free = [d for d in range(2 * n) if d not in held]
    u = np.zeros(2 * n)
    u[free] = k[np.ix_(free, free)].sum(axis=0)
    return u, k


def picked(x, n):
    places = [i * 2 for i in range(n)]
    kept = [v > 0.0 for v in x]
    y = x.copy()
    y[places] += 1.0
    y[kept] = -1.0
    return y, x[places], x[kept], x[places].sum()


def none_at_all(x, n):
    places = []
    for i in range(n):
        if i > 100:
            places.append(i)
    x[places] = 7.0
    return x[places], x


def out_of_range(x, n):
    places = [i for i in range(n)]
    x[places] += 1.0
    return x


@pytest.mark.parametrize("n", [3, 20])
def test_programs(n):
    members = [(i, (i * 7 + 1) % n) for i in range(n)]
    same(assembled, members, n, {0, 1, 5})
    same(picked, np.linspace(-1.0, 2.0, 2 * n), n)
    same(none_at_all, np.arange(200.0), n)
    same(none_at_all, np.arange(200.0), 120)
    same(out_of_range, np.arange(10.0), n)
