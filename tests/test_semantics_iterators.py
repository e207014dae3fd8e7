"""`zip`, `enumerate`, `reversed` and generator expressions can be gone through once."""

from __future__ import annotations

import numpy as np
import pytest
from same import same

A = np.arange(1.0, 8.0)
B = A[::-1].copy()


def zip_twice(a, b):
    z = zip(a, b)
    s = 0.0
    for x, y in z:
        s += x * y
    for _x, _y in z:
        s += 1000
    return s


def enumerate_twice(a, b):
    e = enumerate(a)
    s = sum(x * i for i, x in e)
    return s + sum(x for i, x in e)


def reversed_in_a_loop(a, b):
    r = reversed(a)
    s = 0.0
    for _ in range(3):
        for x in r:
            s = s * 0.5 + x
    return s


def known_items_in_a_loop(a, b):
    z = enumerate([1, 2, 3])
    s = 0
    for _ in range(len(a)):
        for k, x in z:
            s += k * x
    return s + a[0]


def generator_twice(a, b):
    g = (x * x for x in a)
    return sum(g) + sum(g)


def generator_in_a_loop(a, b):
    g = (x * x for x in a)
    t = 0.0
    for _ in range(3):
        t += sum(g)
    return t


def lists_of_one_zip(a, b):
    z = zip([1, 2], [3, 4])
    return list(z), list(z), a.sum()


def one_branch_then_again(a, b):
    z = zip(a, b)
    s = sum(x * y for x, y in z) if a[0] > 0 else 0.0
    for x, y in z:
        s += x + y
    return s


def in_one_of_two_branches(a, b):
    z = zip(a, b)
    if a[0] > 3:
        return sum(x * y for x, y in z)
    return max(x + y for x, y in z)


def left_early(a, b):
    z = zip(a, b)
    s = 0.0
    for x, _y in z:
        s += x
        if s > 5:
            break
    for x, _y in z:
        s += 100 * x
    return s


def around_another(a, b):
    z = zip(a, b)
    e = enumerate(z)
    s = 0.0
    for i, (x, y) in e:
        s += i * x * y
    for x, y in z:
        s += 1000
    return s


def has_no_length(a, b):
    return len(zip(a, b))


def has_no_items(a, b):
    return enumerate([1, 2, 3])[0]


def is_true_and_no_list(a, b):
    z = zip([], [])
    return bool(z), isinstance(z, list), a.sum()


def through_a_function(a, b):
    def total(pairs):
        return sum(x * y for x, y in pairs)

    z = zip(a, b)
    return total(z), total(z)


def unpacked(a, b):
    z = zip([1, 2], [3, 4])
    first, second = z
    return first, second, list(z), a.sum()


def given_away(a, b):
    z = zip([1, 2], [3, 4])
    return dict(z), len(list(z)), a.sum()


def once_is_fine(a, b):
    s = 0.0
    for i, (x, y) in enumerate(zip(a, b)):
        s += i * x * y
    for x in reversed(a):
        s = s * 0.5 + x
    g = (x for x in a)
    n = len(a)
    return s + sum(g) / n


PROGRAMS = [
    value for name, value in list(globals().items()) if callable(value) and hasattr(value, "__code__")
]


@pytest.mark.parametrize("function", [f for f in PROGRAMS if f is not same], ids=lambda f: f.__name__)
def test_gone_through_once(function):
    same(function, A, B)
