"""Conditions that are turned round where only the other branch does something."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from same import compare, decorate


def not_both(a, b, c):
    s = 0
    if (a == b) & c:
        pass
    else:
        s = 1
    return s


def not_either(a, b, c):
    s = 0.5
    if (a != b) | c:
        pass
    else:
        s += 1
    return s


def not_one_of_them(a, b, c):
    s = 0
    for k in range(3):
        if c ^ (a == k):
            continue
        s += k
    return s


def kept_or_not(a, b, c):
    s, t = a, a
    n = 0
    for k in range(3):
        if (a == b) & c:
            pass
        else:
            s = 7
        if (k != b) | c:
            pass
        else:
            t = 8
        n += s + t
    return s, t, n


def until(a, b, c):
    n = 0
    while (n != a) & c:
        n += 1
        if n > 5:
            break
    return n


def kept_value(a, b, c):
    y = None
    if c:
        y = a
    s = 0
    for v in (a, b, a + 1):
        if y == v:
            s += v
    return s, y == 1


def of_an_array(x, a, c):
    s = 0
    for v in x:
        if (v == a) & c:
            continue
        s += 1
        if (min(v, a) == a) | (not c):
            pass
        else:
            s += 10
    return s


@pytest.mark.parametrize("program", [not_both, not_either, not_one_of_them, kept_or_not, until, kept_value])
def test_it_is_the_whole_condition_that_is_turned(program) -> None:
    decorated = decorate(program)
    for a, b, c in itertools.product((0, 1, 2), (0, 1, 2), (False, True)):
        compare(program, decorated, (a, b, c))


def test_conditions_on_elements() -> None:
    decorated = decorate(of_an_array)
    for a, c in itertools.product((0, 1, 2), (False, True)):
        compare(of_an_array, decorated, (np.array([0, 1, 2, 1, 0]), a, c))
        compare(of_an_array, decorated, (np.array([0.0, 1, 2, 1, np.nan]), float(a), c))
