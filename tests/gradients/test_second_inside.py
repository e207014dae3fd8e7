"""Derivatives that are taken inside of a function which is differentiated itself, of functions that write."""

from __future__ import annotations

import numpy as np
from numeric_hessians import by_differences

import jitscope as js

X = np.array([0.3, -0.5, 0.7, 0.9])


def off(function):
    """Uncompiled: it takes no time to compile."""
    return js.function(function, jit_level="off")


def written(x):
    for k in range(3):
        x[k + 1] *= np.sin(x[k])
    return np.sum(x * x * x)


def vector(x):
    y = np.sin(x) * x[::-1]
    for k in range(3):
        y[k + 1] += y[k] * x[k]
    return y


def slopes(function, x, step=2e-4):
    """The Jacobian of a function of a vector, by differences of fourth order."""

    def along(unit):
        at = [np.asarray(function(x + k * step * unit)) for k in (-2, -1, 1, 2)]
        return (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * step)

    return np.stack([along(unit) for unit in np.eye(len(x))], axis=-1)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_gradient_of_a_function_that_writes_is_used():
    def outer(x):
        slope = js.grad(written)(x)  # and x is another one now
        return (slope * x).sum()

    def plain(x):
        return (off(js.grad(written))(x) * x).sum()

    close(off(outer)(X.copy()), plain(X.copy()))
    close(off(js.grad(outer))(X.copy()), slopes(plain, X))


def test_third_derivatives_of_a_function_that_writes():
    hessian = off(js.hessian(written))
    close(hessian(X.copy()), by_differences(written, X))
    close(off(js.jacobian(js.hessian(written)))(X.copy()), slopes(hessian, X))


def test_pullback_is_called_again_after_its_result_and_argument_were_written():
    def outer(x):
        value, pullback = js.vjp(vector, x)
        first = pullback(np.ones(4))[0]
        value[:] = 9.0
        x[2] = 5.0
        return first, pullback(np.arange(4.0))[0], value

    first, second, value = off(outer)(X.copy())
    jacobian = slopes(vector, X)
    close(first, np.ones(4) @ jacobian)
    close(second, np.arange(4.0) @ jacobian)
    close(value, np.full(4, 9.0))


def test_pullback_in_a_loop_is_differentiated():
    def rows(x):
        _, pullback = js.vjp(vector, x)
        found = np.zeros((4, 4))
        for k in range(4):
            unit = np.zeros(4)
            unit[k] = 1.0
            found[k] = pullback(unit)[0]
        return found

    jacobian = off(js.jacobian(vector))
    close(off(rows)(X.copy()), slopes(vector, X))
    squares = off(js.grad(lambda x: (rows(x) ** 2).sum()))
    close(squares(X.copy()), slopes(lambda x: (jacobian(x) ** 2).sum(), X))


def test_products_with_the_hessian_in_a_function():
    direction = np.array([0.3, -0.5, 0.7, 0.2])

    def forwards(x):
        return js.jvp(js.grad(written), (x.copy(),), (direction,))[1]

    def backwards(x):
        return js.grad(lambda y: (js.grad(written)(y) * direction).sum())(x.copy())

    expected = by_differences(written, X) @ direction
    close(off(forwards)(X), expected)
    close(off(backwards)(X), expected)
    close(js.function(forwards)(X), expected)


def test_hessian_for_two_arguments_that_are_written():
    def both(x, y):
        x *= y
        y[1:] += x[:-1]
        return np.sum(x * y * y)

    def joined(z):
        return both(z[:4], z[4:])

    blocks = off(js.hessian(both, argnums=(0, 1)))(X.copy(), X[::-1].copy())
    close(np.block([list(row) for row in blocks]), by_differences(joined, np.concatenate([X, X[::-1]])))
