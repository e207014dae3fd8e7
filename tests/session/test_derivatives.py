"""Derived functions called with symbols of an explicit graph."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js

X = np.array([0.5, -1.0, 2.0])


def test_grad_of_a_function_of_symbols():
    with js.Graph().as_default():
        x = js.placeholder(np.float64, (3,))
        w = js.Variable(np.ones(3))
        gradient = js.grad(lambda w: np.sum(np.sin(w) * x))(w)
        value, (dx, params) = js.value_and_grad(lambda x, p: np.sum(x * p["w"] * w), (0, 1))(x, {"w": w})
        with js.Session() as session:
            session.run(w.initializer)
            found = session.run([gradient, value, dx, params], {x: X})
    np.testing.assert_allclose(found[0], np.cos(1.0) * X)
    assert found[1] == X.sum()
    np.testing.assert_array_equal(found[2], np.ones(3))
    np.testing.assert_array_equal(found[3]["w"], X)


def test_second_order():
    with js.Graph().as_default():
        x = js.placeholder(np.float64, (3,))

        def inner(x):
            return np.sum(js.grad(lambda x: np.sum(x * x * x))(x))

        found = js.grad(inner)(x)
        with js.Session() as session:
            np.testing.assert_allclose(session.run(found, {x: X}), 6 * X)


def test_what_needs_a_trace_says_so():
    with js.Graph().as_default():
        x = js.placeholder(np.float64, (3,))
        with pytest.raises(js.JitscopeError, match=r"jacobian can't be called with symbols of a graph"):
            js.jacobian(lambda x: x * x)(x)
        with pytest.raises(TypeError, match="floating-point numbers only"):
            js.grad(lambda n: np.sum(n))(js.constant(np.arange(3)))
