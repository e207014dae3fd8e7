"""Iterators over lists that change meanwhile, keys that look at the list, parts of lists that grow on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, chain, islice, pairwise
from typing import Any

import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate


def empty_part(n):
    t = []
    for i in range(n):
        t.append((i, i))
    u = t[n:]
    u.append((7, 7))
    u.append((8, 8))
    return len(u), u


def last_off(n):
    t = []
    for i in range(n):
        t.append((i, i))
    t = t[:-1]
    t.append((7, 7))
    t += [(1, 2)]
    return t


def sorted_then(n):
    t = []
    for i in range(n):
        t.append((i % 3, i))
    u = sorted(t)
    u.append((7, 7))
    u.insert(0, (1, 1))
    w = sorted(t, key=lambda p: -p[1])
    w.append((9, 9))
    return u, w


def mixed_part(n):
    t = []
    for i in range(n):
        t.append(i if i % 2 else i * 0.5)
    u = t[1:]
    u.append(3)
    return u


def counted_totals(xs):
    t = 0
    for i, x in enumerate(accumulate(xs)):
        t = t * 2 + x
    return t


def counted_pairs(xs):
    t = 0
    for i, (a, b) in enumerate(pairwise(xs)):
        t = t * 2 + a - 3 * b + i
    return t


def counted_twice(xs):
    t = 0
    for i, p in enumerate(enumerate(x * 2 for x in xs if x > 1)):
        t = (t * 3 + p[0] * p[1] + i) % 10007
    return t


def left_early(xs):
    for i, x in enumerate(accumulate(xs), 1):
        if x > 7:
            return i, x


def counted_pairs_of_some(xs):
    t = 0
    for i, (a, b) in enumerate(pairwise(x for x in xs if x > 0)):
        t = t * 3 + a - b * i
    return t


def key_len(xs):
    xs.sort(key=lambda v: len(xs) * v)
    return xs


def key_item(xs):
    xs.sort(key=lambda i: xs[i % 3])
    return xs


def key_put(xs):
    ys = [x for x in xs]

    def key(v):
        ys[0] = v
        return v

    ys.sort(key=key)
    return ys


def key_writes(xs):
    def key(v):
        xs[0] = 0
        return -v

    return sorted(xs, key=key), xs


def key_writes_rows(xs):
    t = []
    for x in xs:
        t.append((x, 1))

    def key(v):
        t[0] = (9, 9)
        return v[0]

    return sorted(t, key=key), t


def grows_sliced(xs):
    k = 0
    for x in islice(xs, 1, 6):
        if k < 3:
            xs.append(x)
            k += 1
    return xs, k


def grows_summed(xs):
    t = 0
    for s in accumulate(xs):
        if len(xs) < 30 and s % 2:
            xs.append(1)
        t = (t * 3 + s) % 1009
    return t, xs


def grows_paired(xs):
    t = 0
    for a, b in pairwise(xs):
        if len(xs) < 12:
            xs.append(a)
        t = (t * 3 + a - b) % 1009
    return t, xs


def made_before(xs):
    p = pairwise(xs)
    q = accumulate(xs)
    r = islice(xs, 0, 4)
    xs[0] = 50
    xs.append(5)
    return [a - b for a, b in p], list(q), sum(r)


def count_by_float(xs):
    t = 0
    for a in xs[:2]:
        for i, x in enumerate((y for y in xs if y > a), a):
            t += i * x
    return t


def count_by_true(xs):
    some = [i * x for i, x in enumerate((x for x in xs if x > 1), True)]
    return some, [i * x for i, x in enumerate(xs, True)]


def any_stops(xs):
    log = []

    def f(x):
        log.append(x)
        return x * 2

    for x in xs:
        if x > 2:
            break
    return any(f(x) == 6 for x in xs), all(f(x) != 6 for x in xs), log


def chain_grows(xs):
    t = 0
    for x in chain(xs, [1, 2]):
        if len(xs) < 9:
            xs.append(x)
        t = t * 2 + x
    return t, xs


L = [4, 1, 7, 3, 3, 9, 2, 0, 5]
OF_SIZES = (empty_part, last_off, sorted_then, mixed_part)
OF_LISTS = (
    *(counted_totals, counted_pairs, counted_twice, left_early, counted_pairs_of_some, key_len, key_item),
    *(key_put, key_writes, key_writes_rows, grows_sliced, grows_summed, grows_paired, made_before),
    *(count_by_true, any_stops, chain_grows),
)
CASES = (
    *((f, (n,)) for f in OF_SIZES for n in (0, 1, 5, 40)),
    *((f, (list(x),)) for f in OF_LISTS for x in ([3, 3, 3, 7], L * 3, [1], [5, 1])),
    (count_by_float, ([1.5, 2.0, -0.0, 4.0],)),
    (count_by_float, ([1.5, 2.0] * 9,)),
    (any_stops, ([1.5, -0.0, 0.0, 3.0, 0.0, -0.0],)),
)
COMPILED = (counted_totals, counted_pairs, left_early, *OF_SIZES)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(L * 3 if program in (counted_totals, counted_pairs, left_early, counted_pairs_of_some) else 40)
    assert has_compiled_part(decorated)
