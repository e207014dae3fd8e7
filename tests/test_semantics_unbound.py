"""Names that only some paths bind: UnboundLocalError exactly where Python raises it, in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate

X = np.linspace(-1.0, 2.0, 8)


def of_the_iteration_before(x, n):
    s = 0.0
    for i in range(n):
        if i == 0:
            before = x[0]
        else:
            s += (x[i] - before) ** 2
        before = x[i]
    return s


def not_at_first(x, n):
    s = 0.0
    for i in range(n):
        if i > 3:
            s += w.sum()  # noqa: F821
        w = x * i
    return s


def not_on_even_ones(x, n):
    s = 0.0
    for i in range(n):
        if i % 2:
            w = x[:3] * 2
        else:
            s += w[0]
        s += 1
    return s


def written_before_it_fails(x, n):
    for i in range(n):
        x[i] = i
        if i == 2:
            x[0] = late  # noqa: F821
        if i == 5:
            late = x[1]  # noqa: F841
    return x


def never(x, n):
    for i in range(n):
        if x[i] > 1.5:
            x[0] = nobody  # noqa: F821
            nobody = 1.0
    return x.sum()


def in_a_while(x, n):
    k = 0
    while k < n:
        k += 1
        if x[k % 8] < 0:
            last = k
        elif k > 2:
            x[0] += last
    return x


def helped(x, last):
    for i in range(len(x)):
        if i > last:
            return found * 2.0  # noqa: F821
        if x[i] > 0.0:
            found = x[i]
    return 0.0


def in_a_helper(x, n):
    s = 0.0
    for i in range(n):
        s += helped(x, i)
    return s


def deleted(x, n):
    s = 0.0
    for i in range(n):
        w = x * i
        if i > 4:
            del w
        if i > 5:
            s += w.sum()
        else:
            s += 1.0
    return s


PROGRAMS: tuple[Callable[..., Any], ...] = (
    of_the_iteration_before,
    not_at_first,
    not_on_even_ones,
    written_before_it_fails,
    never,
    in_a_while,
    in_a_helper,
    deleted,
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@needs_compiler
def test_only_the_path_that_reads_it_raises(function: Callable[..., Any]):
    compiled = decorate(function)
    for n in (0, 1, 2, 3, 5, 7):
        compare(function, compiled, (X.copy(), n), calls=2)
    assert has_compiled_part(compiled)


def test_a_test_that_reads_what_is_unbound_raises_at_once():
    def asked(n):
        while limit < n:  # noqa: F821
            limit = 3  # noqa: F841
        return n

    compare(asked, decorate(asked), (2,), calls=2)
