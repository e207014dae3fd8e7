"""Objects made inside that have two names: what is set under the one is read under the other.

Where a branch or a loop exchanges such an object, it becomes a value; from then on, in the next iteration of
a loop around it as well, its attributes stay as they are, or it is an object of the run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")


class P:
    def __init__(self, x):
        self.x = x

    def move(self, v):
        self.x += v
        return self


class Watch:
    def __init__(self):
        self.now, self.best = P(0.0), None

    def see(self, v):
        self.now.x = v
        if self.best is None or self.now.x > self.best.x:
            self.best = self.now


def taken_after_it_is_set(a):
    best, p = None, P(0.0)
    for i in range(len(a)):
        p.x = a[i]
        if best is None or p.x > best.x:
            best = p
    return best.x if best is not None else 0.0


def taken_once(a):
    best, p = None, P(0.0)
    for i in range(len(a)):
        p.x = a[i]
        if best is None:
            best = p
    return p.x if best is None else best.x


def another_first(a):
    best, p = P(-1.0), P(0.0)
    for i in range(len(a)):
        p.x = a[i]
        if i == 0:
            best = P(a[i] * 10)
        elif a[i] > 1:
            best = p
    return best.x


def the_one_before(a):
    before, p, n = None, P(0.0), 0
    for i in range(len(a)):
        p.x = a[i]
        if before is not None and p.x > before.x:
            n += 1
        before = p
    return n


def by_a_method(a):
    p, q, t = P(0.0), P(1.0), 0.0
    for i in range(len(a)):
        p.move(a[i])
        t += q.x
        q = p if a[i] > 1 else P(0.5)
    return t + p.x


def in_a_while(a):
    p, last, n, i = P(0.0), None, 0, 0
    while i < len(a):
        p.x = a[i]
        if last is not None and last.x != p.x:
            n += 1
        if last is None or a[i] > 0:
            last = p
        i += 1
    return n


def one_of_two(a):
    p, q, now = P(0.0), P(1.0), None
    for i in range(len(a)):
        p.x += a[i]
        q.x -= a[i]
        if now is None:
            now = p
        elif now.x > 2:
            now = q
    return p.x if now is None else now.x


def two_levels(a):
    best, p = P(-1.0), P(0.0)
    for i in range(len(a)):
        p.x = a[i]
        for j in range(3):
            if j > 1:
                best = p
    return best.x


def set_in_the_inner_loop(a):
    best, p = P(-1.0), P(0.0)
    for i in range(len(a)):
        if a[i] > 0.7:
            best = p
        for j in range(2):
            p.x = a[i] + j
    return best.x, p.x


def of_an_object(a):
    w = Watch()
    for i in range(len(a)):
        w.see(a[i])
    return w.now.x


def made_and_set_in_each(a):
    best = P(-1.0)
    for i in range(len(a)):
        p = P(a[i])
        p.x = p.x * 2
        if p.x > best.x:
            best = p
    return best.x


def set_before_the_loop(a):
    best, p = P(-1.0), P(0.0)
    p.x = 0.75
    for i in range(len(a)):
        if a[i] > 0.7:
            best = p
    return best.x


def set_in_an_earlier_loop(a):
    best, p = P(-1.0), P(0.0)
    for i in range(len(a)):
        p.x += a[i]
    for i in range(len(a)):
        if a[i] > 0.7:
            best = p
    return best.x


COMPILED = (made_and_set_in_each, set_before_the_loop, set_in_an_earlier_loop)
OTHERS = (taken_after_it_is_set, taken_once, another_first, the_one_before, by_a_method, in_a_while)
OTHERS += (one_of_two, two_levels, set_in_the_inner_loop, of_an_object)


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for a in (
        np.array([1.5, -2.0, 4.0, 3.0, 0.5]),
        np.array([]),
        np.array([0.5]),
        np.arange(5.0)[::-1].copy(),
    ):
        compare(program, decorated, (a,), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(np.array([1.0, 2.0, 3.0, 0.5]))
    assert has_compiled_part(decorated)
