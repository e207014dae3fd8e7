"""Which object something is, behind statements that carry several: ranges and tuples, arrays by two names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from enough_work import work
from same import compare, decorate


def range_out_of_a_loop(x: Any, n: Any) -> Any:
    whole = range(n)
    part = whole
    for v in x:
        if v > 0:
            part = range(1, n)
    if part is not whole:
        x[0] = 99.0
    return part is whole, work(x)


def tuple_out_of_a_loop(x: Any, n: Any) -> Any:
    t = (n, 1.0)
    u = t
    for v in x:
        if v > 0:
            u = (n, 2.0)
    return u is t, work(x)


def tuple_of_constants(x: Any, n: Any) -> Any:
    t = (1, 1.0)
    u = t
    for v in x:
        if v > 0:
            u = (1, 2.0)
    return u is t, work(x)


def tuple_in_a_loop(x: Any, n: Any) -> Any:
    t = (1, x)
    u = t
    s = 0.0
    for v in x:
        if u is t:
            s += v
        if v > 0:
            u = (n, x)
    return s


def _found(x: Any, rows: Any) -> Any:
    for v in x:
        if v > 0:
            return rows
    return range(1)


def range_through_a_helper(x: Any, n: Any) -> Any:
    r = range(n)
    return _found(x, r) is r, work(x)


def _either(x: Any, pair: Any) -> Any:
    for v in x:
        if v > 0:
            return pair
    return (1, 2.0)


def tuple_through_a_helper(x: Any, n: Any) -> Any:
    pair = (n, 0.5)
    return _either(x, pair) is pair, work(x)


def inside_of_a_tuple(x: Any, n: Any) -> Any:
    r, pair = range(n), (n, 0.5)
    t = (r, pair, 1)
    for k in range(3):
        if x[k] > 0:
            t = (r, pair, k)
    return t[0] is r, t[1] is pair, work(x)


def array_by_two_names(x: Any, n: Any) -> Any:
    y = x * 1.0
    p = [x * 1.0, x + 1.0, 0.25]
    for i in range(n):
        for j in range(n):
            p[1] = np.maximum(x[::-1], n * 0.5)
        for j in range(3):
            y = p[1]
            if n == 7:
                break
    return y, p


def array_by_three_names(x: Any, n: Any) -> Any:
    y, z, w = x * 1.0, x * 2.0, x * 3.0
    for i in range(n):
        for j in range(2):
            w = x + j
        for j in range(3):
            y, z = (w, w) if x[0] > 0 else (w, y)
            if n == 2:
                break
    return y, z, w


PROGRAMS = (
    range_out_of_a_loop,
    tuple_out_of_a_loop,
    tuple_of_constants,
    tuple_in_a_loop,
    range_through_a_helper,
    tuple_through_a_helper,
    inside_of_a_tuple,
    array_by_two_names,
    array_by_three_names,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_the_object_that_it_is_in_python(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for first in (-1.0, 1.0):
        for n in (0, 2, 4, 7):
            compare(program, decorated, (np.array([first, -2.0, -3.0, -1.0]), n), calls=2)
