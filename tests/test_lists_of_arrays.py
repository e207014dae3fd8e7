"""Lists of arrays: rows of one array, where nobody can tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

Array = Any


def made_by_a_comprehension(m: Array, n: int) -> Any:
    return np.array([m[i] * 2 for i in range(n)])


def made_of_either(m: Array, n: int) -> Any:
    return np.array([m[i] if m[i, 0] > 0.5 else -m[i] for i in range(n)])


def made_of_products(m: Array, n: int) -> Any:
    return np.array([row @ m for row in m])


def means_of_groups(m: Array, n: int) -> Any:
    return np.array([m[m[:, 0] > j / n].mean(axis=0) if j else m[0] for j in range(n)])


def stacked(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        r = m[i] * 2 + i
        rows.append(r / r.sum())
    return np.stack(rows), np.vstack(rows), np.hstack(rows), np.concatenate(rows), np.mean(rows, axis=0)


def history(m: Array, n: int) -> Any:
    x = m[0]
    past = [x]
    for i in range(n):
        x = x * 0.5 + m[i]
        past.append(x)
    return np.array(past)


def history_of_copies(m: Array, n: int) -> Any:
    x = m[0].copy()
    past = [x.copy()]
    for i in range(n):
        x += m[i]
        past.append(x.copy())
    return np.array(past), x


def filled_before(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        r = np.zeros(4)
        for j in range(4):
            r[j] = m[i, j] * j
        rows.append(r)
    return np.array(rows)


def written_by_out(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        out = np.empty(5)
        np.multiply(m[i, :5], 2.0, out=out)
        rows.append(out)
    return np.array(rows)


def some_of_them(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        if m[i, 1] > 0.3:
            rows.append(m[i].copy())
    t = 0.0
    for k, r in enumerate(rows):
        t += k * r[0]
    return t, len(rows), rows[-1].sum()


def powers(m: Array, n: int) -> Any:
    found = [m]
    for _ in range(3):
        found.append(found[-1] @ m)
    return np.array(found), found[1].sum()


def until_there_are_enough(m: Array, n: int) -> Any:
    rows = [m[0]]
    while len(rows) < n:
        rows.append(0.5 * (rows[-1] + m[len(rows)]))
    return np.array(rows)


def two_lists(m: Array, n: int) -> Any:
    a, b = [], []
    for i in range(n):
        a.append(m[i] * 2)
        b.append(a[-1] + 1)
    return np.array(a) + np.array(b)


def returned(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m[i] + 1)
    return rows


def returned_beside_the_last(m: Array, n: int) -> Any:
    rows, x = [], m[0].copy()
    for i in range(n):
        x = x * 0.5 + m[i]
        rows.append(x.copy())
    return rows, x


COMPILED = [
    made_by_a_comprehension,
    made_of_either,
    made_of_products,
    stacked,
    history,
    history_of_copies,
    filled_before,
    written_by_out,
    some_of_them,
    powers,
    until_there_are_enough,
    two_lists,
    returned,
    returned_beside_the_last,
]


def same_array_each_time(m: Array, n: int) -> Any:
    x, rows = m[0].copy(), []
    for i in range(n):
        x += m[i]
        rows.append(x)
    return np.array(rows)


def same_array_by_out(m: Array, n: int) -> Any:
    rows, out = [], np.empty(5)
    for i in range(n):
        np.multiply(m[i, :5], 2.0, out=out)
        rows.append(out)
    return np.array(rows)


def items_written(m: Array, n: int) -> Any:
    rows = [m[i] * 2 for i in range(n)]
    rows[0][0] = -1.0
    rows[1] += rows[2]
    return np.array(rows)


def written_after(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        r = m[i] * 1.0
        rows.append(r)
        r[0] = 99.0
    return np.array(rows)


def argument_written_after(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m[i])
        m[0] += 1.0
    return np.array(rows)


def last_one_written(m: Array, n: int) -> Any:
    rows, last = [], m[0] * 1.0
    for i in range(n):
        x = m[i] * 2.0
        last[0] = -5.0
        rows.append(x)
        last = x
    return np.array(rows)


def item_returned(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m[i] + 1)
    return rows[-1], np.array(rows)


def last_returned_too(m: Array, n: int) -> Any:
    rows, x = [], m[0].copy()
    for i in range(n):
        x = x * 0.5 + m[i]
        rows.append(x)
    return rows, x


def views_returned(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m[i])
    return rows


def parts_returned(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append((m[i] * 2).reshape(-1, 2))
    return rows


def in_two_lists(m: Array, n: int) -> Any:
    a, b = [], []
    for i in range(n):
        r = m[i] * 2
        a.append(r)
        b.append(r)
    return a, np.array(b), b


def returned_twice(m: Array, n: int) -> Any:
    rows = [m[i] * 2 for i in range(n)]
    return rows, rows


def other_shapes(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m[i, i:] + 1)
    return sum(r.sum() for r in rows)


def other_dtypes(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m[i] if i % 2 else m[i] > 0.5)
    return np.array(rows)


def columns(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m.T * i)
    return np.array(rows).sum(axis=0), rows[0] * 2


def empty(m: Array, n: int) -> Any:
    rows = []
    for i in range(n - n):
        rows.append(m[i] + 1)
    return np.array(rows), len(rows)


def perhaps_empty(m: Array, n: int) -> Any:
    rows = [m[i] * 2 for i in range(n) if m[i, 0] > 1.5]
    return np.array(rows)


def best_of_them(m: Array, n: int) -> Any:
    best, rows = None, []
    for i in range(n):
        rows.append(m[i] * 1.5)
        if best is None or rows[-1].sum() > best.sum():
            best = rows[-1]
    return best


def shorter_again(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m[i])
        if len(rows) > 3:
            rows.pop(0)
    rows[0] = m[1] * 0
    return np.array(rows)


TOLD = [
    same_array_each_time,
    same_array_by_out,
    items_written,
    written_after,
    argument_written_after,
    last_one_written,
    item_returned,
    last_returned_too,
    views_returned,
    parts_returned,
    in_two_lists,
    returned_twice,
    other_shapes,
    other_dtypes,
    columns,
    empty,
    perhaps_empty,
    best_of_them,
    shorter_again,
    means_of_groups,
]


def arrays() -> list[tuple[Array, int]]:
    rng = np.random.default_rng(0)
    return [
        (rng.random((30, 30)), 30),
        (rng.random((6, 6)), 6),
        (np.asfortranarray(rng.random((8, 8))), 8),
        (rng.random((30, 30)), 1),
    ]


@pytest.mark.parametrize("function", [*COMPILED, *TOLD])
def test_lists_of_arrays_are_what_they_are_in_python(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    for args in arrays():
        compare(function, decorated, args, tol=Tolerance(atol=1e-12))


@needs_compiler
@pytest.mark.parametrize("function", COMPILED)
def test_loops_that_fill_them_are_compiled(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    decorated(*arrays()[0])
    assert has_compiled_part(decorated)
    assert decorated.coverage(*arrays()[0]).share > 0.4


def without_a_copy(m: Array, n: int) -> Any:
    rows = []
    for i in range(n):
        rows.append(m[i] * 2)
    return np.asarray(rows, copy=False)


def test_numpy_is_asked_for_no_copy() -> None:
    decorated = decorate(without_a_copy)
    compare(without_a_copy, decorated, arrays()[0])
