"""``zip(*rows)``, ``f(*numbers)`` and what NumPy makes of rows that were made one by one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled, needs_compiler
from same import Tolerance, compare, decorate, same


def mm(A, B):
    return [[sum(a * b for a, b in zip(row, col)) for col in zip(*B)] for row in A]


def mmod(A, B, m):
    return [[sum(a * b for a, b in zip(row, col)) % m for col in zip(*B)] for row in A]


def tr(M):
    return [list(c) for c in zip(*M)]


def trt(M):
    return list(zip(*M))


def csum(M):
    return [sum(c) for c in zip(*M)], [max(c) for c in zip(*M)]


def rot(M):
    R = [list(r) for r in zip(*M[::-1])]
    return R


def hyp(p):
    return math.hypot(*p)


def sub3(ps):
    s = 0.0
    for p in ps:
        s += math.hypot(*p)
    return s


def mutz(M):
    out = []
    for c in zip(*M):
        M[0][0] += 1
        out.append(c[0] + c[1])
    return out


def mat(n):
    pos = np.array([[i, j, i + j] for i in range(n) for j in range(n)], dtype=float)
    q = np.array([(i, j * 0.5) for i in range(n) for j in range(n)])
    return pos * 2, q.sum(axis=0)


def pr(xs):
    return print_like(*xs)


def print_like(a, b, c):
    return a + b * c


def srt(n):
    return sorted(
        ((x, y) for x in range(n) for y in range(n)),
        key=lambda p: (p[0] + p[1], -p[1] if (p[0] + p[1]) % 2 else p[1]),
    )


def mp(A, e):
    n = len(A)
    R = [[int(i == j) for j in range(n)] for i in range(n)]
    while e:
        if e & 1:
            R = mmod(R, A, 1000007)
        A = mmod(A, A, 1000007)
        e >>= 1
    return R


R = np.random.default_rng(0)
A = R.integers(0, 9, (12, 12)).tolist()
F = R.normal(size=(9, 11)).tolist()
G = R.normal(size=(11, 5)).tolist()
P = [(float(a), float(b)) for a, b in R.normal(size=(30, 2))]
CASES = (
    (mm, (A, A)),
    (mm, (F, G)),
    (mmod, (A, A, 7)),
    (tr, (F,)),
    (trt, (F,)),
    (csum, (A,)),
    (rot, (A,)),
    (hyp, ((3.0, 4.0),)),
    (sub3, (P,)),
    (mutz, (A,)),
    (mat, (5,)),
    (pr, ([1, 2, 3],)),
    (pr, ([1, 2],)),
    (srt, (6,)),
    (mp, (A, 13)),
)
COMPILED = (mm, mmod, tr, csum, mutz, mat, mp)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)


def test_a_tuple_of_a_column_has_no_methods_of_lists():
    def f(m):
        s = 0.0
        for column in zip(*m):
            s += column.copy()[0]
        return s

    same(f, [[float(i * j) for j in range(10)] for i in range(10)])
    same(f, [[i * j for j in range(10)] for i in range(10)])
