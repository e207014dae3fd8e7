"""`and`, `or` and `not` where only their truth is asked: operands of any types, each asked at most once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same

X = np.linspace(-1.0, 2.0, 8)


def of_two_kinds(x, n):
    s = 0.0
    for j in range(n):
        if j == 1 or j % 3:
            s += x[j]
        if j % 2 and x[j] > 0:
            s -= 1
        if not (x[j] > 1 or j & 4):
            s += 3
    return s


def of_three(x, n):
    s = 0.0
    for j in range(n):
        if (x[j] > 0 and j % 2) or (s and not j % 5) or j == n - 1:
            s = s * 0.5 + j
        elif s or x[j]:
            s += 1.0
    return s


def in_tests_of_every_kind(x, n):
    s, j = 0.0, 0
    while j < n and (x[j] < 1.5 or j % 2):
        y = 1.0 if (j % 2 or s > 3) else 0.5
        assert j >= 0 and (s or y)
        s += y
        j += 1
    return s


def in_comprehensions(x, n):
    return sum([x[j] for j in range(n) if j % 2 or x[j] > 0])


def the_second_is_not_asked(x, n):
    s = 0.0
    for j in range(n + 3):
        if j >= n or x[j] > 0.5:
            s += 1
        if j < n and x[j] and s:
            s += x[j]
    return s


def values_stay_values(x, n):
    s = 0.0
    for j in range(n):
        s += (j % 2 or 0.5) * (j and x[j])
    return s


PROGRAMS: tuple[Callable[..., Any], ...] = (
    of_two_kinds,
    of_three,
    in_tests_of_every_kind,
    the_second_is_not_asked,
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@needs_compiler
def test_conditions_on_numbers_of_different_kinds_are_compiled(function: Callable[..., Any]):
    compiled = decorate(function)
    for n in (0, 1, 5, 8):
        compare(function, compiled, (X.copy(), n), calls=2)
    assert has_compiled_part(compiled)
    assert "types" not in compiled.explain(X, 8)


def test_values_of_and_and_or_are_pythons():
    same(values_stay_values, X, 8)


def test_conditions_of_comprehensions():
    same(in_comprehensions, X, 8)


class Noisy:
    """Says when its truth is asked."""

    def __init__(self, truth: bool, seen: list[str], name: str) -> None:
        self.truth, self.seen, self.name = truth, seen, name

    def __bool__(self) -> bool:
        self.seen.append(self.name)
        return self.truth


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("second", [True, False])
def test_each_truth_is_asked_once_and_only_where_python_asks(first: bool, second: bool):
    def asks(a, b, n):
        s = 0
        for _ in range(n):
            if a and b:
                s += 1
            if a or b:
                s += 2
            if not (a and not b):
                s += 4
        return s

    def heard(function: Callable[..., Any]) -> tuple[Any, list[str]]:
        seen: list[str] = []
        result = function(Noisy(first, seen, "a"), Noisy(second, seen, "b"), 2)
        return result, seen

    compiled = decorate(asks)
    assert heard(compiled) == heard(asks)
    assert heard(compiled) == heard(asks)


def test_an_array_of_several_elements_has_no_truth():
    def asks(x, n):
        if n > 2 and x:
            return 1
        return 0

    same(asks, X, 3)
    same(asks, X, 1)
    same(asks, X[:1].copy(), 3)
