"""Lists of lists whose rows are swapped or replaced: who has a row keeps it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled, needs_compiler
from same import Tolerance, compare, decorate


def bareiss(M):
    M = [row[:] for row in M]
    n = len(M)
    sgn, prev = 1, 1
    for i in range(n - 1):
        if M[i][i] == 0:
            for k in range(i + 1, n):
                if M[k][i] != 0:
                    M[i], M[k] = M[k], M[i]
                    sgn = -sgn
                    break
            else:
                return 0
        for j in range(i + 1, n):
            for k in range(i + 1, n):
                M[j][k] = (M[j][k] * M[i][i] - M[j][i] * M[i][k]) // prev
        prev = M[i][i]
    return sgn * M[-1][-1]


def rref(A):
    M = [list(map(float, r)) for r in A]
    lead = 0
    R = len(M)
    C = len(M[0])
    for r in range(R):
        if lead >= C:
            break
        i = r
        while M[i][lead] == 0:
            i += 1
            if i == R:
                i = r
                lead += 1
                if C == lead:
                    return M
        M[i], M[r] = M[r], M[i]
        lv = M[r][lead]
        M[r] = [v / lv for v in M[r]]
        for i in range(R):
            if i != r:
                lv = M[i][lead]
                M[i] = [iv - lv * rv for rv, iv in zip(M[r], M[i])]
        lead += 1
    return M


def gauss(A, b):
    M = [A[i][:] + [b[i]] for i in range(len(b))]
    n = len(M)
    for c in range(n):
        p = max(range(c, n), key=lambda r: abs(M[r][c]))
        M[c], M[p] = M[p], M[c]
        for r in range(c + 1, n):
            f = M[r][c] / M[c][c]
            for k in range(c, n + 1):
                M[r][k] -= f * M[c][k]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        x[i] = (M[i][n] - sum(M[i][j] * x[j] for j in range(i + 1, n))) / M[i][i]
    return x


def view(n):
    M = [[i * j for j in range(n)] for i in range(n)]
    row = M[0]
    M[0], M[1] = M[1], M[0]
    row[1] = 77
    return M, row[0], sum(row)


def viewloop(n):
    M = [[i * n + j for j in range(n)] for i in range(n)]
    row = M[0]
    s = 0
    for k in range(n - 1):
        s = s * 3 + row[k]
        M[k], M[k + 1] = M[k + 1], M[k]
        row[k] += 1
    return M, s


def alias(n):
    M = [[i * j for j in range(n)] for i in range(n)]
    M[0] = M[1]
    M[1][2] = 99
    return M, M[0] is M[1]


def aliasrep(n):
    M = [[i * j for j in range(n)] for i in range(n)]
    M[0] = M[1]
    M[1] = [7 for _ in range(n)]
    return M


def repview(n):
    M = [[i * j for j in range(n)] for i in range(n)]
    row = M[1]
    M[1] = [7 for _ in range(n)]
    return row[2], M


def repalias(n):
    M = [[i * j for j in range(n)] for i in range(n)]
    z = [5 for _ in range(n)]
    for i in range(n):
        M[i] = z
    M[0][1] = 3
    return M


def repalias2(n):
    M = [[i * j for j in range(n)] for i in range(n)]
    for i in range(n):
        z = [5 + i for _ in range(n)]
        M[i] = z
        z[0] = 100
    return M


def replen(n):
    M = [[i * j for j in range(n)] for i in range(n)]
    M[1] = [7 for _ in range(n + 1)]
    return M


def revrows(n):
    M = [[i * n + j for j in range(n)] for i in range(n)]
    i, j = 0, n - 1
    while i < j:
        M[i], M[j] = M[j], M[i]
        i += 1
        j -= 1
    s = 0
    for row in M:
        for v in row:
            s = (s * 7 + v) % 10007
    return s, M, np.array(M)


def life(g, n):
    G = [r[:] for r in g]
    for _ in range(n):
        N = [[0] * len(G[0]) for _ in G]
        for i in range(len(G)):
            for j in range(len(G[0])):
                c = G[i - 1][j] + G[(i + 1) % len(G)][j]
                N[i][j] = 1 if c == 1 else 0
        G[0], N[0] = N[0], G[0]
        G = N
    return G


def st_once(n):
    M = [[i * n + j for j in range(n)] for i in range(n)]
    M[0], M[1] = [x - 1 for x in M[1]], M[0]
    return M


def direct(n):
    M = [[i * n + j for j in range(n)] for i in range(n)]
    row = M[0]
    M[0] = [7 for _ in range(n)]
    M[1] = row
    return M


def undo(n):
    M = [[i * n + j for j in range(n)] for i in range(n)]
    keep = M[2]
    M[2] = [x + 1 for x in keep]
    M[2] = keep
    return M


def branch(n, c):
    M = [[i * n + j for j in range(n)] for i in range(n)]
    old = M[2]
    if c:
        M[2] = [0] * n
    M[3] = old
    return M


def helper(n):
    M = [[i * n + j for j in range(n)] for i in range(n)]

    def put(i, r):
        M[i] = r

    keep = M[2]
    put(2, [0 for _ in range(n)])
    put(3, keep)
    return M


def step2(n):
    M = [[i * n + j for j in range(n)] for i in range(n)]
    for i in range(0, n - 1, 2):
        M[i], M[i + 1] = [a - b for a, b in zip(M[i], M[i + 1])], M[i]
    return M


def step2b(n):
    M = [[i * n + j for j in range(n)] for i in range(n)]
    for i in range(0, n - 1, 2):
        row = M[i]
        M[i] = [x * 2 for x in M[i]]
        M[i + 1] = row
    return M


R = np.random.default_rng(0)
I = R.integers(-9, 9, (10, 10)).tolist()
I[0][0] = 0
Z = R.integers(-2, 3, (9, 12)).tolist()
F = R.normal(size=(10, 10)).tolist()
CASES = (
    (bareiss, (I,)),
    (rref, (Z,)),
    (rref, (F,)),
    (gauss, (F, [1.0 * i for i in range(10)])),
    (view, (4,)),
    (viewloop, (5,)),
    (alias, (4,)),
    (aliasrep, (4,)),
    (repview, (4,)),
    (repalias, (4,)),
    (repalias2, (4,)),
    (replen, (4,)),
    (revrows, (7,)),
    (life, (R.integers(0, 2, (9, 9)).tolist(), 3)),
    *((f, (n,)) for f in (st_once, direct, undo, helper, step2, step2b) for n in (24, 5)),
    (branch, (24, 1)),
    (branch, (24, 0)),
)
COMPILED = (bareiss, rref, gauss, view, viewloop, revrows)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)
