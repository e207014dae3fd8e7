"""Objects of data classes and of classes with lists, which are made inside."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from compiled import check_compiled, needs_compiler
from same import Tolerance, compare, decorate


@dataclass
class P:
    x: float
    y: float = 2.0
    n: int = 0

    def norm(self):
        return math.sqrt(self.x**2 + self.y**2)

    def __add__(self, o):
        return P(self.x + o.x, self.y + o.y, n=self.n + 1)


@dataclass
class Q(P):
    z: float = 1.5

    def __post_init__(self):
        self.s = self.x + self.z


@dataclass
class S:
    v: list = field(default_factory=list)
    t: float = field(default=0.0, init=False)


def one(n):
    s = 0.0
    for i in range(n):
        p = P(i * 0.5, n=i)
        q = p + P(1.0, 2.0)
        q.x += 1
        s += q.norm() * q.n
    return s


def two(n):
    s = 0.0
    for i in range(n):
        p = Q(i * 0.5, z=i * 2.0)
        s += p.s + p.y
    return s


def three(n):
    t = S()
    for i in range(n):
        t.v.append(i * 0.5)
        t.t += i
    return t.v, t.t


def four(n):
    c = 0
    for i in range(n):
        if P(1.0 * (i % 3), 2.0) == P(1.0, 2.0):
            c += 1
    return c


def five(n):
    return P()


def six(n):
    return P(1.0 * n, n=n)


class DS:
    def __init__(self, n):
        self.parent = list(range(n))
        self.rank = [0] * n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x


def ds(n):
    d = DS(n)
    s = 0
    for i in range(n - 1):
        a, b = d.find(i), d.find((i * 7) % n)
        if a != b:
            d.parent[a] = b
            s += 1
    return s


CASES = ((one, (30,)), (two, (30,)), (three, (30,)), (four, (30,)), (five, (3,)), (six, (4,)), (ds, (40,)))
COMPILED = (one, two, ds)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)
