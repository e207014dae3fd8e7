"""Arrays that loops make, roll, cross and write to in steps: plain against decorated, of any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import explanation, has_compiled_part, needs_compiler
from same import compare, decorate

Program = Callable[..., Any]
RNG = np.random.default_rng(3)
A = RNG.normal(size=(6, 7))
P, Q = RNG.normal(size=(2, 8, 3))


def life(world, n):
    for _ in range(n):
        near = sum(np.roll(np.roll(world, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        world = ((near == 3) | ((world == 1) & (near == 2))).astype(int)
    return world


def streamed(f, cx, cy, n):
    for _ in range(n):
        for i in range(3):
            f[:, :, i] = np.roll(f[:, :, i], (cy[i], cx[i]), axis=(0, 1))
    return f


def rolled(a, n):
    total = a * 0
    for i in range(n):
        total += np.roll(a, i, axis=0) + np.roll(a, -i * 3, 1) + np.roll(a, (i, 2), axis=(-2, -1))
        total += np.roll(a, (n - i, -5), (1, 0))
    return total


def ranges(n, k):
    total = 0
    for i in range(k):
        a, b, c = np.arange(n), np.arange(i, n), np.arange(n, i, -2)
        d, e, g = np.arange(2, n, 3, dtype=float), np.arange(i), np.arange(n, n - i)
        total += a.sum() + b.sum() * 2 + c.sum() * 3 + d.sum() + len(c) + e.sum() + len(g)
    return total, a, b, c, d, e


def spaced(n, k, x):
    total = 0.0
    for i in range(k):
        a, b, c = np.linspace(x, i, n), np.linspace(0, 1, n, endpoint=False), np.linspace(x, x, num=n)
        d = np.linspace(1e-310, 2e-310, n + 40)
        total += a.sum() + b.sum() + c.sum() + d.sum()
    return total, a, b, c, d


def units(a, k):
    n = len(a)
    for i in range(k):
        a = a @ np.eye(n) + np.identity(n) * 0.5 + np.eye(n, k=1) + np.tri(n, n, -1) + np.eye(n, n, -2)
        np.fill_diagonal(a, i)
        a[0, 0] += np.trace(a) + a.trace()
    return a


def diagonals(a, k):
    total = a[:1, :1].sum() * 0
    for i in range(k):
        np.fill_diagonal(a, i)
        total += np.trace(a * 3)
    return total, a


def crossed(p, q, n):
    total = np.zeros(3)
    for i in range(n):
        total += np.cross(p[i], q[i - 1])
        total += np.cross(p, q)[i]
    return total


def picked_by_ranges(p, y, n):
    for _ in range(n):
        p[np.arange(len(y)), y] -= 1
        p /= len(y)
    return p


def sieve(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    i = 2
    while i * i <= n:
        if is_prime[i]:
            is_prime[i * i :: i] = False
        i += 1
    return is_prime


def steps(v, n):
    for i in range(n):
        v[i - 3 : -i - 1 : i + 1] = i
        v[i : 0 : -i - 1] = 0.5 * i
        v[:: i + 2] = 2
        v[: i : i - 5] = 7.0
    return v


def eliminated(a, b):
    n = len(b)
    a, b = a.copy(), b.copy()
    for k in range(n):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        if p != k:
            a[[p, k]] = a[[k, p]]
            b[[p, k]] = b[[k, p]]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            b[i] -= f * b[k]
    return a, b


def swapped(v, n):
    total = 0.0
    for i in range(n):
        v[[i, -1 - i]] = v[[-1 - i, i]]
        v[[0, 1, 2]] = 0.5
        total += v[[i, i + 1]].sum() + v[[1, 1]].sum()
    return total


def rows_swapped(a, n):
    for i in range(n):
        a[[i, i + 1], :] = a[[i + 1, i], :] * 2
    return a


INTS = RNG.integers(-9, 9, (8, 3))
CASES: list[tuple[Program, list[tuple[Any, ...]]]] = [
    (life, [((RNG.random((9, 12)) < 0.4).astype(int), 5), (np.ones((1, 5), int), 2)]),
    (streamed, [(RNG.random((6, 7, 3)), np.array([0, 1, -1]), np.array([1, -8, 2]), 4)]),
    (rolled, [(A, 4), (A[:1], 3), (np.zeros((0, 7)), 2), (A.astype(int), 3), (A.T, 3), (A[::2, ::-1], 3)]),
    (ranges, [(9, 4), (3, 5), (0, 3)]),
    (spaced, [(9, 4, 0.3), (2, 3, -1.5), (1, 3, 0.3), (0, 3, 0.3), (9, 3, 2)]),
    (units, [(RNG.random((5, 5)), 3), (RNG.random((1, 1)), 2)]),
    (diagonals, [(RNG.random((5, 9)), 2), (RNG.random((9, 5)), 2), (np.ones((4, 4), "i4"), 3), (A.T, 2)]),
    (crossed, [(P, Q, 6), (INTS, INTS[::-1], 6), (P.astype("f4"), Q.astype("f4"), 4)]),
    (picked_by_ranges, [(RNG.random((8, 4)), RNG.integers(0, 4, 8), 3)]),
    (sieve, [(5000,), (1,), (10,)]),
    (steps, [(np.arange(30.0), 4), (np.arange(30.0), 7), (np.arange(3.0), 5)]),
    (
        eliminated,
        [(RNG.normal(size=(20, 20)), RNG.normal(size=20)), (np.eye(3)[::-1].copy(), np.arange(3.0))],
    ),
    (swapped, [(RNG.normal(size=40), 10), (RNG.normal(size=5), 50), (np.arange(6), 4)]),
    (rows_swapped, [(RNG.normal(size=(20, 7)), 10), (RNG.normal(size=(8, 7)), 30)]),
]


@pytest.mark.parametrize(("program", "calls"), CASES, ids=[program.__name__ for program, _ in CASES])
def test_they_are_compiled_and_right(program: Program, calls: list[tuple[Any, ...]]) -> None:
    decorated = decorate(program)
    for args in calls:
        compare(program, decorated, args)
    if hasattr(decorated, "specializations"):
        assert has_compiled_part(decorated)
        assert "has no compiled form here" not in explanation(decorated, *calls[0])


def crossed_of_two(p, q, n):
    total = 0.0
    for i in range(n):
        total += np.cross(p[i], q[i])
    return total


def stepped_by(v, k, n):
    for i in range(n):
        v[i::k] = i
    return v


def made(n, k):
    total = 0.0
    for i in range(k):
        total += np.arange(n * 0.1, 3).sum() + np.arange(i, n, k).sum() + np.linspace(0, 1, n).sum()
    return total


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (crossed_of_two, [(P[:, :2], Q[:, :2], 4), (P, Q, 3), (A, A, 3)]),
        (stepped_by, [(np.arange(9.0), 2, 3), (np.arange(9.0), 0, 3), (np.arange(9.0), -2, 3)]),
        (made, [(9, 3), (-2, 3), (0, 2)]),
        (rows_swapped, [(np.arange(6), 2), (A, 2)]),
    ],
)
def test_what_numpy_refuses_or_does_otherwise(program: Program, calls: list[tuple[Any, ...]]) -> None:
    for first in calls:
        decorated = decorate(program)
        for args in (first, *calls):
            compare(program, decorated, args)


@needs_compiler
def test_numpy_is_called_where_nothing_else_is_in_a_kernel() -> None:
    def alone(n):
        return np.eye(n)

    decorated = decorate(alone)
    compare(alone, decorated, (1000,))
    assert "np.eye(n) has no compiled form here" in explanation(decorated, 1000)


@needs_compiler
def test_beside_others_numpy_is_not_called() -> None:
    def beside(n):
        return np.arange(n) * 2.5 + 1

    decorated = decorate(beside)
    compare(beside, decorated, (1000,))
    assert "no compiled form" not in explanation(decorated, 1000)
