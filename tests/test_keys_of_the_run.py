"""Keys that hold values of the run: two of them are one key where the values are equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")


def display(a, x, y):
    d = {(x, 1): 5.0}
    s = 0.0
    for v in a:
        s += v
    return s, (y, 1) in d, d.get((y, 1), -1.0)


def equal_keys(a, x, y):
    d = {(x, y): 2.0, (y, x): 3.0}
    s = 0.0
    for v in a:
        s += v
    return s, len(d), d


def filled(a, x, y):
    d = {}
    d[(x, 1)] = 2.0
    s = 0.0
    for v in a:
        s += v
    if (y, 1) in d:
        s += d[(y, 1)]
    d[(y, 1)] = 3.0
    return s, d


def known_keys(a, x, y):
    d = {(1, 2): 5.0, (2, 2): 7.0}
    s = 0.0
    for v in a:
        s += v
    there = (x, y) in d, (x, y) not in d
    return s, there, d.get((x, y), -1.0), d.pop((x, y), 3.0), len(d), d.setdefault((x, y), 2.0), d


def nested(a, x, y):
    d = {((1, 2), "a"): 5.0}
    s = 0.0
    for v in a:
        s += v
    return s, ((x, y), "a") in d, d.get(((x, y), "a"))


def sets(a, x, y):
    s = 0.0
    for v in a:
        s += v
    cells = {(x, 1), (y, 1)}
    return s, len(cells), (y, 1) in cells, (1, x) in {(1, 1), (1, 2)}


def comprehension(a, x, y):
    s = 0.0
    for v in a:
        s += v
    d = {(i, x): i for i in (1, 2)}
    return s, (1, y) in d, d, dict([((x, 1), 1.0), ((y, 1), 2.0)])


def visited(a, x, y):
    seen = {(x, y): 0}
    for i in range(len(a)):
        cell = (x + i % 2, y)
        if cell in seen:
            seen[cell] += 1
        else:
            seen[cell] = 10
    return seen


def text_in_a_key(a, x, y):
    d = {"low": 5.0, ("high", 1): 1.0}
    s = 0.0
    for v in a:
        s += v
    name = "low" if s > x else "high"
    return s, (name, 1) in d, d.get((name, 1), -1.0), (name, y) in {("low", 1), ("high", 2)}


PROGRAMS = (display, equal_keys, filled, known_keys, nested, sets, comprehension, visited, text_in_a_key)


@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for x, y in ((1, 1), (1, 2), (2, 2), (2.0, 2), (1.5, 1.5), (np.int64(1), 2), (100, 1)):
        compare(program, decorated, (np.arange(5.0), x, y))


def parameters_of_lambdas(a, x, y):
    s, t = set(), 0
    for i in range(3):
        for v in range(len(a) + i):
            t += v
            s.add(str(t))
    return sorted(s, key=lambda v: v * x + str(y)), t


def test_parameters_of_lambdas_are_no_variables() -> None:
    compare(parameters_of_lambdas, decorate(parameters_of_lambdas), (np.arange(5.0), 2, 3))
