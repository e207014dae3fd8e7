"""`type`, `isinstance` and `__class__` of what stands for Python's values while a function is traced."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from same import same

Pair = namedtuple("Pair", "x y")


class Mapping(dict):
    pass


class Items(list):
    pass


def of_containers(x):
    n = 0
    for v in x:
        a, b, c = [v, 1], (v, 1), {"k": v}
        n += (type(a) is list) + 10 * (type(b) is tuple) + 100 * (type(c) is dict)
        n += 1000 * (type([v]) == list) + 10000 * (type((v,)) in (list, tuple))
        n += 100000 * (type({1: v}).__name__ == "dict") + 1000000 * isinstance(a, (list, dict))
    return n


def of_grown_ones(x):
    n = 0
    for v in x:
        grown = [v]
        grown.append(v)
        n += (type(grown) is list) + 10 * (type([v] * 3) is list) + 100 * (type([k for k in (v, 1)]) is list)
        n += 1000 * (type([v][:1]) is list) + 10000 * (type([*(v, 1)]) is list)
        n += 100000 * (type({**{"a": v}}) is dict) + 1000000 * (type([v].copy()) is list)
        n += 10000000 * (type(x.tolist()) is list) + 10**8 * (type(sorted([v, 2])) is list)
    return n


def of_named_tuples(x):
    n = 0
    for v in x:
        p = Pair(v, 1)
        q = p._replace(x=2.0)
        n += (type(p) is Pair) + 10 * isinstance(q, tuple) + 100 * (type(q) is tuple)
    return n


def of_numbers(x):
    n = 0
    for v in x:
        n += (type(v) is np.float64) + 10 * (type(v > 1) is np.bool_) + 100 * (type(len(x)) is int)
        n += (
            1000 * (type(float(v)) is float) + 10000 * (type(x) is np.ndarray) + 100000 * isinstance(v, float)
        )
        n += 1000000 * (type(range(3)) is range) + 10000000 * (type(None) is type(None))
    return n


def of_classes(x):
    n = 0
    for v in x:
        n += ([v].__class__ is list) + 10 * ({"a": v}.__class__ is dict) + 100 * ((v, 1).__class__ is tuple)
        n += 1000 * (v.__class__ is np.float64) + 10000 * issubclass(type([v]), list)
        n += len(type([v])((1, 2)))
    return n


def given(d, items, numbers):
    n = 0
    for _ in range(5):
        n += (type(d) is Mapping) + 10 * (type(d) is dict) + 100 * (type(items) is Items)
        n += 1000 * (type(items) is list) + 10000 * (type(numbers) is list)
        n += numbers[0]
    return n


def of_characters(s):
    n = 0
    for i in range(len(s)):
        n += isinstance(s[i], str) + 10 * (type(s[i : i + 2]) is str) + 100 * isinstance(s[i:], str)
        n += 1000 * isinstance(s[i], (int, float)) + 10000 * isinstance(s[i:], list)
        n += 100000 * (type(s[i]) is str) + 1000000 * (s[i].__class__ is str)
    return n


@pytest.mark.parametrize(
    "program",
    [of_containers, of_grown_ones, of_named_tuples, of_numbers, of_classes],
    ids=lambda f: f.__name__,
)
def test_kinds_of_what_is_made_inside(program: Any) -> None:
    same(program, np.arange(5.0))


def test_kinds_of_what_is_given() -> None:
    same(given, Mapping(a=1), Items([1, 2]), [1, 2, 3])
    same(given, {"a": 1}, [1, 2], [1, 2.0, 3])
    same(of_characters, "GATTACA" * 30)
