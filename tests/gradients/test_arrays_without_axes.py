"""Arrays without axes: their adjoints may be numbers, and arrays where memory is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from numeric_gradients import gradient

import jitscope as js

X = np.array([0.7, -1.3, 0.4])


def state_of_a_loop(x):
    a = np.full((), x[0])
    for i in range(3):
        a = np.multiply(a, x[i])[...]
    return a * 2.0


def state_of_a_loop_that_is_left(x):
    a = np.full((), x[0])
    for i in range(3):
        a = np.multiply(a, x[i])[...]
        if a > 10.0:
            break
    return a * 2.0


def two_in_a_loop(x):
    a = np.sum(x * x)[...]
    b = a
    for _ in range(2):
        b = np.multiply(a, b)[...]
        a = np.sin(b[None].sum())[...]
    return np.stack([a, b]).sum()


def added_to(x):
    a = np.zeros(())
    for i in range(3):
        a += x[i] * x[i]
    return a * x[0]


def written_to(x):
    a = np.zeros(())
    for i in range(3):
        a[...] = a * x[i] + x[1]
    return a * x[0]


def copied_and_written_to(x):
    a = np.sum(x * x)[...]
    b = a.copy()
    b[...] = b * a
    return b * x[0]


def written_by_a_ufunc(x):
    a = np.full((), x[0])
    for i in range(3):
        np.multiply(a, x[i], out=a)
    return a.item() * x[1]


def viewed(x):
    a = np.sum(x * x)[...]
    return np.sum(a[None] * a.reshape(1, 1) * x) * a


@js.custom_gradient
def squares(x):
    def back(upstream):
        return 2 * x * upstream

    return np.sum(x * x)[...], back


def with_a_rule_of_its_own(x):
    return squares(x) * 3.0


PROGRAMS = [
    *(state_of_a_loop, state_of_a_loop_that_is_left, two_in_a_loop, added_to, written_to),
    *(copied_and_written_to, written_by_a_ufunc, viewed, with_a_rule_of_its_own),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_are_what_differences_say(program):
    derivative = js.grad(js.function(program, jit_level="off"))
    np.testing.assert_allclose(derivative(X.copy()), gradient(program, (X,), 0)[0], rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize(
    "program", [state_of_a_loop, two_in_a_loop, added_to, written_to, with_a_rule_of_its_own]
)
def test_second_derivatives_are_what_differences_say(program):
    derivative = js.grad(js.function(program, jit_level="off"))
    found = js.hessian(js.function(program, jit_level="off"))(X.copy())
    steps = 1e-6 * np.eye(3)
    expected = [(derivative(X + h) - derivative(X - h)) / 2e-6 for h in steps]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
