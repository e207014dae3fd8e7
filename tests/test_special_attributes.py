"""Attributes that all objects may have, as `x.__class__`: those of the value, not of what stands for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate


class P:
    "doc"

    def __init__(self):
        self.k = 2.0


def class_of_an_array(x, p):
    s = 0.0
    if x.__class__ is np.ndarray:
        s += 100.0
    for v in x:
        s += v
    return s


def class_of_an_object(x, p):
    s = 0.0
    if p.__class__ is P:
        s += 100.0
    for v in x:
        s += v
    return s


def doc_of_an_array(x, p):
    s = 0.0
    if x.__doc__ is not None:
        s += len(x.__doc__)
    if x.__module__ if hasattr(x, "__module__") else False:
        s += 7
    for v in x:
        s += v
    return s


def class_of_a_sum(x, p):
    s = 0.0
    for v in x:
        s += v
    if s.__class__ == np.float64:
        s += 50
    if isinstance(x.__class__, type) and x.__class__ == type(x):
        s += 3
    return s


def doc_of_an_object(x, p):
    s = 0.0
    for v in x:
        s += v
    if p.__doc__ == "doc":
        s += 50
    if p.__module__ == __name__:
        s += 3
    if hasattr(x, "__array__"):
        s += 1000
    return s


def names_of_many_things(x, p):
    s = 0.0
    for v in x:
        s += v
    return (
        s,
        P.__name__,
        class_of_a_sum.__name__,
        np.__name__,
        np.ndarray.__doc__ is not None,
        np.__version__,
        P.__init__ is not None,
        (1).__class__,
        "a".__len__(),
        [1, 2].__len__(),
    )


class Q(P):
    def __init__(self, k):
        P.__init__(self)
        self.k += k

    def __call__(self, x):
        return x * self.k


def of_an_object_made_here(x, p):
    q = Q(3.0)
    s = 0.0
    for v in x:
        s += q(v)
    return s, q.__class__.__name__, x.__array_priority__


def dict_of_an_object(x, p):
    s = 0.0
    for v in x:
        s += v
    m = p.__dict__
    m["k"] = s
    return p.k


PROGRAMS = (
    class_of_an_array,
    class_of_an_object,
    doc_of_an_array,
    class_of_a_sum,
    doc_of_an_object,
    names_of_many_things,
    of_an_object_made_here,
    dict_of_an_object,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_the_value_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for _ in range(2):
        compare(program, decorated, (np.arange(4.0), P()))
