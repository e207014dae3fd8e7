"""Objects that are put together where they are asked for, in variables that are something else elsewhere.

What a variable is at the end of a branch is asked when the branch is closed: nothing is put together then of
what is known only in it.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from same import compare, decorate

Pair = namedtuple("Pair", "a b")


@dataclass
class Rate:
    a: float
    b: float = 2.0


def text_or_number(x):
    if x > 0:
        w = "a" if x > 1 else "b"
    else:
        w = x
    return w


def record_of_either_branch(x):
    if x > 0:
        r = Rate(x * 2)
    else:
        r = Rate(1.0)
    return r.a + r.b


def record_or_number(x):
    if x > 0:
        r = Rate(x * 2)
    else:
        r = x
    return r


def named_tuple_of_either_branch(x):
    if x > 0:
        r = Pair(x * 2, 3)
    else:
        r = Pair(x, x)
    return r


def named_tuple_or_number(x):
    if x > 0:
        r = Pair(x * 2, 3)
    else:
        r = 3.5
    return r


def named_tuple_or_none(x, n):
    r = None
    for i in range(n):
        r = Pair(x * i, 3)
    return r


def record_of_a_record(x, n):
    r = Rate(0.0)
    for i in range(n):
        y = x * i
        if i % 2:
            r = Rate(y, r.a)
    return r


def singular_values_or_number(m):
    if m[0, 0] > 0:
        s = np.linalg.svd(m * 2)
    else:
        s = 0
    return s


def determinant_of_either_branch(m):
    if m[0, 0] > 0:
        s = np.linalg.slogdet(m * 2)
    else:
        s = np.linalg.slogdet(m + 1)
    return s


def eigenvectors_or_none(m, n):
    s = None
    for i in range(n):
        s = np.linalg.eigh(m * i)
    return s


def number_or_text_of_a_loop(m, n):
    w = 0
    for i in range(n):
        if w == 0 or w == "neg":
            w = "pos" if m[i, 0] > 0 else "neg"
    return w


NUMBERS = [text_or_number, record_of_either_branch, record_or_number, named_tuple_of_either_branch]
COUNTED = [named_tuple_or_none, record_of_a_record]
OF_MATRICES = [singular_values_or_number, determinant_of_either_branch]
IN_LOOPS = [eigenvectors_or_none, number_or_text_of_a_loop]
CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *((function, (x,)) for function in (*NUMBERS, named_tuple_or_number) for x in (2, 0.5, -1)),
    *((function, (x, n)) for function in COUNTED for x, n in ((2.0, 3), (1.0, 0))),
    *(
        (f, (m,))
        for f in (singular_values_or_number, determinant_of_either_branch)
        for m in (np.eye(3), -np.eye(3))
    ),
    *(
        (f, (s * np.eye(3), n))
        for f in (eigenvectors_or_none, number_or_text_of_a_loop)
        for s, n in ((1, 2), (-1, 3), (1, 0))
    ),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_what_a_branch_puts_together_stays_in_it(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(function, decorate(function), args)
