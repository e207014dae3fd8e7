"""Lists of ints and floats: each item comes back as what it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled, needs_compiler
from same import Tolerance, compare, decorate

INF = float("inf")


def floyd(n, edges):
    dist = [[INF] * n for _ in range(n)]
    for i in range(n):
        dist[i][i] = 0
    for u, v, w in edges:
        if w < dist[u][v]:
            dist[u][v] = w
    for k in range(n):
        for i in range(n):
            if dist[i][k] == INF:
                continue
            for j in range(n):
                alt = dist[i][k] + dist[k][j]
                if alt < dist[i][j]:
                    dist[i][j] = alt
    return dist


def spline(x, y):
    n = len(x) - 1
    h = [x[i + 1] - x[i] for i in range(n)]
    alpha = [0] * (n + 1)
    for i in range(1, n):
        alpha[i] = 3 / h[i] * (y[i + 1] - y[i]) - 3 / h[i - 1] * (y[i] - y[i - 1])
    mu = [0] * (n + 1)
    z = [0] * (n + 1)
    for i in range(1, n):
        l = 2 * (x[i + 1] - x[i - 1]) - h[i - 1] * mu[i - 1]
        mu[i] = h[i] / l
        z[i] = (alpha[i] - h[i - 1] * z[i - 1]) / l
    c = [0] * (n + 1)
    for j in range(n - 1, -1, -1):
        c[j] = z[j] - mu[j] * c[j + 1]
    return c, z, mu[:-1]


def thr(y, lag):
    avg = [0] * len(y)
    std = [0] * len(y)
    avg[lag - 1] = np.mean(y[0:lag])
    std[lag - 1] = np.std(y[0:lag])
    f = np.array(y)
    sig = np.zeros(len(y))
    for i in range(lag, len(y)):
        if abs(y[i] - avg[i - 1]) > 2 * std[i - 1]:
            sig[i] = 1 if y[i] > avg[i - 1] else -1
            f[i] = 0.5 * y[i] + 0.5 * f[i - 1]
        avg[i] = np.mean(f[i - lag : i])
        std[i] = np.std(f[i - lag : i])
    return dict(signals=sig, avg=np.asarray(avg), std=std)


def dijk(n, w):
    d = [INF] * n
    d[0] = 0
    done = [False] * n
    for _ in range(n):
        b = -1
        for i in range(n):
            if not done[i] and (b < 0 or d[i] < d[b]):
                b = i
        done[b] = True
        for j in range(n):
            if w[b, j] > 0 and d[b] + int(w[b, j]) < d[j]:
                d[j] = d[b] + int(w[b, j])
    return d, max(d), min(d), sum(d)


def grow(xs, n):
    out = [0]
    for i in range(n):
        out.append(xs[i] * 0.5 if i % 3 else i)
    s = 0
    for v in out:
        s += v
    return out, s


def median(data, k):
    out = []
    for i in range(len(data)):
        t = []
        for j in range(-k, k + 1):
            if 0 <= i + j < len(data):
                t.append(data[i + j])
            else:
                t.append(0)
        t.sort()
        out.append(t[len(t) // 2])
    return out


def arr_of(n):
    t = [0] * n
    for i in range(1, n):
        t[i] = t[i - 1] + 0.25
    return np.array(t), np.array(t, dtype=float)


def arr_ints(n):
    t = [0] * n
    for i in range(1, n):
        if i > 50:
            t[i] = 0.5
        else:
            t[i] = i
    return np.array(t)


def big(n):
    t = [0] * n
    t[1] = 0.5
    t[0] = 2**53 + n - n + 1
    for i in range(n):
        t[i] = t[i] + 1
    return t


def big2(xs):
    xs2 = [x * 1 for x in xs]
    for i in range(len(xs)):
        if i % 7 == 3:
            xs2[i] = xs2[i] * 0.5
    return xs2


def div(n):
    t = [1] * n
    for i in range(1, n):
        t[i] = (t[i - 1] * 3 + i) % 1000 if i % 2 else t[i - 1] / 4
    return t


def idx(xs, n):
    t = [0.5] * n
    for i in range(n):
        t[i] = i
    s = 0
    for i in range(n):
        s += xs[t[i]]
    return s


def neg(n):
    t = [0] * n
    for i in range(n):
        t[i] = -t[i - 1] if i % 2 else i * 0.5
    return t, [abs(v) for v in t], t[0] == 0, t[-1] is None


def rows2(n, m):
    t = [[0] * m for _ in range(n)]
    for i in range(n):
        row = t[i]
        for j in range(m):
            row[j] = i / (j + 1) if (i + j) % 3 else i - j
    tot = 0
    for row in t:
        tot += sum(row)
    best = max(max(r) for r in t)
    return t, tot, best, len(t[0])


R = np.random.default_rng(0)
E = [
    (int(a), int(b), int(c))
    for a, b, c in zip(R.integers(0, 12, 40), R.integers(0, 12, 40), R.integers(1, 50, 40))
]
EF = [
    (int(a), int(b), float(c))
    for a, b, c in zip(R.integers(0, 12, 40), R.integers(0, 12, 40), R.integers(1, 50, 40))
]
X = sorted(float(v) for v in R.normal(size=30))
Y = [float(v) for v in R.normal(size=30)]
CASES = (
    (floyd, (12, E)),
    (floyd, (12, EF)),
    (spline, (X, Y)),
    (thr, (R.normal(size=60), 5)),
    (dijk, (10, R.integers(0, 9, (10, 10)))),
    (dijk, (10, np.zeros((10, 10), dtype=int))),
    (grow, (X, 20)),
    (median, (X, 2)),
    (arr_of, (20,)),
    (arr_of, (1,)),
    (arr_ints, (20,)),
    (arr_ints, (90,)),
    (big, (20,)),
    (big2, ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 2**60 + 1],)),
    (big2, (list(range(50)),)),
    (div, (40,)),
    (idx, ([3, 4, 5] * 10, 20)),
    (neg, (20,)),
    (rows2, (6, 7)),
)
COMPILED = (floyd, spline, thr, dijk, grow, arr_of, rows2)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)
