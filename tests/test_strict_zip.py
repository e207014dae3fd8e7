"""`zip(..., strict=True)`: a loop of the graph where all are as long, Python's own error elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import compare, decorate

Array = Any


def products(x: Array, y: Array) -> Any:
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += a * b
    return total


def of_three(x: Array, y: Array) -> Any:
    out = np.zeros(len(x))
    for k, (a, b, c) in enumerate(zip(x, y, x[::-1], strict=True)):
        out[k] = a * b - c
    return out


def in_a_comprehension(x: Array, y: Array) -> Any:
    return np.array([a - b for a, b in zip(x, y, strict=True)]).sum()


def with_a_range(x: Array, y: Array) -> Any:
    total = 0.0
    for k, a in zip(range(len(y)), x, strict=True):
        total += k * a
    return total


def not_strict(x: Array, y: Array) -> Any:
    total = 0.0
    for a, b in zip(x, y, strict=False):
        total += a * b
    return total


def left_before_its_end(x: Array, y: Array) -> Any:
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += a * b
        if total > 1:
            break
    return total


def numbers(n: int) -> Array:
    return np.random.default_rng(n).random(n)


PROGRAMS = [products, of_three, in_a_comprehension, with_a_range, not_strict, left_before_its_end]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("first", [(40, 40), (40, 39)])
def test_lengths_that_differ_raise_what_python_raises(
    program: Callable[..., Any], lists: bool, first: tuple[int, int]
) -> None:
    decorated = decorate(program)
    for sizes in (first, (40, 40), (30, 30), (5, 9), (9, 5), (0, 0), (0, 1)):
        given = [numbers(n).tolist() if lists else numbers(n) for n in sizes]
        compare(program, decorated, tuple(given))


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    assert decorate(program).coverage(numbers(2000), numbers(2000)).share > 0.8
