"""Lists of None, some of which become numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled, needs_compiler
from same import Tolerance, compare, decorate

INF = float("inf")


def fw(n, edges):
    dist = [[INF] * n for _ in range(n)]
    nxt = [[None] * n for _ in range(n)]
    for i in range(n):
        dist[i][i] = 0
    for u, v, w in edges:
        if w < dist[u][v]:
            dist[u][v] = w
            nxt[u][v] = v
    for k in range(n):
        for i in range(n):
            for j in range(n):
                alt = dist[i][k] + dist[k][j]
                if alt < dist[i][j]:
                    dist[i][j] = alt
                    nxt[i][j] = nxt[i][k]
    return dist, nxt


def fib(n):
    memo = [None] * (n + 1)
    memo[0] = 0
    memo[1] = 1
    for i in range(2, n + 1):
        if memo[i] is None:
            memo[i] = (memo[i - 1] + memo[i - 2]) % 1000007
    return memo[n], memo


def par(n):
    p = [None] * n
    for i in range(1, n):
        p[i] = (i - 1) // 2
    out = []
    u = n - 1
    while u is not None:
        out.append(u)
        u = p[u]
    return out, p


def flt(xs):
    best = [None] * 5
    for i in range(len(xs)):
        k = i % 5
        if best[k] is None or xs[i] > best[k]:
            best[k] = xs[i]
    return best


def npf(x, n):
    best = [None] * n
    for i in range(len(x)):
        k = i % (n - 1)
        if best[k] is None or x[i] > best[k]:
            best[k] = x[i]
    return best, sum(1 for b in best if b is None)


def back(n):
    t = [0] * n
    for i in range(n):
        if i % 3 == 0:
            t[i] = None
        else:
            t[i] = i
    c = 0
    for v in t:
        if v is None:
            c += 1
        else:
            c += v
    return t, c


def boo(n):
    t = [None] * n
    for i in range(n):
        if i % 3:
            t[i] = i % 2 == 0
    return t, t[0] == None, t.count(None) if n < 0 else 0


def cnt(n):
    t = [None] * n
    return t, len(t)


def dfs(n):
    col = [None] * n
    ok = True
    for s in range(n):
        if col[s] is None:
            col[s] = 0
            st = [s]
            while st:
                u = st.pop()
                for v in ((u * 2 + 1) % n, (u + 3) % n):
                    if col[v] is None:
                        col[v] = 1 - col[u]
                        st.append(v)
                    elif col[v] == col[u]:
                        ok = False
    return ok, col


def err(n):
    t = [None] * n
    t[1] = 3
    return t[0] + 1


R = np.random.default_rng(0)
E = [
    (int(a), int(b), int(c))
    for a, b, c in zip(R.integers(0, 12, 40), R.integers(0, 12, 40), R.integers(1, 50, 40))
]
F = [float(v) for v in R.normal(size=40)]
CASES = (
    (fw, (12, E)),
    (fib, (50,)),
    (fib, (1,)),
    (fib, (0,)),
    (par, (40,)),
    (flt, (F,)),
    (npf, (np.array(F), 6)),
    (back, (30,)),
    (boo, (30,)),
    (cnt, (4,)),
    (dfs, (30,)),
    (err, (4,)),
)
COMPILED = (fw, fib, par, flt, npf, back, dfs)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)
