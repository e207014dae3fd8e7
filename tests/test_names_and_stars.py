"""Starred targets, comprehensions with several `for`, functions of `cmath` and of Python's types."""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from enough_work import work
from same import compare, decorate


def starred(x: Any, n: Any) -> Any:
    found, *_ = np.linalg.lstsq(np.stack([x, x * x], 1), x, rcond=None)
    a, *b = x[:n]
    h, *t, last = [1.0, n, 3][:n]
    *_, rank, _s = np.linalg.lstsq(np.eye(2), np.ones(2), rcond=None)
    return work(x), found, a, b, h, t, last, rank


def several(x: Any, n: Any) -> Any:
    pairs = {(i, j) for i in range(n) for j in range(i)}
    sums = {i + j for i in range(n) if i > 1 for j in (1, 2)}
    return work(x), pairs, {i: j * x[i] for i in range(n) for j in range(i) if j % 2}, sums


def of_types(x: Any, n: Any) -> Any:
    counts = dict.fromkeys(range(n), 0.0)
    for i in range(n):
        counts[i] += x[i]
    return work(x), counts, int.from_bytes(b"ab", "big"), float.fromhex("0x1p3"), bytes.fromhex("aa")


def of_cmath(x: Any, n: Any) -> Any:
    s = 0j
    for i in range(n):
        s += cmath.exp(-1j * x[i])
    return work(x), s, cmath.polar(s), cmath.log(s), cmath.pi * n, cmath.phase(complex(n, 1)), cmath.sqrt(-n)


def lists_in_dicts(x: Any, n: Any) -> Any:
    d: Any = {k: [] for k in range(n)}
    for i in range(n):
        d[i].append(x[i])
    first, *rest = d.items()
    return work(x), first, rest, {v for vs in d.values() for v in vs}


def hashed_in_turn(x: Any, n: Any) -> Any:
    numbers: Any = iter([1, 2, [3], 4, 5, 6, 7, 8, 9, 10])

    def told(k: int) -> Any:
        print(k)
        return [k] if k == n else k

    try:
        return {next(numbers) for i in range(3) for j in range(2)}
    except TypeError:
        left = list(numbers)
    try:
        return {told(i + j): told(j) for i in range(3) for j in range(2)}, left, work(x)
    except TypeError as error:
        return left, str(error)


PROGRAMS = starred, several, of_types, of_cmath, lists_in_dicts


@pytest.mark.parametrize("first", [3, 1])
@pytest.mark.parametrize("program", [*PROGRAMS, hashed_in_turn])
def test_they_do_what_python_does(program: Any, first: int) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (first, 3, 5, 2, 1, 0):
        compare(program, decorated, (np.linspace(-1.0, 2.0, 20), n), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_rest_is_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(np.linspace(-1.0, 2.0, 20), 3)
    assert has_compiled_part(decorated)
