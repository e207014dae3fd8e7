"""Variables that begin as one kind and are another after a loop; None or a number; tables of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part
from same import compare, decorate

import jitscope as js

Program = Callable[..., Any]
RNG = np.random.default_rng(4)


def summed(x, n):
    total = 0
    for _ in range(n):
        total += x
    return total


def left_early(a):
    total = 0
    for k in range(len(a)):
        if a[k] > 1.5:
            break
        total += a[k]
    return total, k


def left_later(a, n):
    last = 0
    for k in range(n):
        last = a[k] * 0.5
        if last > 0.4:
            break
    return last, k


def one_branch_only(a, n):
    best = 0
    for k in range(n):
        if a[k] > best:
            best = a[k]
    return best


def backwards(a, n):
    total, last = 0, None
    for k in range(n, 0, -2):
        total += a[k - 1]
        last = k
    return total, last, k


def with_else(a, n):
    found = 0
    for k in range(n):
        found = a[k]
        if found > 2.0:
            break
    else:
        found = "none"
    return found


def nested(a, n, m):
    out = []
    for i in range(n):
        row = 0
        for j in range(i, m):
            row += a[j] * i
        out.append(row)
    return out


def in_lists(xs, ys):
    out = []
    for x in xs:
        total = 0
        for y in ys:
            total += x * y
        out.append(total)
    return out


def returned_inside(a, n):
    seen = 0
    for k in range(n):
        if a[k] < -2.0:
            return seen, k
        seen = a[k]
    return seen, k


SETTLED: list[tuple[Program, list[tuple[Any, ...]]]] = [
    (summed, [(0.5, 3), (0.5, 0), (0.5, -2), (0.5, 1), (2, 4), (0.5, 0)]),
    (left_early, [(RNG.normal(size=20),), (np.array([9.0]),), (np.zeros(3),), (np.zeros(0),)]),
    (left_later, [(RNG.normal(size=20), 20), (np.zeros(4), 4), (np.zeros(4), 0)]),
    (one_branch_only, [(RNG.normal(size=20), 20), (-np.ones(4), 4), (np.ones(4), 0)]),
    (backwards, [(RNG.normal(size=20), 20), (np.ones(4), 1), (np.ones(4), 0), (np.ones(4), 3)]),
    (with_else, [(RNG.normal(size=20), 20), (np.ones(4), 4), (np.ones(4) * 3, 4), (np.ones(4), 0)]),
    (
        nested,
        [(RNG.normal(size=9), 3, 9), (RNG.normal(size=9), 5, 3), (np.ones(2), 0, 2), (np.ones(2), 2, 2)],
    ),
    (in_lists, [([float(k) for k in range(20)], [float(k) for k in range(30)]), ([1.0] * 20, []), ([], [])]),
    (in_lists, [([1, 2, 3] * 6, [4, 5] * 9), ([1.5] * 12, [4, 5] * 9)]),
    (returned_inside, [(RNG.normal(size=20), 20), (np.ones(4) * -3, 4), (np.ones(4), 4), (np.ones(4), 0)]),
]


@pytest.mark.parametrize(("program", "calls"), SETTLED)
def test_what_a_loop_leaves(program: Program, calls: list[tuple[Any, ...]]) -> None:
    for first in calls:
        decorated = decorate(program)
        for args in (first, *calls):
            compare(program, decorated, args)


# None or a number ------------------------------------------------------------------------------------


def runs(a):
    last = None
    count = longest = 0
    for x in a:
        if x != last:
            count, last = 0, x
        count += 1
        longest = max(longest, count)
    return longest, last


def told(a, mark):
    last, out = None, []
    for k in range(len(a)):
        out.append(last == mark)
        out.append(mark != last)
        if a[k] > 0:
            last = k
    return out, last == 2, last


def of_floats(a, n):
    best = None
    same = 0
    for k in range(n):
        if best == a[k]:
            same += 1
        if best is None or a[k] > best:
            best = a[k]
    return best, same, best != 0.5


def steps(a):
    prev, total, larger = None, 0.0, 0
    for x in a:
        if prev is not None:
            total += abs(x - prev)
            if x > prev:
                larger += 1
        prev = x
    return total, larger, prev


def kept(a, n):
    prev, before = None, 0.0
    for k in range(n):
        if prev is not None:
            before = prev
        elif a[k] < 0:
            before = -1.0
        if a[k] != 0:
            prev = a[k]
    return before, prev


def either(a, n):
    low, high = None, None
    for k in range(n):
        if low is None or a[k] < low:
            low = a[k]
        if not (high is not None) or high < a[k]:
            high = a[k]
    if low is None:
        return "nothing"
    return high - low


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (steps, [(RNG.normal(size=20),), (np.ones(1),), (np.zeros(0),), (np.arange(5),)]),
        (kept, [(RNG.normal(size=20), 20), (np.zeros(3), 3), (np.array([-1.0, 2, 0]), 3), (np.ones(2), 0)]),
        (either, [(RNG.normal(size=20), 20), (np.ones(3), 3), (np.ones(2), 0)]),
        (runs, [(np.repeat(RNG.integers(0, 3, 30), 2),), (np.array([np.nan, np.nan, 1.0]),), (np.zeros(0),)]),
        (runs, [(RNG.integers(0, 2, 30).astype(np.float32),), (RNG.random(9) > 0.5,)]),
        (
            told,
            [
                (RNG.normal(size=20), 3),
                (-np.ones(3), 3),
                (np.ones(5), 2.0),
                (np.zeros(0), 1),
                (np.ones(2), None),
            ],
        ),
        (of_floats, [(RNG.integers(0, 4, 30) / 2, 30), (np.ones(3), 0), (np.array([np.nan] * 3), 3)]),
    ],
)
def test_none_or_a_number(program: Program, calls: list[tuple[Any, ...]]) -> None:
    for first in calls:
        decorated = decorate(program)
        for args in (first, *calls):
            compare(program, decorated, args)


def the_same_object(xs, q):
    last = None
    for v in xs:
        if v == q:
            last = v
    return last == q, last is q, last is None, last is not None


def test_numbers_are_the_callers_objects_where_that_is_asked() -> None:
    decorated, q = decorate(the_same_object), 1.5
    for xs in ([q, q, 2.0] * 5, [q, 2.0], [2.0] * 20, [1.5 + float(k) for k in range(20)]):
        for _ in range(3):
            assert decorated(xs, q) == the_same_object(xs, q)


def test_a_comparison_raises_though_nothing_depends_on_it() -> None:
    @js.function
    def compares(x):
        with js.jit_scope():
            last = None
            for v in x:
                if last < v:
                    pass
                last = v
            return last

    for x in (np.arange(20.0), np.arange(3), [1.0, 2.0] * 8):
        with pytest.raises(TypeError, match="not supported between instances of"):
            compares(x)


# Tables ----------------------------------------------------------------------------------------------


def flooded(grid, start):
    rows, cols = grid.shape
    distance = -np.ones((rows, cols), dtype=int)
    queue = np.zeros((rows * cols, 2), dtype=int)
    head, tail = 0, 1
    queue[0] = start
    distance[start] = 0
    while head < tail:
        r, c = queue[head]
        head += 1
        for dr, dc in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
            i, j = r + dr, c + dc
            if i < 0 or j < 0 or i >= rows or j >= cols:
                continue
            if grid[i, j] == 1 or distance[i, j] != -1:
                continue
            distance[i, j] = distance[r, c] + 1
            queue[tail] = (i, j)
            tail += 1
    return distance


def walked(choices):
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    x = y = far = 0
    for k in choices:
        x += moves[k][0]
        y += moves[k][1]
        far = max(far, x * x + y * y)
    return x, y, far


def first_of(a):
    for d in (3, 5, 7):
        if a[d] > 0:
            break
    return d, a[d]


def weighed(a, n):
    total = 0.0
    for i in range(n):
        for at, weight in ((0, 1.0), (1, 0.5)):
            if a[i + at] < 0:
                continue
            total += a[i + at] * weight
    return total


def skipped(a, n):
    total = 0.0
    for i in range(n):
        for d in [1, -1, 2]:
            if not 0 <= i + d < n:
                continue
            total += a[i + d] * d
    return total


GRID = (RNG.random((12, 9)) < 0.3).astype(int)
GRID[0, 0] = 0


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (flooded, [(GRID, (0, 0)), (GRID[:, :1].copy(), (0, 0)), (GRID * 0, (3, 2)), (GRID, (-1, -1))]),
        (
            walked,
            [(RNG.integers(0, 4, 300),), (RNG.integers(-4, 4, 30),), (np.array([1, 4]),), (np.arange(0),)],
        ),
        (first_of, [(np.arange(9) - 4,), (-np.ones(9),), (np.ones(3),)]),
        (weighed, [(RNG.normal(size=20), 19), (np.ones(3), 0), (np.ones(3), 3)]),
        (skipped, [(RNG.normal(size=20), 20), (np.ones(3), 1), (np.ones(3), 0)]),
    ],
)
def test_tables(program: Program, calls: list[tuple[Any, ...]]) -> None:
    for first in calls:
        decorated = decorate(program)
        for args in (first, *calls):
            compare(program, decorated, args)


def test_a_flood_is_compiled() -> None:
    decorated = decorate(flooded)
    decorated(GRID, (0, 0))
    assert has_compiled_part(decorated)
