"""A branch that raises beside one that goes on, or leaves: what is checked before, in between, at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

X = np.array([0.3, -0.2, 0.5, 0.9])


def raises_at_the_end(x, k):
    if k:
        return x @ x
    raise ValueError("no k")


def raises_in_else(x, k):
    if k > 0:
        return x * 2.0
    else:
        raise ValueError(k)


def one_of_three(x, k):
    if k == 1:
        y = x * x
    elif k == 2:
        return np.sin(x)
    elif k == 3:
        return x[0] * x
    else:
        raise ValueError(f"unknown {k}")
    return y * 3.0


def method_by_name(x, k):
    name = "square" if k == 1 else "cube"
    if name == "square":
        return (x**2).sum()
    if name == "cube":
        return (x**3).sum()
    raise NotImplementedError(name)


def raises_in_a_helper(x, k):
    def checked(y):
        if y[0] * k > -1.0:
            return y * y
        raise ArithmeticError("negative")

    return checked(x) + checked(x * 0.5) * x


def raises_in_a_loop(x, k):
    y = x * 1.0
    for i in range(4):
        if x[i] + k > 0.0:
            y = y * x[i]
        else:
            raise ValueError("too small")
        y = y + x
    return y


def returns_or_raises_in_a_loop(x, k):
    for i in range(4):
        y = x * (i + 1.0)
        if y[0] * k > 0.5:
            return y * y
        elif y[0] > 100.0:
            raise OverflowError
    raise RuntimeError("never there")


def returns_or_raises_at_once(x, k):
    for i in range(4):
        if k:
            return x * x[i]
        raise ValueError
    return x


def breaks_or_raises(x, k):
    s = 0.0
    for i in range(4):
        s = s + x[i] * x[i]
        if i == k:
            break
        if i > 2:
            raise ValueError(i)
        s = s * 1.5
    return s


def breaks_or_raises_always(x, k):
    while True:
        x = x * x
        if k:
            break
        else:
            raise ValueError
    return x.sum()


def continues_or_raises(x, k):
    s = x[0]
    for i in range(4):
        if i != k:
            s = s * x[i] + 1.0
            continue
        if i > k:
            raise ValueError
    return s


def nested_checks(x, k):
    if k > 0:
        if x[0] > 0.0:
            y = x * x[0]
        else:
            raise ValueError("a")
        if x[1] < 0.0:
            if k == 2:
                return y * x[1]
        else:
            raise ValueError("b")
    else:
        raise ValueError("c")
    return y + x


def asserts(x, k):
    assert k > 0, "k"
    y = x * x
    if k == 1:
        assert y[0] < 1.0
        return y.sum()
    assert y[1] < 1.0
    return y.sum() * 2.0


def unbound_in_the_other(x, k):
    for j in range(2, 0, -2):
        if j:
            return x * x[j]
        if unbound > x[0]:  # noqa: F821
            pass
        else:
            unbound = x[1]
    return x.mean() * k * x


def raises_in_else_of_a_loop(x, k):
    for i in range(4):
        x = x * 1.1
        if i == k:
            break
    else:
        raise ValueError("not found")
    return x * x


def writes_before_it_may_raise(x, k):
    y = x * 1.0
    for i in range(3):
        y[i] = y[i + 1] * y[i]
        if not np.isfinite(y[i]):
            raise FloatingPointError
        if y[i] > 5.0 * k:
            return y * 1.0
        y[i + 1] += x[0]
    return y * 2.0


def in_both_branches(x, k):
    if x[0] > 0.0:
        if k == 3:
            raise ValueError
        y = x * x
    else:
        if k == 4:
            raise ValueError
        y = x + x
    if y[0] > 10.0:
        raise ValueError
    elif k == 2:
        return y * 2.0
    return y * y


def scalar_state(x, k):
    a = x[0]
    b = x[1]
    for i in range(3):
        if a > 10.0:
            return b
        elif b > 10.0:
            raise ValueError
        else:
            a, b = b + a * x[i], a * x[2]
    if a < -10.0:
        raise ValueError
    return a * b


PROGRAMS: tuple[Callable[..., Any], ...] = (
    raises_at_the_end,
    raises_in_else,
    one_of_three,
    method_by_name,
    raises_in_a_helper,
    raises_in_a_loop,
    returns_or_raises_in_a_loop,
    returns_or_raises_at_once,
    breaks_or_raises,
    breaks_or_raises_always,
    continues_or_raises,
    nested_checks,
    asserts,
    unbound_in_the_other,
    raises_in_else_of_a_loop,
    writes_before_it_may_raise,
    in_both_branches,
    scalar_state,
)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_does_not_raise_counts(function: Callable[..., Any], k: int, tmp_path: Path):
    check(function, (X, k), tmp_path, tolerance=1e-6)
