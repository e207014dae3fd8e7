"""Functions that return a number in one place, and a tuple, None or a text in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate


def find(a, x):
    for i in range(len(a)):
        if a[i] == x:
            return i
    return None


def pair(a, x):
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            if a[i] + a[j] == x:
                return i, j
    return None


def verdict(a, x):
    for i in range(len(a)):
        if a[i] > x:
            return "large", i
        if a[i] < -x:
            return i, a[i], -1.5
    return False


def either(a, x):
    for v in a:
        if v > x:
            return v
    return -1


def dicts(a, x):
    for i, v in enumerate(a):
        if v > x:
            return {"i": i, "v": float(v)}
    return {}


def nested(a, x):
    if x < 0:
        raise ValueError("no")
    n = len(a)
    if n == 0:
        return None
    for i in range(n):
        if a[i] == x:
            return (i, (float(a[i]), True))
    else:
        return "none"


def kinds(a, x):
    for i in range(len(a)):
        for j in range(i):
            if a[i] == a[j]:
                return i, j
            if a[i] - a[j] == x:
                return (i, j, a[i])
        if a[i] == 9.0:
            return (i,)
        if i == 4:
            return i
    return ()


PROGRAMS = (find, pair, verdict, either, dicts, nested, kinds)


@pytest.mark.parametrize("program", PROGRAMS)
def test_they_return_what_python_does(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for x in (3.0, 100.0, -1.0, 7.0, 2.5):
        for a in (np.arange(6.0), np.arange(6.0)[::-1].copy(), np.array([-9.0, 3.0]), np.array([])):
            compare(program, decorated, (a, x), tol=Tolerance())


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(np.arange(6.0), 3.0)
    assert has_compiled_part(decorated)
    assert decorated.coverage(np.arange(6.0), 3.0).share > 0.9
