"""Dicts and sets whose keys are tuples of ints, and dicts that lose keys: hash tables in kernels."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

import jitscope as js

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def reached(a, n):
    seen = {(0, 0)}
    todo = deque([(0, 0)])
    while todo:
        r, c = todo.popleft()
        for dr, dc in STEPS:
            x, y = r + dr, c + dc
            if 0 <= x < a.shape[0] and 0 <= y < a.shape[1] and a[x, y] > 0 and (x, y) not in seen:
                seen.add((x, y))
                todo.append((x, y))
    return len(seen), seen


def distances(a, n):
    start = (n % 2, 0)
    far = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for dr, dc in STEPS:
            there = (here[0] + dr, here[1] + dc)
            if 0 <= there[0] < a.shape[0] and 0 <= there[1] < a.shape[1] and a[there] > 0:
                if there not in far:
                    far[there] = far[here] + 1
                    todo.append(there)
    return far


def remembered(a, n):
    memo = {}

    def ways(i, j):
        if i == 0 or j == 0:
            return 1
        if (i, j) in memo:
            return memo[i, j]
        memo[(i, j)] = ways(i - 1, j) + ways(i, j - 1)
        return memo[i, j]

    return ways(n, n + 2), len(memo)


def counted(a, n):
    found = defaultdict(int)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            found[int(a[i, j]) % n, (i * j) % 3] += 1
    total = 0
    for (k, m), count in found.items():
        total = (total * 31 + 7 * k + m + count) % 100_003
    return total, found


def counted_triples(a, n):
    found = Counter()
    for i in range(20 * n):
        found[i % 5, -i, (i * i) << 40] += i
    return found, found[0, 0, 0], found[1, 1, 1]


def cells_alive(a, n):
    near = {}
    for r in range(a.shape[0]):
        for c in range(a.shape[1]):
            if a[r, c] > 0:
                for dr in (-1, 0, 1):
                    for dc in (-1, 0, 1):
                        if dr or dc:
                            near[r + dr, c + dc] = near.get((r + dr, c + dc), 0) + 1
    born = []
    for cell, count in near.items():
        if count == 3:
            born.append(cell)
    return born, near


def numpys_keys(a, n):
    seen, b = set(), a.astype(int)
    for i in range(len(b)):
        seen.add((b[i, 0], b[i, 1] % n))
    return len(seen), seen


def numpys_keys_by_python_s(a, n):
    found, b = defaultdict(int), a.astype(int)
    for i in range(len(b)):
        found[b[i, 0], b[i, 1]] += 1
    t = 0
    for i in range(-9, 9):
        t += found.get((i, n), 0)
    return t, found.get((0, 0), -1), (1, 1) in found, found


def of_one(a, n):
    d = {}
    for i in range(n):
        d[(i * 3,)] = i
    return d, (3,) in d


def with_values_that_are_tuples(a, n):
    d = {}
    for i in range(len(a)):
        d[i, i % n] = (a[i, 0], i)
    s = 0.0
    for i in range(len(a)):
        x, k = d[(i, i % n)]
        s += x * k
    return s, d


def smallest(a, n):
    s = set()
    for i in range(4 * n):
        s.add(((i * 7) % 5, -i))
    return min(s), max(s), len(s)


def many(a, n):
    d = {}
    for i in range(400 * n):
        key = (i * 7919) % 97 - 50, (i * i) % 89
        d[key] = d.get(key, 0.5) + i
    return len(d), d


def taken_out(a, n):
    d, t = {}, 0
    for i in range(10 * n):
        d[i % 7, i % n] = i
        if i % 3 == 0:
            t = t * 2 % 1009 + d.pop((i % 7, i % n))
        t += d.pop((i % 5, 0), -1)
    return t, len(d)


def in_order(a, n):
    d = {}
    for i in range(5 * n):
        d[i % 7, -i % n] = i
    return sorted(d), len(d)


def deleted(a, n):
    d, t = {}, 0
    for i in range(30 * n):
        d[i] = i * 0.5
        if i >= 10:
            del d[i - 10]
    for i in range(30 * n):
        t += d.get(i, -1.0)
    return t, len(d)


def a_set_loses_pairs(a, n):
    s = set()
    for i in range(20 * n):
        s.add((i % 9, i % 4))
        s.discard((i % 5, i % 3))
        if (0, 1) in s:
            s.remove((0, 1))
    return len(s), (1, 1) in s, (8, 0) in s


def as_it_stands_in_the_program(a, n):
    weights = {(0, 1): 0.5, (1, 0): 0.25, (-1, 0): 0.125}
    names = {1: 2.0, 3: 4.0}
    s = 0.0
    for i in range(1, len(a) - 1):
        for (dr, dc), w in weights.items():
            s += w * a[i + dr, 1 + dc] + names[1]
    return s * weights[0, 1] + (weights[1, 0] if (1, 0) in weights else 0.0) + names[3]


def missing(a, n):
    d = {}
    for i in range(n):
        d[i, i] = i
    a[0, 0] = 9.0
    return d[n, n]


def missing_when_popped(a, n):
    d = {}
    for i in range(n):
        d[i] = i
    a[0, 0] = 9.0
    return d.pop(n)


def missing_when_deleted(a, n):
    d = {}
    for i in range(n):
        d[i, 0] = i
    a[0, 0] = 9.0
    del d[n, 0]
    return d


def two_kinds(a, n):
    d, b = {}, a.astype(int)
    for i in range(n):
        d[i, 0] = 1
        d[b[i, 0], 0] = 2
        d[i] = 3
    return d


def truths_and_floats(a, n):
    d = {}
    for i in range(n):
        d[i > 1, i] = 1
        d[i * 1.0, i] = 2
    return d


def order_after_a_deletion(a, n):
    d = {}
    for i in range(n + 3):
        d[i, 1] = i
    del d[1, 1]
    d[1, 1] = 9
    return list(d), list(d.values()), d


def deleted_while_gone_through(a, n):
    d = {}
    for i in range(n + 3):
        d[i] = i
    for k in d:
        if k == 1:
            del d[k]
    return d


def nested(a, n):
    d = {}
    for i in range(n):
        d[(i, (i, 0))] = i
    return d


def tuples_of_one_or_ints(a, n):
    d, e = {}, {}
    for i in range(n):
        d[i] = i
        e[(i,)] = i
    hits = got = 0
    for k in d:
        hits += (k,) in d
        got += d.get((k,), 100)
    for t in e:
        hits += t[0] in e
    for (k,) in e:
        got += e.get(k, 1000)
    for k in d:
        d[k] = d.get((k,), -1)
    return hits, got, d


def deleted_from_a_counter(a, n):
    c, missed = Counter(), 0
    for i in range(n):
        c[i % 3, i] += 1
    for i in range(2 * n):
        try:
            del c[0, i]
        except KeyError:
            missed += 1
    del c[-1, -1]
    return missed, len(c)


def counters_of_counts(a, n):
    c, d = Counter(), {}
    for i in range(2 * n):
        c[i % 3] += 1
        d[i % 2, 0] = i
    return Counter(c), Counter(d), Counter(d.values()), c


def only_popped(a, n):
    d, t = {1: 5, 2: 6}, 0
    for i in range(n):
        t += d.pop(i, 10)
        t += d.setdefault(i, 3)
    return t, len(d)


COMPILED = (
    *(reached, distances, remembered, counted, counted_triples, cells_alive, numpys_keys, of_one),
    numpys_keys_by_python_s,
    *(with_values_that_are_tuples, many, taken_out, deleted, a_set_loses_pairs),
)
OTHERS = (
    *(as_it_stands_in_the_program, missing, missing_when_popped, missing_when_deleted, two_kinds),
    *(truths_and_floats, order_after_a_deletion, deleted_while_gone_through, nested, smallest, in_order),
    *(tuples_of_one_or_ints, deleted_from_a_counter, counters_of_counts, only_popped),
)
A = np.random.default_rng(5).normal(1.0, 2.0, (9, 7))


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for a, n in ((A, 3), (A[::-1, ::2].copy(), 5), (A[:3, :3] * 3, 2), (np.ones((4, 5)), 1), (A, 4)):
        compare(program, decorated, (a.copy(), n), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(A.copy(), 3)
    assert has_compiled_part(decorated)
    assert decorated.coverage(A.copy(), 3).share > 0.9


def test_what_stands_in_the_program_is_no_table() -> None:
    assert "places" not in js.to_code(as_it_stands_in_the_program, A, 3)
