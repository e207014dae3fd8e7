"""Gradients and second derivatives where axes of one element meet longer ones, by guards or when it runs."""

from __future__ import annotations

import numpy as np
import pytest
from numeric_gradients import slopes
from numeric_hessians import by_differences

import jitscope as js

X = np.array([0.5, 1.5, -1.0, 2.0])


def off(function):
    """Uncompiled: it takes no time to compile."""
    return js.function(function, jit_level="off")


def first_element(x):
    return (x * x[:1]).sum()


def middle_element(x):
    return np.sin(x * (x[1:2] * 2.0)).sum()


def written_by_one(x):
    y = x * 1.0
    np.multiply(y, y[::-2][-1:], out=y)
    return np.sin(y).sum()


def first_row(x):
    m = np.outer(x, x)
    return np.sin(m * m[:1]).sum()


def first_column(x):
    m = np.outer(x, x)
    return (np.sin(m) * m[:, :1] + m[-1:]).sum()


def both(x):
    return np.sin(x[:1][:, None] * x[None, 1:] + x[-1:]).sum()


def as_many_as_are_positive(x):
    return np.sin(x[x > 0] * x[x < 0]).sum()


def of_any_lengths(x):
    return np.sin(x[x > 0][:, None] * x[x < 0] + x[x < 0]).sum()


PROGRAMS = (
    first_element,
    middle_element,
    written_by_one,
    first_row,
    first_column,
    both,
    as_many_as_are_positive,
    of_any_lengths,
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("x", [X, -X], ids=["three positive", "one positive"])
def test_first_and_second_derivatives(function, x) -> None:
    gradient, hessian = off(js.grad(function)), off(js.hessian(function))
    np.testing.assert_allclose(gradient(x), slopes(function, x), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(hessian(x), by_differences(function, x), rtol=1e-6, atol=1e-7)
