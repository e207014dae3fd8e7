"""Lists of ints and floats, or of lists of such, that the caller gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled, needs_compiler
from same import Tolerance, compare, decorate


def tot(xs):
    s = 0
    for v in xs:
        s += v
    return s


def mx(xs):
    return max(xs), min(xs), sum(xs), sorted(xs), len(xs), xs[2], xs[-1]


def sgd(train, n):
    coef = [0.0 for i in range(len(train[0]))]
    errs = []
    for e in range(n):
        se = 0
        for row in train:
            yh = coef[0]
            for i in range(len(row) - 1):
                yh += coef[i + 1] * row[i]
            yh = 1.0 / (1.0 + math.exp(-yh))
            er = row[-1] - yh
            se += er**2
            coef[0] = coef[0] + 0.1 * er * yh * (1.0 - yh)
            for i in range(len(row) - 1):
                coef[i + 1] = coef[i + 1] + 0.1 * er * yh * (1.0 - yh) * row[i]
        errs.append(se)
    return coef, errs


def wr(xs):
    xs[3] = 7.5
    return xs, sum(xs)


def wr2(m):
    row = m[0]
    for r in m:
        if r[0] > 1:
            row = r
    row[1] = 5
    return row


def ret(xs):
    return xs, xs[1:4], list(xs)


def arr(xs):
    return np.array(xs) * 2, np.array(xs, dtype=float)


def ins(xs):
    return 3 in xs, 2.5 in xs


def aug(xs):
    s = 0
    for i in range(len(xs)):
        for j in range(i):
            s += xs[i] * xs[j] - xs[j]
    return s


M = [1, 2.5, 3, -4, 5.25, 0, 0.0, 8, 9, 10.5, 11, 12]
T = [[0.5 * i, 1.0 / (i + 1), i % 2] for i in range(20)]
CASES = (
    (tot, (M,)),
    (mx, (M,)),
    (sgd, (T, 5)),
    (wr, (M,)),
    (wr2, (T,)),
    (ret, (M,)),
    (arr, (M,)),
    (ins, (M,)),
    (aug, (M,)),
    (tot, ([1.5, 2**60] * 9,)),
    (tot, ([math.nan, 1] * 9,)),
)
COMPILED = (tot, sgd, arr, ins, aug)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)
