"""Operators of the user's classes, on objects that are made inside: whom Python asks, and if none answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")


class Equal:
    def __init__(self, x):
        self.x = x

    def __eq__(self, o):
        return self.x == o.x


class Unlike(Equal):
    def __ne__(self, o):
        return "unlike"


class Ordered:
    def __init__(self, x):
        self.x = x

    def __lt__(self, o):
        return self.x < o.x

    def __add__(self, o):
        return self.x + o.x

    def __eq__(self, o):
        return self.x == o.x


class More(Ordered):
    def __radd__(self, o):
        return 1000.0

    def __gt__(self, o):
        return True

    def __eq__(self, o):
        return True


class Added:
    def __init__(self, x):
        self.x = x

    def __add__(self, o):
        return Added(self.x + o)

    def __iadd__(self, o):
        self.x += 2 * o
        return self


class Scaled:
    def __init__(self, x):
        self.x = x

    def __mul__(self, k):
        return Scaled(self.x * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Scaled(-self.x)

    def __sub__(self, o):
        if not isinstance(o, Scaled):
            return NotImplemented
        return Scaled(self.x - o.x)


class Bare:
    def __init__(self, x):
        self.x = x


def not_equal(a):
    n = 0
    for i in range(len(a)):
        p, q = Equal(a[i]), Equal(a[0])
        if p != q:
            n += 1
    return n


def until_they_are_equal(a):
    p, n = Equal(1e3), 0
    q = Equal(0.0)
    while p != q and n < 100:
        q = p
        p = Equal(p.x // 2)
        n += 1
    return n


def with_a_method_of_its_own(a):
    n = 0
    for i in range(len(a)):
        if (Unlike(a[i]) != Unlike(a[0])) == "unlike":
            n += 1
    return n


def in_place(a):
    t = 0.0
    for i in range(len(a)):
        p = Added(a[i])
        q = p
        p += 1.0
        t += p.x + q.x * 3
    return t


def in_place_without_a_method(a):
    t = 0.0
    for i in range(len(a)):
        p = Scaled(a[i])
        q = p
        p *= 3.0
        t += p.x + q.x
    return t


def subclass_on_the_right(a):
    t, n, m = 0.0, 0, 0
    for i in range(len(a)):
        t += Ordered(a[i]) + More(a[i])
        if Ordered(a[i]) < More(0.0):
            n += 1
        if Ordered(a[i]) == More(0.0):
            m += 1
    return t, n, m


def swapped(a):
    n = 0
    for i in range(len(a)):
        if Ordered(a[i]) > Ordered(0.75):
            n += 1
    return n


def number_on_the_left(a, dt):
    v = Scaled(0.0)
    for i in range(len(a)):
        v = dt * Scaled(a[i]) - v * 2
    return (-v).x


def numpys_number_on_the_left(a):
    t = 0.0
    for i in range(len(a)):
        t += (a[i] * Scaled(2.0)).x
    return t


def not_implemented(a):
    s = a.sum()
    return s, Scaled(s) - 1.0


def no_method(a):
    s = 0.0
    for v in a:
        s += v
    return s + (Bare(s) + Bare(1.0))


def no_order(a):
    s = 0.0
    for v in a:
        s += v
    return Bare(s) < Bare(1.0)


def by_identity(a):
    n = 0
    for i in range(len(a)):
        p = Bare(a[i])
        if p == p and p != Bare(a[i]) and not p == None:  # noqa: E711
            n += 1
    return n


def as_keys(a):
    p, q = Bare(1.0), Bare(2.0)
    d = {p: "p", q: "q"}
    now = p
    for i in range(len(a)):
        if a[i] > 0.7:
            now = q
    return d.get(now, "missing"), (now, 1) in {(p, 1): 5.0}


def unhashable(a):
    p, t = Equal(1.0), 0.0
    for i in range(len(a)):
        t += a[i]
    return t, p in {"q": 1.0}


def unhashable_key(a):
    t = 0.0
    for i in range(len(a)):
        p = Equal(a[i])
        t += {p: a[i]}[p]
    return t


COMPILED = (not_equal, until_they_are_equal, in_place_without_a_method, swapped, by_identity)
OTHERS = (
    with_a_method_of_its_own,
    in_place,
    subclass_on_the_right,
    numpys_number_on_the_left,
    not_implemented,
)
OTHERS += (no_method, no_order, as_keys, unhashable, unhashable_key)
X = np.array([1.5, -2.0, 0.25, 4.0, 1.5])


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for a in (X, np.array([0.5]), np.arange(5.0)[::-1].copy()):
        compare(program, decorated, (a,), tol=Tolerance(ulp=4))


def test_a_number_on_the_left() -> None:
    decorated = decorate(number_on_the_left)
    for dt in (0.5, 2, True, np.float64(0.25), np.float32(0.5)):
        compare(number_on_the_left, decorated, (X, dt), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(X)
    assert has_compiled_part(decorated)
