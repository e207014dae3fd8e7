"""Lists of lists as arrays: where there are no rows or columns, NumPy doesn't know what they were to hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate


def table_1(n, m):
    g = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            g[i][j] = i
    return np.array(g)


def table_2(n, m):
    g = [[True] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            g[i][j] = i > j
    return np.array(g)


def table_3(n, m):
    g = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            g[i][j] = i
    return np.array(g).sum(), np.asarray(g, dtype=np.int32)


def table_4(n, m):
    g = [[0.0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            g[i][j] = i * 1.0
    return np.array(g)


def table_5(n, m):
    g = [[j for j in range(m)] for _ in range(n)]
    for i in range(n):
        for j in range(m):
            g[i][j] += i
    return np.sum(g), np.max(g) if n and m else 0


def table_6(n, m):
    g = [[0] * m for _ in range(n)]
    a = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            g[i][j] = i
    return a + g, np.mean(g) if n * m else 1


@pytest.mark.parametrize("program", [table_1, table_2, table_3, table_4, table_5, table_6])
def test_tables_are_numpys(program: Callable[..., Any]) -> None:
    for args in ((3, 2), (3, 0), (0, 2), (0, 0), (1, 1)):
        compare(program, decorate(program), args)
