"""Second derivatives against formulas and complex steps."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def rosenbrock_hessian(x):
    n = len(x)
    hessian = np.zeros((n, n))
    for k in range(n - 1):
        hessian[k, k] += 1200 * x[k] ** 2 - 400 * x[k + 1] + 2
        hessian[k + 1, k + 1] += 200
        hessian[k, k + 1] = hessian[k + 1, k] = -400 * x[k]
    return hessian


@pytest.mark.parametrize("n", [2, 5, 9])
def test_hessian_of_rosenbrock(n):
    x = np.random.default_rng(n).normal(size=n)
    np.testing.assert_allclose(js.hessian(rosenbrock)(x), rosenbrock_hessian(x), rtol=1e-12, atol=1e-10)


def test_hessian_of_rosenbrock_by_a_loop():
    def looped(x):
        total = 0.0
        for k in range(len(x) - 1):
            total += 100.0 * (x[k + 1] - x[k] ** 2) ** 2 + (1.0 - x[k]) ** 2
        return total

    x = np.random.default_rng(1).normal(size=6)
    np.testing.assert_allclose(js.hessian(looped)(x), rosenbrock_hessian(x), rtol=1e-12, atol=1e-10)


def mlp(params, x, y):
    for w, b in params[:-1]:
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    return np.mean((x @ w + b - y) ** 2)


def mlp_gradient(params, x, y):
    """By hand; holomorphic, so that it can be stepped through complex numbers."""
    inputs, h = [], x
    for w, b in params[:-1]:
        inputs.append(h)
        h = np.tanh(h @ w + b)
    inputs.append(h)
    w, b = params[-1]
    delta = 2.0 * (h @ w + b - y) / y.size
    found = [(h.T @ delta, delta.sum(axis=0))]
    for k in range(len(params) - 2, -1, -1):
        delta = (delta @ params[k + 1][0].T) * (1.0 - inputs[k + 1] ** 2)
        found.insert(0, (inputs[k].T @ delta, delta.sum(axis=0)))
    return found


def network():
    rng = np.random.default_rng(0)
    sizes = (5, 8, 8, 3)
    params = [(rng.normal(size=(a, b)) / np.sqrt(a), rng.normal(size=b)) for a, b in zip(sizes, sizes[1:])]
    return params, rng.normal(size=(12, 5)), rng.normal(size=(12, 3))


def stepped(params, direction, x, y, h=1e-40):
    """The derivative of the gradient in a direction, by a complex step."""
    moved = [(w + 1j * h * dw, b + 1j * h * db) for (w, b), (dw, db) in zip(params, direction)]
    return [(w.imag / h, b.imag / h) for w, b in mlp_gradient(moved, x, y)]


def close(found, expected):
    for mine, wanted in zip(found, expected, strict=True):
        for a, b in zip(mine, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


def test_gradient_of_a_network():
    params, x, y = network()
    close(js.grad(mlp)(params, x, y), mlp_gradient(params, x, y))


def test_hessian_vector_product_backwards_twice():
    params, x, y = network()
    _, _, direction = params, x, [(np.cos(w), np.sin(b)) for w, b in params]

    def along(params, x, y):
        total = 0.0
        for (w, b), (dw, db) in zip(js.grad(mlp)(params, x, y), direction):
            total += np.sum(w * dw) + np.sum(b * db)
        return total

    close(js.grad(along)(params, x, y), stepped(params, direction, x, y))


def test_hessian_vector_product_by_jvp_of_grad():
    params, x, y = network()
    direction = [(np.cos(w), np.sin(b)) for w, b in params]
    gradient, product = js.jvp(lambda p: js.grad(mlp)(p, x, y), (params,), (direction,))
    close(gradient, mlp_gradient(params, x, y))
    close(product, stepped(params, direction, x, y))


def test_third_derivatives():
    third = js.grad(js.grad(js.grad(lambda x: np.sin(x) * x**4)))
    x = 0.7
    expected = 24 * x * np.sin(x) + 36 * x**2 * np.cos(x) - 12 * x**3 * np.sin(x) - x**4 * np.cos(x)
    assert third(x) == pytest.approx(expected, rel=1e-12)
