"""Comparisons of tuples whose items are known only at run time."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same

SIGNS = ["==", "!=", "<", "<=", ">", ">="]


def walk(n, x):
    r = c = steps = 0
    while (r, c) != (n - 1, n - 1) and steps < 500:
        if x[(r * 7 + c * 3 + steps) % len(x)] < 0.5 and r < n - 1:
            r += 1
        elif c < n - 1:
            c += 1
        steps += 1
    return r, c, steps


def visits(n, k):
    found = 0
    for i in range(n):
        for j in range(n):
            if (i, j) == (k, k + 1) or (j, "a", i) == (1, "a", 2) or (i, j) == (i, j, 0):
                found += 10 * i + j
    return found


def with_floats(x, n):
    found = 0
    for i in range(n):
        if (float(x[i]), i) == (0.5, 3) or (i, float(x[i])) != (2, 0.25):
            found += i
        if (float(x[i]), i) < (float(x[i]), 3):
            found += 1000
    return found


def ordered(n, sign):
    programs = {
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        ">": lambda a, b: a > b,
        ">=": lambda a, b: a >= b,
    }
    less = programs[sign]
    found = 0
    for i in range(n):
        for j in range(n):
            found = found * 2 % 1000003
            if less((i % 3, j % 2, i), (j % 3, i % 2, j)):
                found += 1
            if less((i % 3, (j % 2, i)), (j % 3, (i % 2,))):
                found += 1
            if less((i, j), ()):
                found += 1
    return found


@pytest.mark.parametrize("sign", SIGNS)
def test_the_first_that_differ_decide(sign):
    same(ordered, 12, sign)


def test_programs():
    x = np.random.default_rng(2).random(31)
    for n in (20, 1):
        same(walk, n, x)
    same(visits, 9, 3)
    x[3], x[2], x[7] = 0.5, 0.25, np.nan
    same(with_floats, x, 31)


@needs_compiler
def test_a_walk_is_compiled():
    x = np.random.default_rng(2).random(31)
    decorated = decorate(walk)
    compare(walk, decorated, (60, x), calls=2)
    assert has_compiled_part(decorated)
