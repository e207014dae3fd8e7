"""Objects of the user's classes that are made inside, and that branches and loops exchange."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate


class V:
    scale = 2.0

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return V(self.x * k, self.y * k)

    def __eq__(self, o):
        return self.x == o.x and self.y == o.y

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5 * self.scale


class P:
    def __init__(self, c, k):
        self.cost = c
        self.k = k


def walk(a):
    v = V(0.0, 0.0)
    for i in range(len(a)):
        v = v + V(a[i], 1.0) * 0.5
    return v.norm()


def best(a):
    b = None
    for i in range(len(a)):
        p = P(a[i] * a[i], i)
        if b is None or p.cost < b.cost:
            b = p
    return b.cost, b.k


def best2(a):
    b = P(1e9, -1)
    for i in range(len(a)):
        p = P(a[i] * a[i], i)
        if p.cost < b.cost:
            b = p
    return b.cost, b.k


def swap(a):
    u, v = V(1.0, 0.0), V(0.0, 1.0)
    for i in range(len(a)):
        u, v = v, u + v * a[i]
    return u.norm(), v.norm(), u == v


def alias(a):
    p = P(0.0, 0)
    q = p
    for i in range(len(a)):
        p.cost += a[i]
        q = P(q.cost + p.cost, i)
    return p.cost, q.cost


def alias2(a):
    p = P(0.0, 0)
    r = P(1.0, 1)
    for i in range(len(a)):
        q = p if a[i] > 1 else r
        q.cost += a[i]
    return p.cost, r.cost


def ident(a):
    p = P(0.0, 0)
    n = 0
    q = p
    for i in range(len(a)):
        if a[i] > 1:
            q = P(a[i], i)
        n += q is p
        n += 10 * (q == p)
    return n


def nested(a):
    class_ = [P(1.0, 2), P(2.0, 3)]
    s = 0.0
    for i in range(len(a)):
        c = class_[0] if a[i] > 1 else class_[1]
        s += c.cost * c.k
    return s


def kept(a):
    p = P(0.0, 0)
    for i in range(len(a)):
        q = P(a[i], i)
        if a[i] > 1:
            p = q
    q.cost = 77.0
    return p.cost


def best3(a):
    b = None
    for x in a:
        if b is None:
            b = V(x, 1.0)
        elif x > b.x:
            b = V(x, b.y + 1)
    if b is not None:
        return b.x, b.y
    return 0.0, 0.0


def best4(a):
    for x in a:
        if x > 1:
            b = V(x, 1.0)
    return b.x


def truthy(a):
    b = None
    for x in a:
        if b:
            b = b + V(x, x)
        else:
            b = V(x, 1.0)
    return b.norm() if b else -1.0


def mixed(a):
    b = V(0.0, 0.0)
    for x in a:
        b = P(x, 1) if x > 1 else V(x, 1.0)
    return type(b).__name__


def of_objects(a):
    b = P(V(0.0, 1.0), 0)
    for i in range(len(a)):
        if a[i] > b.cost.x:
            b = P(V(a[i], b.cost.y + 1.0), i)
    return b.cost.x, b.cost.y, b.k


def with_arrays(a):
    b, c = P(a * 2.0, 0), P(a * 3.0, 1)
    for i in range(len(a)):
        b, c = c, b
        b.cost[i] += 1.0
        c.cost[:] *= 0.5
    return b.cost, c.cost, b.k


def in_a_list(a):
    ps = [P(0.0, 0), P(1.0, 1), P(2.0, 2)]
    for i in range(len(a)):
        ps[i % 3] = P(ps[i % 3].cost + a[i], i)
    return [p.cost for p in ps], [p.k for p in ps]


COMPILED = (walk, best, best2, swap, nested, best3, best4, truthy, of_objects)
OTHERS = (alias, alias2, ident, kept, mixed, with_arrays, in_a_list)


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for a in (np.array([1.0, 2.0, 3.0, 0.5]), np.array([]), np.array([0.5]), np.arange(5.0)[::-1].copy()):
        compare(program, decorated, (a,), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated, a = decorate(program), np.array([1.0, 2.0, 3.0, 0.5])
    decorated(a)
    assert has_compiled_part(decorated)
