"""Ints beyond 64 bits, and powers that are complex, in functions that also do what can't be done twice.

As long as nothing of it has been done the call starts again as plain Python.
"""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from same import compare, decorate


def printed_behind(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    print(f"fib({n}) = {a}")
    return a


def refused_before(n):
    if n < 0:
        raise ValueError(f"negative {n}")
    p = 1
    for _ in range(n):
        p *= 2
    return p


def refused_behind(n):
    p = 1
    for _ in range(n):
        p *= 2
    if p < 0:
        raise ValueError(f"bad {p}")
    assert p > 0, f"bad {p}"
    return p


def shown(n):
    p = 1
    for _ in range(n):
        p *= 2
    return str(p), p.bit_length(), f"{p}", {p}, sum(int(c) for c in str(p))


def text_before(n):
    s = str(n)
    p = 1
    for _ in range(n):
        p *= 2
    return p, s


def array_behind(x, n):
    p = 1
    for _ in range(n):
        p *= 2
    return p, x.tolist(), sorted(x)[0]


def appended_behind(found, n):
    p = 1
    for _ in range(n):
        p *= 2
    found.append(p)
    return p


def complex_power(a, n):
    t = 0
    for i in range(n):
        t += (a + i * 0.1) ** 0.5
    print("done")
    return t


def printed_and_left(n, m):
    p = 1
    if m > 5:
        print("big")
        for _ in range(m):
            p *= 2
        return p
    for _ in range(n):
        p *= 3
    return p


def made_by_python(n):
    p, seen = 1, []
    for i in range(n):
        seen = [i] + seen
        p *= 3
    s = 0
    for i in range(n):
        s += i * (p % 7)
    return s


def not_used_in_the_end(n, flag):
    p, seen = 1, []
    for i in range(n):
        seen = [i] + seen
        p *= 3
    s = 0
    for i in range(n):
        s += i
    if flag:
        s += p
    return s


def numbers_of_two_kinds(x, n):
    z, y = 0, 1
    for k in range(n):
        if x > 2:
            z -= k * 0.5
            y = abs(z)
            y += -3
        else:
            y += int(y)
        if n > 90:
            z += None if k > 95 else y
    p = 1
    for _ in range(n):
        p *= 3
    return z, y, p


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (numbers_of_two_kinds, (3, 64)),
        (numbers_of_two_kinds, (1, 64)),
        (numbers_of_two_kinds, (3, 97)),
        (numbers_of_two_kinds, (3, 92)),
        (made_by_python, (50,)),
        (not_used_in_the_end, (50, False)),
        (not_used_in_the_end, (50, True)),
        (printed_behind, (100,)),
        (refused_before, (64,)),
        (refused_before, (-1,)),
        (refused_behind, (64,)),
        (shown, (250,)),
        (text_before, (250,)),
        (array_behind, (np.arange(60.0), 250)),
        (appended_behind, ([], 250)),
        (complex_power, (-2.0, 250)),
        (printed_and_left, (100, 3)),
        (printed_and_left, (100, 9)),
    ],
)
def test_the_call_starts_again(function, args):
    compare(function, decorate(function), args, calls=3)


class Asked:
    def __init__(self):
        self.times = 0

    def __bool__(self):
        self.times += 1
        return True


def asks_for_a_truth(x, n, o):
    if o:
        n += 1
    t = 1
    for k in range(len(x)):
        t *= 7
        if x[k] > 2:
            t = 1
    return t


def asks_and_prints(x, n, o):
    t = 1 if not o else 2
    for k in range(len(x)):
        t *= 7
        if x[k] > 2:
            t = 1
    print(t)
    return t


@pytest.mark.parametrize("function", [asks_for_a_truth, asks_and_prints])
def test_the_users_code_runs_once(function):
    decorated = decorate(function)
    for _ in range(3):
        asked = Asked()
        with contextlib.suppress(OverflowError):  # ints beyond 64 bits after the user's code has run
            decorated(np.zeros(50), 3, asked)
        assert asked.times == 1


def test_an_exception_of_the_users_with_such_a_text():
    def f(x, y):
        print("a")
        for k in range(len(x)):
            if x[k] > 0.5:
                raise OverflowError("int too big to convert")
            y[k] += k
        return y

    compare(f, decorate(f), (np.linspace(0.0, 1.0, 50), np.zeros(50)), calls=3)


def changes_a_list_or_a_number(x, given, n):
    z = given if x > 2 else 1
    z *= 2
    p = 1
    for _ in range(n):
        p *= 3
    return z, p


@pytest.mark.parametrize("x", [1, 3])
@pytest.mark.parametrize("n", [3, 50])
def test_a_list_changes_once(x, n):
    decorated = decorate(changes_a_list_or_a_number)
    for _ in range(3):
        given = [1]
        with contextlib.suppress(OverflowError):  # ints beyond 64 bits after the list has changed
            assert decorated(x, given, n) == changes_a_list_or_a_number(x, [1], n)
        assert given == ([1, 1] if x > 2 else [1])
