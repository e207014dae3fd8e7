"""Comprehensions with several `for`, generators, `map`, `filter` and `reduce`, staged as loops."""

from __future__ import annotations

from collections import deque
from functools import reduce

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate

A = np.arange(1.0, 20.0)
L = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9]
F = [0.5 * x for x in L]


def triples(n):
    return [
        a * 10000 + b * 100 + c
        for a in range(1, n)
        for b in range(a, n)
        for c in range(b, n)
        if a * a + b * b == c * c
    ]


def tuples(n):
    return [(a, b) for a in range(n) if a % 2 for b in range(a)]


def known(x):
    offsets = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    return sum(x[2 + i] * x[5 + j] for i, j in offsets), len(offsets)


def flattened(table):
    return [x * 2 for row in table for x in row if x > 1]


def total(n, x):
    return sum(x[i] * x[j] for i in range(n) for j in range(i)), max(
        i * j % 7 for i in range(n) for j in range(n)
    )


def decided(n, x):
    return any(x[i] > x[j] for i in range(n) for j in range(i)), all(
        1 / (i - 3) for i in range(n) for _ in range(2)
    )


def mapped(l, x):
    double = [y for y in map(lambda t: 2 * t, l)]
    s = sum(map(lambda a, b: a * b, l, x))
    t = 0
    for y in map(lambda t: t - 3, l):
        if y > 4:
            break
        t += y
    return double, s, t, list(map(abs, l)), max(map(lambda t: -t, l))


def filtered(l):
    big = list(filter(lambda t: t > 4, l))
    s = 0
    for y in filter(lambda t: t % 2, l):
        if y == 9:
            continue
        s += y
    else:
        s += 1000
    return big, s, sum(filter(None, l)), len([1 for _ in filter(lambda t: t < 2, l)])


def reduced(l, x):
    return reduce(lambda a, b: a * 3 % 1009 + b, l), reduce(lambda a, b: a + b, x, 1.5), reduce(max, l, 0)


def generated(l, k):
    s = 0
    for y in (t * k for t in l if t != 5):
        k += 1
        s += y
        if s > 300:
            break
    return s, k


def twice(l):
    m = map(lambda t: t + 1, l)
    return sum(m), sum(m)


def of_nothing(l):
    return reduce(lambda a, b: a + b, l[:0])


def texts(l):
    return " ".join(map(str, l)), [c for word in ("ab", "cd") for c in word]


def taken_in_part(x):
    """`next` takes one item, and computes no other."""

    def loud(i):
        print(i)
        return i

    t = 0.0
    for i in range(len(x)):
        t += x[i] * 2
    return t, next(loud(i) for i in range(3)), next((i for i in range(len(x)) if x[i] > 1e9), None)


def looked_at(x):
    g = (i for i in range(len(x)))
    return x.sum(), isinstance(g, list), hasattr(g, "__next__")


def taken_whole(x):
    out = [1.5]
    out.extend(float(e) for e in x[:3])
    d = deque(i * i for i in range(5))
    known = sorted(-i for i in range(4)), {*(i % 2 for i in range(5))}
    return x.sum(), out, d, ",".join(str(i) for i in range(4)), known


PROGRAMS = [
    (taken_in_part, [(A,), (A[:1],)]),
    (looked_at, [(A,)]),
    (taken_whole, [(A,)]),
    (triples, [(40,), (3,), (0,)]),
    (tuples, [(6,), (0,)]),
    (known, [(A,), (A.astype(int),)]),
    (flattened, [([[1, 2, 3], [4, 5], []] * 5,), ([[1.0, 2.5]] * 9,), ([],), ([[1, 2.0]] * 9,)]),
    (total, [(9, A), (1, A), (0, A), (40, A)]),
    (decided, [(3, A), (3, -A), (5, -A), (0, A)]),
    (mapped, [(L, F), (F, L), (L, A), ([1] * 12, A), ([], [])]),
    (filtered, [(L,), (F,), ([0] * 12,), ([],)]),
    (reduced, [(L, A), (F, F), (L, L[:1])]),
    (generated, [(L, 2), (L, 50), (F, 1), ([], 1)]),
    (twice, [(L,), (F,)]),
    (of_nothing, [(L,)]),
    (texts, [(L,)]),
]
CASES = [pytest.param(function, cases, id=function.__name__) for function, cases in PROGRAMS]


@pytest.mark.parametrize(("function", "cases"), CASES)
def test_whichever_call_comes_first(function, cases):
    for first in range(len(cases)):
        decorated = decorate(function)
        for case in [cases[first], *cases]:
            compare(function, decorated, case, calls=6)


@needs_compiler
@pytest.mark.parametrize(
    ("function", "cases"), [c for c in CASES if c.id in ("triples", "total", "mapped", "reduced")]
)
def test_they_are_compiled(function, cases):
    decorated = decorate(function, cache=False)
    decorated(*cases[0])
    assert has_compiled_part(decorated), decorated.explain(*cases[0])
