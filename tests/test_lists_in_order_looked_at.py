"""A key of `list.sort` that looks at the list meanwhile, by whatever name: Python has emptied it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from compiled import check_compiled, needs_compiler
from same import compare, decorate


def rows_of(n):
    return [[float((i * n + j) * 5 % 7) for j in range(n)] for i in range(n)]


def sum_of_a_row(n):
    m = rows_of(n)
    for r in m:
        r.sort(key=lambda x: x * sum(m[0]))
    return m


def sum_of_one_of_two(n):
    x = [float(i * 5 % 7) for i in range(n)]
    y = [1.0] * n
    z = x if n > 3 else y
    x.sort(key=lambda v: -v * sum(z))
    return x


def length_of_one_of_two(n):
    a = [float(i * 5 % 7) for i in range(n)]
    b = [1.0] * n
    if n > 3:
        c = a
    else:
        c = b
    a.sort(key=lambda x: x * len(c))
    return a, b


def item_of_one_of_two(n):
    a = [float(i * 5 % 7) for i in range(n)]
    b = [1.0] * n
    c = a if n > 3 else b
    a.sort(key=lambda x: x * c[0])
    return a


def length_of_a_row(n):
    m = rows_of(n)
    out = []

    def key(x):
        out.append(len(m[0]))
        return x

    m[0].sort(key=key)
    return m, out


def item_of_a_row(n):
    m = rows_of(n)
    m[0].sort(key=lambda x: x - m[0][1])
    return m


def item_of_a_row_is_set(n):
    m = rows_of(n)

    def key(x):
        m[0][0] = 5.0
        return -x

    m[0].sort(key=key)
    return m


def callers_rows(m):
    s = 0.0
    for k in range(len(m)):
        m[k].sort(key=lambda x: -x * m[0][0])
        s = s * 2 + m[k][0]
    return s


def rows_that_have_changed_places(n):
    m = rows_of(n)
    m[0], m[1] = m[1], m[0]
    m[0].sort(key=lambda x: x - m[0][1])
    return m


def rows_of_ints_and_floats(n):
    m = [[0.5] * n for i in range(n)]
    for i in range(n):
        m[1][i] = (i * 5) % 7
    m[1].sort(key=lambda x: x - m[1][0])
    return m


def all_rows(n):
    m = rows_of(n)
    m[0].sort(key=lambda x: max(max(r) for r in m) - x)
    return m


def in_one_iteration(n):
    m = rows_of(n)
    for i in range(n):
        m[i].sort(key=lambda x: -x * (m[i][0] if i == 2 else 1.0))
    return m


def two_that_change_places(n):
    a = [float(i * 5 % 7) for i in range(n)]
    b = [float(i * 3 % 5) for i in range(n)]
    for k in range(3):
        a.sort(key=lambda x: x - (b[0] if k else 1.0))
        a, b = b, a
    return a, b


def length_of_a_longer_row(n):
    m = rows_of(n)
    r = m[0]
    m[0].sort(key=lambda x: -x * (len(m[0] + [1.0]) - 2) * len(r[1:]))
    return m


def a_row_of_the_callers(m):
    m[0].sort(key=lambda x: -x)
    return m[0][0]


def rows_of_the_callers(m):
    for r in m:
        r.sort(key=lambda x: -x)
    return m


def rows_at_places(m):
    for i, r in enumerate(m):
        m[i].sort(key=lambda x: (x % 3, -x), reverse=i % 2 == 1)
    return m[-1][0]


def columns(m):
    s = 0.0
    for c in zip(*m):
        c.sort(key=lambda v: -v)
        s = s * 2 + c[0]
    return s


def by_another_list(n):
    d = [float(i * 5 % 7) for i in range(n)]
    o = list(range(n))
    o.sort(key=lambda i: d[i])
    return o


def by_the_callers(n, w):
    o = list(range(n))
    o.sort(key=lambda i: -w[i])
    return o


def each_row(n):
    m = [[float((i * n + j) * 5 % 7) for j in range(n)] for i in range(n)]
    for r in m:
        r.sort(key=lambda x: -x)
    return m


CASES = (
    *((f, (n,)) for f in (sum_of_a_row, sum_of_one_of_two, length_of_one_of_two) for n in (8, 4, 2)),
    *((f, (n,)) for f in (item_of_one_of_two, length_of_a_row, item_of_a_row) for n in (8, 4, 2)),
    *((f, (8,)) for f in (item_of_a_row_is_set, rows_that_have_changed_places, rows_of_ints_and_floats)),
    (callers_rows, ([[float((i * 12 + j) * 5 % 7) for j in range(12)] for i in range(12)],)),
    (length_of_a_longer_row, (8,)),
    *((f, (8,)) for f in (all_rows, in_one_iteration, two_that_change_places, by_another_list, each_row)),
    (a_row_of_the_callers, ([[1.0, 2.0]] + [[float(i)] for i in range(30)],)),
    *(
        (f, ([[kind((i * 5 + j) * 5 % 7) for j in range(width + ragged * i)] for i in range(8)],))
        for f in (rows_of_the_callers, rows_at_places, columns)
        for kind in (float, int)
        for width, ragged in ((3, 1), (8, 0))
    ),
    (by_the_callers, (9, [float(i * 5 % 7) for i in range(9)])),
)
COMPILED = (by_another_list, by_the_callers, each_row)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3)


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_other_lists_may_be_looked_at(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)
