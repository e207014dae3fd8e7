"""Functions inside that return early, or call themselves, and change what the function around has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def union_find(edges: Any, n: Any) -> Any:
    parent = list(range(n))
    groups = n

    def find(a: Any) -> Any:
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        return a

    def union(a: Any, b: Any) -> Any:
        nonlocal groups
        a, b = find(a), find(b)
        if a == b:
            return False
        parent[a] = b
        groups -= 1
        return True

    used = 0
    for k in range(len(edges)):
        if union(edges[k, 0] % n, edges[k, 1] % n):
            used += 1
    return groups, used


def appended(edges: Any, n: Any) -> Any:
    out = []

    def add(v: Any) -> Any:
        if v % 3 == 0:
            return
        if v % 5 == 0:
            out.append(-v)
            return
        out.append(v)

    for i in range(n):
        add(i)
    return len(out), sum(out), out


def popped(edges: Any, n: Any) -> Any:
    stack = [n]

    def take() -> Any:
        v = stack.pop()
        if v <= 1:
            return v
        stack.append(v - 1)
        if v % 4 == 0:
            stack.append(v // 2)
            return 0
        return v

    s = 0
    while stack:
        s += take()
        if s > 5000:
            break
    return s, stack


def counted(edges: Any, n: Any) -> Any:
    seen: Any = {}
    best = (0, -1)

    def see(v: Any) -> Any:
        nonlocal best
        if v in seen:
            seen[v] += 1
            if seen[v] > best[0]:
                best = (seen[v], v)
            return True
        seen[v] = 1
        return False

    repeats = 0
    for k in range(len(edges)):
        if see(int(edges[k, 0])) or see(int(edges[k, 1])):
            repeats += 1
    return repeats, best, seen


def kinds_that_change(edges: Any, n: Any) -> Any:
    last = None
    total = 0

    def look(v: Any) -> Any:
        nonlocal last, total
        if v < 2:
            return 0
        if last is None:
            last = v
            return 1
        total += v * 0.5
        if v > last:
            last = v
            return 2
        return 3

    found = 0
    for k in range(len(edges)):
        found += look(edges[k, 0])
    return found, last, total


def arrays_too(edges: Any, n: Any) -> Any:
    x = np.zeros(3)

    def step(k: Any) -> Any:
        nonlocal x
        if k % 3 == 1:
            return -1
        if k % 2:
            x = x * 0.5 + k
            return 1
        x[0] += k
        return 0

    s = 0
    for k in range(n):
        s += step(k)
    return s, x


def in_each_other(edges: Any, n: Any) -> Any:
    out = []
    calls = 0

    def inner(v: Any) -> Any:
        nonlocal calls
        calls += 1
        if v % 2:
            out.append(v)
            return v
        return 0

    def outer(v: Any) -> Any:
        nonlocal calls
        for k in range(v):
            calls += 10
            if inner(k + v) > 6:
                out.append(-k)
                return k
        if v > 3:
            return inner(v) + inner(v + 1)
        out.append(0)
        return -1

    s = 0
    for i in range(n):
        s += outer(i % 7)
    return s, calls, out


def raising(edges: Any, n: Any) -> Any:
    out = []
    count = 0

    def check(v: Any) -> Any:
        nonlocal count
        count += 1
        if v % 4 == 1:
            return v
        out.append(v)
        if v > 9:
            raise ValueError(v)
        return -v

    s = 0
    try:
        for i in range(n):
            s += check(i)
    except ValueError:
        s += 1000
    return s, count, out


def escaping(edges: Any, n: Any) -> Any:
    out = [n]

    def check(v: Any) -> Any:
        out.append(v)
        if v > 9:
            raise ValueError(len(out))
        if v % 2:
            return v
        edges[0, 0] += v
        return 1

    for i in range(n):
        out[0] += check(i)
    return out


def left_in_a_loop(edges: Any, n: Any) -> Any:
    queue = [0]

    def spread(limit: Any) -> Any:
        for k in range(limit):
            queue.append(queue[-1] + k)
            if queue[-1] > 20:
                queue.clear()
                queue.append(k)
                return True
        return False

    times = 0
    for i in range(n):
        if spread(i % 6):
            times += 1
    return times, queue


def changed_while_walked(edges: Any, n: Any) -> Any:
    out = [1, 2, 3]

    def more(v: Any) -> Any:
        if len(out) > n:
            return False
        out.append(v + 1)
        return True

    s = 0
    for v in out:
        s += v
        more(v)
    return s, out


def two_of_them(edges: Any, n: Any) -> Any:
    evens, odds = [], []

    def put(v: Any) -> Any:
        if v % 2:
            odds.append(v)
            return odds
        evens.append(v * 0.5)
        return None

    some = 0
    for i in range(n):
        if put(i) is None:
            some += 1
    return evens, odds, some


PROGRAMS = (
    union_find,
    appended,
    popped,
    counted,
    kinds_that_change,
    arrays_too,
    in_each_other,
    raising,
    escaping,
    left_in_a_loop,
    changed_while_walked,
    two_of_them,
)


def _edges() -> Any:
    return np.random.default_rng(5).integers(0, 12, (30, 2))


@pytest.mark.parametrize("program", PROGRAMS)
def test_they_do_what_python_does(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (8, 3, 14, 20, 1):
        compare(program, decorated, (_edges(), n), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", [p for p in PROGRAMS if p not in (changed_while_walked, two_of_them)])
def test_they_are_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(_edges(), 8)
    assert has_compiled_part(decorated)
