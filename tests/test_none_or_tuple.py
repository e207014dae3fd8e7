"""Variables that are None, or not bound yet, on some paths and a tuple on others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def farthest_pair(v: Any, n: int) -> Any:
    best = None
    top = -1.0
    for i in range(n):
        for j in range(i):
            d = abs(v[i] - v[j])
            if d > top:
                top = d
                best = (i, j)
    return best, top


def last_above(v: Any, n: int) -> Any:
    best = None
    for i in range(n):
        if v[i] > 2:
            best = (i, v[i])
    if best is not None:
        i, x = best
        return i * x
    return -1.0


def last_position(v: Any, n: int) -> Any:
    for i in range(n):
        pos = (i, v[i] * 2)
    return pos[0] + pos[1]


def added_at(v: Any, n: int) -> Any:
    acc = v * 0
    for i in range(n):
        target = None
        if v[i] > 1:
            target = (i,)
        if target is not None:
            acc[target] += v[i]
    return acc


def root(a: float, b: float, c: float) -> Any:
    d = b * b - 4 * a * c
    if d < 0:
        return None
    s = math.sqrt(d)
    return (-b - s) / (2 * a), (-b + s) / (2 * a)


def sums_of_roots(v: Any, n: int) -> Any:
    t = 0.0
    for i in range(n):
        r = root(1.0, v[i], 0.5)
        if r is None:
            continue
        t += r[0] + 2 * r[1]
    return t


def item_of_none(v: Any, n: int) -> Any:
    best = None
    for i in range(n):
        if v[i] > 100:
            best = (i, 1)
    return best[0]


def row_that_is_written(v: Any, n: int) -> Any:
    best = None
    for i in range(n):
        row = v[i : i + 2]
        if row.sum() > 3:
            best = (row, i)
    if best is None:
        return None
    best[0][0] = -7.0
    return best[1], v


def steps_up(v: Any, n: int) -> Any:
    prev = None
    out = np.zeros(n)
    for i in range(n):
        cur = (v[i], i)
        if prev is not None and cur[0] > prev[0]:
            out[i] = cur[0] - prev[0]
        prev = cur
    return out, prev


def highest(v: Any, n: int) -> Any:
    best = None
    for i in range(n):
        if best is None or v[i] > best[0]:
            best = (v[i], i)
    return best


def highest_by_truth(v: Any, n: int) -> Any:
    best = None
    for i in range(n):
        if not best or v[i] > best[0]:
            best = (v[i], i)
    return best, best == (1.0, 2)


def nested_tuple(v: Any, n: int) -> Any:
    stack = None
    i = 0
    while i < n:
        if v[i] < 0:
            stack = ((i, v[i]), 2.5)
        i += 1
    return stack


def int_or_float(v: Any, n: int) -> Any:
    w = None
    for i in range(n):
        w = (i, 1) if v[i] > 0 else (i, 2.5)
    return w


def none_again(v: Any, n: int) -> Any:
    w = None
    for i in range(n):
        if v[i] > 2:
            w = (i, i)
        elif v[i] < -1:
            w = None
    for k in w or ():
        v[0] += k
    return w, v


def bound_on_one_path(v: Any, n: int) -> Any:
    if n > 100:
        q = (1, 2.0)
    return q


def bound_in_some_iteration(v: Any, n: int) -> Any:
    for i in range(n):
        if v[i] > 100:
            q = (i, v[i])
    return q


def bound_in_the_one_before(v: Any, n: int) -> Any:
    t = 0.0
    for i in range(n):
        if i > 2:
            t += p[1] * p[0]  # noqa: F821 (not bound in the first iteration)
        p = (v[i], i)
    a, b = p
    return t, a, b, p


def smaller_or_larger(v: Any, n: int) -> Any:
    low = high = None
    for i in range(n):
        if low is None or v[i] < low[0]:
            low = (v[i], i)
        if not (high is not None and v[i] <= high[0]):
            high = (v[i], i)
        if low is not None and high is not None and high[0] > 4:
            low, high = high, low
    return low, high


def chosen_in_a_helper(v: Any, n: int) -> Any:
    def pick(x: float, k: int) -> Any:
        return (x, k) if x > 2 else None

    t = 0.0
    for i in range(n):
        found = pick(v[i], i)
        if found:
            x, k = found
            t += x * k
        else:
            t -= 1
    return t


FUNCTIONS = [
    farthest_pair,
    last_above,
    last_position,
    added_at,
    sums_of_roots,
    item_of_none,
    row_that_is_written,
    steps_up,
    highest,
    highest_by_truth,
    nested_tuple,
    int_or_float,
    none_again,
    bound_on_one_path,
    bound_in_some_iteration,
    bound_in_the_one_before,
    smaller_or_larger,
    chosen_in_a_helper,
]
SMALL = [bound_on_one_path]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_none_or_a_tuple(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    for values in (
        [3.0, 1.0, -2.0, 5.0, 5.0, 0.5, np.nan],
        [-1.0] * 7,
        [101.0, 200.0, 1.0, 2.0, 3.0, -4.0, 0.0],
    ):
        for n in (5, 0, 7):
            compare(function, decorated, (np.array(values), n))


@needs_compiler
@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f not in SMALL])
def test_loops_with_them_are_compiled(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    decorated(np.array([3.0, 1.0, -2.0, 5.0, 105.0, 0.5, np.nan]), 5)
    assert has_compiled_part(decorated)


# What may be unbound as well --------------------------------------------------------------------------------


def from_an_inner_loop(a: Any) -> Any:
    for i in range(len(a)):
        q = None
        for k in range(i, len(a)):
            if a[k] > 1.0:
                q = (k, a[k])
                break
    return q


def number_from_an_inner_loop(a: Any) -> Any:
    for i in range(len(a)):
        q = None
        for k in range(i, len(a)):
            if a[k] > 1.0:
                q = k
    return q


def first(a: Any, i: int) -> Any:
    for k in range(i, len(a)):
        if a[k] > 1.0:
            return k, a[k]
    return None


def from_a_helper_with_a_loop(a: Any) -> Any:
    s = 0.0
    for i in range(len(a)):
        q = first(a, i)
        s += a[i]
    if q is None:
        return s
    return q


def deleted(a: Any) -> Any:
    p = (1, 0.5)
    for i in range(len(a)):
        if a[i] > 0.5:
            del p
        a[i] += 1
    return a


def first_bound_in_a_loop_of_python(a: Any) -> Any:
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    L = []
    for i in range(len(a)):
        L.append(str(i))
        p = (i, a[i])
    return p, s, L


def swapped_by_truth(a: Any) -> Any:
    p = None
    q = (0.0, 1.0)
    for i in range(len(a)):
        p, q = q, p
        if p:
            if p is not None:
                a[i] = 1.0
        else:
            q = (a[i], a[i])
    return a


def swapped_beside_a_branch(a: Any) -> Any:
    s = 0.0
    p = (0.5, 1.5)
    q = None
    for i in range(len(a)):
        if s > -1:
            pass
        else:
            q = (a[i], a[i])
        s += p[1]
        p, q = q, p
    return s


def without_a_key(a: Any) -> Any:
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return max(a, key=None) if len(a) else 0, s, max(3, 2, key=None)


def key_of_a_sum(a: Any) -> Any:
    w = 0.0
    for i in range(len(a)):
        w += a[i] * a[i]
    return sorted([3, 1, 2], key=lambda x: x * w), w


def key_of_two_kinds(a: Any) -> Any:
    t = 0.5
    n = 0
    for i in range(len(a)):
        k = max(range(i + 1), key=lambda z: (z - t) ** 2)
        t = a[i]
        n += k
    return n


MORE = [
    from_an_inner_loop,
    number_from_an_inner_loop,
    from_a_helper_with_a_loop,
    deleted,
    first_bound_in_a_loop_of_python,
    swapped_by_truth,
    swapped_beside_a_branch,
    without_a_key,
    key_of_a_sum,
    key_of_two_kinds,
]


@pytest.mark.parametrize("function", MORE)
def test_none_a_tuple_or_unbound(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    for values in (np.random.default_rng(0).standard_normal(120), np.zeros(0), np.full(5, 0.7)):
        compare(function, decorated, (values,))
