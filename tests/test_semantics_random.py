"""Random number generators: the same numbers, in the same order, and the same state afterwards."""

from __future__ import annotations

import random

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate

X = np.random.default_rng(0).random((60, 3))


def kmeans(x, k, rng):
    c = x[rng.choice(len(x), k, replace=False)]
    label = np.zeros(len(x), dtype=int)
    for _ in range(4):
        for i in range(len(x)):
            best = np.inf
            for j in range(k):
                d = ((x[i] - c[j]) ** 2).sum()
                if d < best:
                    best = d
                    label[i] = j
        for j in range(k):
            if (label == j).any():
                c[j] = x[label == j].mean(axis=0)
    return c, label, rng.random()


def of_every_kind(n, rng):
    a = rng.normal(size=n)
    b = rng.integers(0, 10, n)
    c = rng.random((n, 2))
    d = rng.uniform(-1, 1, (2, n))
    e = rng.standard_normal((3,))
    f = rng.permutation(n)
    s = 0.0
    for i in range(n):
        s += a[i] * b[i] + c[i, 0] * d[1, i] - f[i]
    return s, e.sum(), rng.integers(5), rng.choice(4), rng.exponential(), a, b, f


def in_loops(n, rng):
    x = 0.0
    high = 0.0
    for _ in range(n):
        y = x + rng.uniform(-1, 1)
        if rng.random() < np.exp(-(y * y - x * x) / 2):
            x = y
        high = max(high, x)
    return x, high


def made_inside(n):
    rng = np.random.default_rng(7)
    old = np.random.RandomState(3)
    a, b = rng.random(n), old.rand(n)
    s = 0.0
    for i in range(n):
        s += a[i] * b[i]
    return s, rng.random(), old.randint(10)


def of_modules(n):
    a = np.random.rand(n, 2)
    b = np.random.randint(0, 5, n)
    s = 0.0
    for i in range(n):
        s += a[i, 0] * b[i] + random.random() + random.uniform(0, 2) + random.randint(1, 6)
    return s, np.random.normal(), np.random.choice([1, 2, 3]), random.choice([1.5, 2, "x"])


def shuffled(x, rng):
    y = x[:, 0].copy()
    rng.shuffle(y)
    s = 0.0
    for i in range(len(y)):
        s = s * 0.5 + y[i]
    return s, y


def sizes_that_do_not_fit(n, m, rng):
    return rng.random(n) + rng.random(m)


def wrong(n, rng):
    s = 0.0
    for x in rng.random(n):
        s += x
    return s + rng.integers(5, 5 - n).sum()


def generator(seed=1):
    return np.random.default_rng(seed)


def seeded():
    np.random.seed(5)
    random.seed(6)


PROGRAMS = [
    (kmeans, [(X, 3, generator()), (X[:20], 5, generator(2)), (X, 0, generator()), (X, 99, generator())]),
    (of_every_kind, [(9, generator()), (1, generator()), (0, generator()), (-2, generator())]),
    (in_loops, [(30, generator()), (0, generator()), (5, random.Random(3))]),
    (made_inside, [(9,), (0,), (40,)]),
    (of_modules, [(9,), (1,), (0,), (-1,)]),
    (shuffled, [(X, generator()), (X[:1], generator())]),
    (sizes_that_do_not_fit, [(n, m, generator()) for n, m in ((4, 4), (4, 1), (4, 3), (1, 4), (0, 0))]),
    (wrong, [(3, generator()), (0, generator())]),
]
CASES = [pytest.param(function, cases, id=function.__name__) for function, cases in PROGRAMS]


@pytest.mark.parametrize(("function", "cases"), CASES)
def test_the_same_numbers_and_the_same_state(function, cases):
    for first in range(len(cases)):
        decorated = decorate(function)
        for case in [cases[first], *cases]:
            compare(_with_state(function), _with_state(decorated), case, reset=seeded)


def _with_state(function):
    def run(*args):
        result = function(*args)
        after = [a.random() for a in args if hasattr(a, "random")]
        return result, after, np.random.rand(), random.random()

    return run


@needs_compiler
@pytest.mark.parametrize("function", [kmeans, made_inside])
def test_what_follows_is_compiled(function):
    decorated = decorate(function, cache=False)
    decorated(*dict(PROGRAMS)[function][0])
    assert has_compiled_part(decorated), decorated.explain(*dict(PROGRAMS)[function][0])


def test_generators_of_several_classes():
    def drawn(n, rng):
        a = rng.normal(size=n)
        s = 0.0
        for i in range(n):
            s += a[i]
        return s, rng.uniform(0, 1)

    def choose(which):
        return [generator(3), np.random.RandomState(3), random.Random(3), None][which]

    decorated = decorate(drawn)
    for which in (0, 1, 0, 2, 1, 3, 0):
        outcomes = []
        for function in (drawn, decorated):
            try:
                outcomes.append(function(6, choose(which)))
            except (AttributeError, TypeError) as error:
                outcomes.append((type(error), str(error)))
        assert outcomes[0] == outcomes[1]
