"""Functions inside that call themselves, and append to lists, fill dicts and sets, count what they find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def leaves(x: Any, n: Any) -> Any:
    out = []

    def go(k: Any, s: Any) -> Any:
        if k == 0:
            out.append(s)
            return
        go(k - 1, s * 2)
        go(k - 1, s * 2 + 1)

    go(n, 0)
    return len(out), out[-1], sum(out), out


def remembered(x: Any, n: Any) -> Any:
    memo: Any = {}

    def f(k: Any) -> Any:
        if k in memo:
            return memo[k]
        if k < 2:
            return k
        r = (f(k - 1) + f(k - 2)) % 1000007
        memo[k] = r
        return r

    return f(n * 20), len(memo), memo


def remembered_by_two(x: Any, n: Any) -> Any:
    memo: Any = {}
    calls = 0

    def paths(i: Any, j: Any) -> Any:
        nonlocal calls
        calls += 1
        if i == 0 or j == 0:
            return 1
        key = i * 1000 + j
        if key not in memo:
            memo[key] = (paths(i - 1, j) + paths(i, j - 1)) % 1000003
        return memo[key]

    return paths(n, n + 1), calls


def queens(x: Any, n: Any) -> Any:
    cols: Any = set()
    up: Any = set()
    down: Any = set()

    def place(r: Any) -> Any:
        if r == n:
            return 1
        t = 0
        for c in range(n):
            if c in cols or r + c in up or r - c in down:
                continue
            cols.add(c)
            up.add(r + c)
            down.add(r - c)
            t += place(r + 1)
            cols.remove(c)
            up.remove(r + c)
            down.discard(r - c)
        return t

    return place(0), len(cols)


def subsets(x: Any, n: Any) -> Any:
    items = [3, 5, 7, 9, 2, 4, 6, 8, 1]
    count = 0
    cur: Any = []
    longest = 0

    def go(i: Any, s: Any) -> Any:
        nonlocal count, longest
        if s == n:
            count += 1
            if len(cur) > longest:
                longest = len(cur)
        if i == len(items) or s > n:
            return
        cur.append(items[i])
        go(i + 1, s + items[i])
        cur.pop()
        go(i + 1, s)

    go(0, 0)
    return count, cur, longest


def in_preorder(x: Any, n: Any) -> Any:
    left = [2 * k + 1 if 2 * k + 1 < n else -1 for k in range(n)]
    right = [2 * k + 2 if 2 * k + 2 < n else -1 for k in range(n)]
    order: Any = []
    depth: Any = []

    def visit(k: Any, d: Any) -> Any:
        if k < 0:
            return 0
        order.append(k)
        depth.append(d * 0.5)
        size = 1 + visit(left[k], d + 1)
        size += visit(right[k], d + 1)
        return size

    return visit(0, 0), order, depth


def filled(x: Any, n: Any) -> Any:
    grid = (np.abs(np.sin(np.arange(64.0) * n)) > 0.4).reshape(8, 8).astype(int)
    seen: Any = set()
    sizes: Any = []

    def flood(i: Any, j: Any) -> Any:
        if i < 0 or j < 0 or i >= 8 or j >= 8 or grid[i, j] == 0 or i * 8 + j in seen:
            return 0
        seen.add(i * 8 + j)
        return 1 + flood(i + 1, j) + flood(i - 1, j) + flood(i, j + 1) + flood(i, j - 1)

    for i in range(8):
        for j in range(8):
            size = flood(i, j)
            if size:
                sizes.append(size)
    return sizes, len(seen)


def raising(x: Any, n: Any) -> Any:
    out: Any = []

    def go(k: Any) -> Any:
        out.append(k)
        x[k % 5] += 1
        if k > 12:
            raise ValueError(len(out))
        if k == 0:
            return 0
        return go(k - 1) + k

    return go(n), out


def too_deep(x: Any, n: Any) -> Any:
    out: Any = []

    def go(k: Any) -> Any:
        out.append(k)
        return go(k + 1)

    try:
        go(n)
    except RecursionError:
        return len(out) > 100
    return None


def by_index(x: Any, n: Any) -> Any:
    out: Any = [0.0]

    def go(k: Any) -> Any:
        if k == 0:
            return
        out.append(out[-1] + x[k % 5])
        go(k - 1)
        out[k % len(out)] -= 0.25

    go(n)
    return out


def in_turns(x: Any, n: Any) -> Any:
    evens: Any = []
    odds: Any = []

    def even(k: Any) -> Any:
        if k == 0:
            return 0
        evens.append(k)
        return 1 + odd(k - 1)

    def odd(k: Any) -> Any:
        if k == 0:
            return 0
        odds.append(k)
        return 1 + even(k - 1)

    return even(n), evens, odds


def in_a_loop(x: Any, n: Any) -> Any:
    out: Any = []
    total = 0

    def dig(k: Any) -> Any:
        nonlocal total
        total += k
        if k > 0:
            out.append(k)
            dig(k // 2)

    for i in range(n):
        dig(i)
        if len(out) > 30:
            out.clear()
    return out, total


COMPILED = (
    leaves,
    remembered,
    remembered_by_two,
    queens,
    subsets,
    in_preorder,
    filled,
    raising,
    by_index,
    in_a_loop,
)


def walked_list(x: Any, n: Any) -> Any:
    out = [1]

    def rec(k: Any) -> Any:
        if k == 0:
            return 0
        c = 0
        for v in out:
            c += v + rec(k - 1)
        if len(out) < 4:
            out.append(k)
        return c

    return rec(min(n, 4)), out


def walked_dict(x: Any, n: Any) -> Any:
    d = {0: 1}

    def rec(k: Any) -> Any:
        if k == 0:
            return 0
        c = 0
        for key in d:
            c += key + rec(k - 1)
        d[k] = c
        return c

    return rec(min(n, 3)), d


def walked_items(x: Any, n: Any) -> Any:
    d = {0: 1}
    c = 0

    def rec(k: Any) -> Any:
        if k == 0:
            return 0
        d[k] = d.get(k, 0) + 1
        return rec(k - 1) + 1

    for key, v in d.items():
        c += key + v + rec(n % 2)
    return c, d


def walked_numbered(x: Any, n: Any) -> Any:
    out = [(1, 0.5)]

    def rec(k: Any) -> Any:
        if k == 0:
            return 0.0
        c = 0.0
        for i, (v, w) in enumerate(out):
            c += v * w + i + rec(k - 1)
        if len(out) < 4:
            out.append((k, k * 0.5))
        return c

    return rec(min(n, 3)), out


def called_while_walked(x: Any, n: Any) -> Any:
    out = [1, 2]
    s = 0

    def dig(k: Any) -> Any:
        if k > 0 and len(out) < n + 3:
            out.append(k)
            dig(k - 1)

    for v in out:
        s = s * 2 + v
        dig(v)
    return s, out


OTHERS = (too_deep, in_turns, walked_list, walked_dict, walked_items, walked_numbered, called_while_walked)


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_do_what_python_does(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (5, 7, 1, 0, 9, 15):
        n = min(n, 6) if program is queens else n
        compare(program, decorated, (np.linspace(0.0, 2.0, 5), n), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(np.linspace(0.0, 2.0, 5), 5)
    assert has_compiled_part(decorated)


def adding_and_removing(x: Any, n: Any) -> Any:
    s: Any = set()
    seen = []
    k = 1
    for i in range(n * 40):
        k = (k * 1103515245 + 12345) % 2147483648
        key = (k >> 8) % 50 - 25
        if i % 3 == 0:
            s.discard(key)
        elif key in s and i % 2:
            s.remove(key)
            seen.append(1 if key in s else 0)
        else:
            s.add(key)
        seen.append(len(s))
    return seen, sum(1 for key in range(-25, 25) if key in s)


def missing(x: Any, n: Any) -> Any:
    s: Any = set()
    for i in range(n):
        s.add(i * 7 % 5)
        x[i % 5] += 1
    for i in range(n):
        s.remove(i)
        x[0] += i
    return len(s)


def removed_and_returned(x: Any, n: Any) -> Any:
    s: Any = set()
    for i in range(n * 5):
        s.add(i * 37 % 101)
    for i in range(n * 2):
        s.discard(i)
    return s, list(s)


@pytest.mark.parametrize("program", [adding_and_removing, missing, removed_and_returned])
def test_sets_lose_keys(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (5, 9, 0, 20):
        compare(program, decorated, (np.linspace(0.0, 2.0, 5), n), calls=2)


@needs_compiler
def test_removing_is_compiled() -> None:
    decorated: Any = decorate(adding_and_removing, cache=False)
    decorated(np.linspace(0.0, 2.0, 5), 5)
    assert has_compiled_part(decorated)
