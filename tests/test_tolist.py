"""`array.tolist()`: a list of Python's numbers that the trace follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate


def grown(a, n):
    items = a.tolist()
    items.append(3.5)
    s = 0.0
    for v in items:
        s += v * 2
    a[0] = 100.0
    return s, items


def distinct(a, n):
    return len(set(a.astype(int).tolist())) == n, a.tolist()


def of_other_dtypes(a, n):
    b = a.astype(np.float32)
    items = b.tolist()
    items[0] = 0.25
    return sum(items), items, b, max(b.astype(np.int8).tolist()), (b > 1).tolist()


def of_rows(a, n):
    return a.reshape(-1, 2).tolist(), a[::2].tolist(), a.sum().tolist()


def filtered(a, n):
    seen = set(a[:n].astype(int).tolist())
    return [v for v in a.astype(int).tolist() if v not in seen]


def in_a_loop(a, n):
    t = 0
    for row in a.reshape(-1, 2):
        items = row.tolist()
        t += items[0] * 3 - items[1]
        if items[0] in items[1:]:
            t += 1
    return t


def sorted_items(a, n):
    items = sorted(a.tolist())
    return items[n], items, [x for x in a.tolist() if x > n]


PROGRAMS = (grown, distinct, of_other_dtypes, of_rows, in_a_loop, sorted_items, filtered)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_they_are_python_s_lists(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for a, n in (
        ((np.arange(40.0) * 7) % 11, 3),
        ((np.arange(40.0) * 7) % 11, 5),
        (np.arange(6.0), 2),
        (np.array([np.nan, 1.0, -0.0, 2.0]), 2),
    ):
        compare(program, decorated, (a.copy(), n), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", [grown, distinct, of_other_dtypes, in_a_loop, filtered])
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated((np.arange(40.0) * 7) % 11, 3)
    assert has_compiled_part(decorated)
    assert decorated.coverage((np.arange(40.0) * 7) % 11, 3).share > 0.9
