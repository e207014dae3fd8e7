"""Lists that change in place while several variables have them."""

from __future__ import annotations

import numpy as np
import pytest
from same import same


def all_have_what_is_added(n):
    a = [0.0] * n
    b = a
    for i in range(3):
        a += [float(i), 2.0]
    a[0] = 5.0
    return b, a is b


def one_after_the_other(n):
    a = []
    b = a
    for i in range(n):
        a += [float(i)]
    return b


def a_tuple_is_added(n):
    a = [1]
    for i in range(n):
        a += (i, i + 1)
    return a


def by_a_helper(n):
    a = [1.0, 2.0]

    def add(x):
        x += [3.0]

    for _ in range(n):
        add(a)
    return a


def repeated(n):
    a = [1.0] * n
    b = a
    for _ in range(3):
        a *= 2
    return len(a), len(b)


def numpy_adds_to_each(n):
    a = [0.0] * n
    b = a
    for _ in range(3):
        a += np.arange(float(n))
    return a, b


def a_new_one(n):
    a = [0.0] * n
    b = a
    for _ in range(3):
        a = a + [1.0]
    return b, a


@pytest.mark.parametrize(
    "function",
    [
        all_have_what_is_added,
        one_after_the_other,
        a_tuple_is_added,
        by_a_helper,
        repeated,
        numpy_adds_to_each,
        a_new_one,
    ],
)
def test_what_is_added_in_place(function):
    same(function, 30)
    same(function, 3)


def test_the_callers_list():
    def add(numbers, n):
        for i in range(n):
            numbers += [float(i)]
        return len(numbers)

    same(add, [1.0] * 50, 4)
    same(add, [1.0], 4)
