"""Lists and dicts that change while a loop, or an iterator over them, goes through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate

Array = Any


def zipped_before(a: Array) -> Any:
    rows = [a * 1, a * 2]
    it = zip(rows, range(9), strict=False)
    rows.append(a * 5)
    s = a * 0
    for q, k in it:
        s = s + q * k
    return s


def enumerated_before(a: Array) -> Any:
    rows = [a * 1, a * 2]
    it = enumerate(rows)
    rows[1] = a * 7
    return [q * k for k, q in it]


def dict_that_grows(a: Array) -> Any:
    d = {"p": a * 1, "q": a * 2}
    s = a * 0
    for k in d:
        s = s + d[k]
        d[k + "x"] = s
    return s


def items_replaced(a: Array) -> Any:
    d = {"p": a * 1, "q": a * 2}
    s = a * 0
    for _, v in d.items():
        s = s + v
        d["q"] = a * 9
    return s


def values_replaced(a: Array) -> Any:
    d = {"p": a * 1, "q": a * 2}
    for k in d:
        d[k] = d[k] + 1
    return d


def list_that_grows(a: Array) -> Any:
    rows = [a * 1, a * 2]
    s = a * 0
    for r in rows:
        s = s + r
        if len(rows) < 5:
            rows.append(r * 2)
    return s, len(rows)


def list_that_is_cleared(a: Array) -> Any:
    rows = [a * 1, a * 2, a * 3]
    s = a * 0
    for r in rows:
        s = s + r
        rows.clear()
    return s, len(rows)


def list_that_shrinks(a: Array) -> Any:
    numbers = [1.0, 2.0, 3.0, 4.0]
    s = a * 0
    for x in numbers:
        s = s + x
        numbers.remove(x)
    return s, numbers


def grows_in_a_helper(a: Array) -> Any:
    rows = [a * 1, a * 2]

    def f(v: Array) -> Array:
        if len(rows) < 4:
            rows.append(v * 3)
        return v

    s = a * 0
    for r in rows:
        s = s + f(r)
    return s, len(rows)


def grows_before_continue(a: Array) -> Any:
    rows = [1.0, 2.0]
    s = a * 0
    for r in rows:
        if len(rows) < 6:
            rows.append(r * 2)
            continue
        s = s + r
    return s, rows


def grows_in_a_comprehension(a: Array) -> Any:
    rows = [1.0, 2.0]

    def f(x: float) -> float:
        if len(rows) < 5:
            rows.append(x * 2)
        return x

    return [f(x) for x in rows], [f(x) * k for k, x in enumerate(rows)], a.sum()


def a_copy_is_gone_through(a: Array) -> Any:
    rows = [1.0, 2.0]
    s = a * 0
    for r in list(rows):
        rows.append(r * 2)
        s = s + r
    return s, rows


def other_letters(a: Array) -> Any:
    s = a * 0
    for k, letter in enumerate("αβγ"):
        s = s + k * (letter == "β")
    return s


FUNCTIONS = [
    zipped_before,
    enumerated_before,
    dict_that_grows,
    items_replaced,
    values_replaced,
    list_that_grows,
    list_that_is_cleared,
    list_that_shrinks,
    grows_in_a_helper,
    grows_before_continue,
    grows_in_a_comprehension,
    a_copy_is_gone_through,
    other_letters,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_changes_is_seen_as_in_python(function: Callable[..., Any]) -> None:
    compare(function, decorate(function), (np.linspace(0.5, 2.0, 8),))
