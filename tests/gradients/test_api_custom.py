"""Gradients that users have a word in, and functions that write, call themselves or run Python."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js

X = np.array([0.5, -1.0, 2.0, 3.0])


@js.custom_gradient
def log1pexp(x):
    e = np.exp(x)

    def gradient(upstream):
        return upstream * (1.0 - 1.0 / (1.0 + e))

    return np.log(1.0 + e), gradient


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def test_custom_gradient_is_used():
    assert log1pexp(2.0) == np.log(1.0 + np.exp(2.0))
    with np.errstate(over="ignore"):
        assert js.grad(log1pexp)(1000.0) == 1.0
    np.testing.assert_allclose(js.grad(lambda x: np.sum(log1pexp(x) * X))(X), sigmoid(X) * X, rtol=1e-14)


def test_custom_gradient_is_differentiated_itself():
    second = js.grad(js.grad(log1pexp))(0.3)
    assert second == pytest.approx(sigmoid(0.3) * (1 - sigmoid(0.3)), rel=1e-12)


def test_custom_gradient_in_a_loop_keeps_what_each_iteration_had():
    def chained(x):
        for _ in range(4):
            x = log1pexp(x) - 0.5
        return np.sum(x)

    def plainly(x):
        for _ in range(4):
            x = np.log(1.0 + np.exp(x)) - 0.5
        return np.sum(x)

    np.testing.assert_allclose(js.grad(chained)(X), js.grad(plainly)(X), rtol=1e-13)


def test_custom_gradient_of_several_arguments_and_results():
    @js.custom_gradient
    def both(x, y):
        def gradient(dsum, dproduct):
            return dsum * 10.0, dproduct * 100.0

        return (x + y, x * y), gradient

    def use(x, y):
        total, product = both(x, y)
        return total * 2.0 + product * 3.0

    assert both(2.0, 3.0) == (5.0, 6.0)
    assert js.grad(use, (0, 1))(2.0, 3.0) == (20.0, 300.0)


def test_custom_gradient_inside_of_a_function():
    @js.function
    def outer(x, limit):
        @js.custom_gradient
        def clipped(v):
            return v, lambda d: np.minimum(d, limit)

        return js.grad(lambda x: np.sum(clipped(x) * X))(x)

    np.testing.assert_array_equal(outer(X, 1.0), np.minimum(X, 1.0))


def test_custom_gradient_that_does_not_fit():
    @js.custom_gradient
    def wrong(x):
        return np.sum(x), lambda d: np.ones(3)

    @js.custom_gradient
    def more(x):
        return np.sum(x), lambda d: (d, d)

    @js.custom_gradient
    def alone(x):
        return np.sum(x)

    with pytest.raises(TypeError, match="has another shape"):
        js.grad(wrong)(X)
    with pytest.raises(TypeError, match="2 gradients for 1 arguments"):
        js.grad(more)(X)
    with pytest.raises(TypeError, match=r"returns a pair: \(value, gradient function\)"):
        js.grad(alone)(X)


class Clipped:
    limit = 0.75

    @js.custom_gradient
    def scaled(self, x):
        return x * 2.0, lambda d: (None, np.minimum(d, self.limit))

    def loss(self, x):
        return np.sum(self.scaled(x) * X)

    @classmethod
    def limited(cls, x):
        return np.sum(x * x) * cls.limit


def test_custom_gradient_of_a_method():
    clipped = Clipped()
    np.testing.assert_array_equal(clipped.scaled(X), 2 * X)
    np.testing.assert_array_equal(js.grad(clipped.loss)(X), np.minimum(X, 0.75))
    np.testing.assert_array_equal(js.grad(lambda x: clipped.loss(x) * 2.0)(X), np.minimum(2 * X, 0.75))
    np.testing.assert_array_equal(js.grad(Clipped.limited)(X), 1.5 * X)


def test_stop_gradient():
    assert js.stop_gradient(X) is X
    np.testing.assert_array_equal(js.grad(lambda x: np.sum(x * js.stop_gradient(x)))(X), X)
    assert js.grad(lambda x: x * js.stop_gradient(x * x))(3.0) == 9.0

    def held(p):
        kept = js.stop_gradient(p)
        return np.sum(p["w"] * kept["w"]) + kept["b"] * p["b"]

    found = js.grad(held)({"w": X, "b": 2.0})
    np.testing.assert_array_equal(found["w"], X)
    assert found["b"] == 2.0


def test_checkpoint_changes_no_gradient():
    def walk(x, n):
        for k in range(n):
            x = np.sin(x) + 0.1 * k * x
        return np.sum(x)

    few = js.checkpoint(walk)
    assert few(X, 5) == walk(X, 5)
    for n in (0, 1, 2, 7, 40):
        np.testing.assert_allclose(js.grad(few)(X, n), js.grad(walk)(X, n), rtol=1e-13)
    np.testing.assert_allclose(
        js.grad(lambda x: few(x, 30) ** 2)(X), 2 * walk(X, 30) * js.grad(walk)(X, 30), rtol=1e-12
    )


# Writes ---------------------------------------------------------------------------------------------------


def doubled(x):
    x[1:] *= 2.0
    return np.sum(x * x)


def test_arguments_are_written_to_as_in_a_call():
    mine, plain = X.copy(), X.copy()
    value, gradient = js.value_and_grad(doubled)(mine)
    assert value == doubled(plain)
    np.testing.assert_array_equal(mine, plain)
    np.testing.assert_array_equal(gradient, 2 * X * np.array([1.0, 4.0, 4.0, 4.0]))


def test_arguments_are_written_to_inside_of_a_function():
    @js.function
    def outer(x):
        value, gradient = js.value_and_grad(doubled)(x)
        return value, gradient, np.sum(x)

    mine = X.copy()
    value, gradient, total = outer(mine)
    plain = X.copy()
    assert value == doubled(plain)
    np.testing.assert_array_equal(mine, plain)
    assert total == plain.sum()
    np.testing.assert_array_equal(gradient, 2 * X * np.array([1.0, 4.0, 4.0, 4.0]))


def test_output_arguments_hand_gradients_on():
    def into(x, out):
        out[:] = x * x
        return np.sum(out)

    out = np.full(4, 7.0)
    dx, dout = js.grad(into, (0, 1))(X, out)
    np.testing.assert_array_equal(out, X * X)
    np.testing.assert_array_equal(dx, 2 * X)
    np.testing.assert_array_equal(dout, np.zeros(4))
    with pytest.raises(js.JitscopeError, match="shares memory"):
        js.grad(into)(out, out)


def test_gradients_are_nobody_elses_memory():
    def same(x):
        return np.sum(x)

    first, second = js.grad(same)(X), js.grad(same)(X)
    assert not np.may_share_memory(first, second)
    value, gradient = js.grad(lambda x: (np.sum(x * x), x), has_aux=True)(X)[::-1]
    assert value is X
    assert not np.may_share_memory(gradient, X)


# Python on the way ----------------------------------------------------------------------------------------


def power(x, n):
    return x if n == 0 else x * power(x, n - 1)


def halves(x):
    n = len(x)
    if n == 1:
        return x[0] * x[0]
    return halves(x[: n // 2]) * 2.0 + halves(x[n // 2 :])


def forever(x):
    if x > 100.0:
        return x
    return forever(x * 2.0)


def test_recursion_is_unrolled():
    assert js.grad(power)(2.0, 3) == 32.0
    assert js.grad(power)(2.0, 4) == 80.0
    np.testing.assert_array_equal(js.grad(halves)(X), 2 * X * np.array([4.0, 2.0, 2.0, 1.0]))
    np.testing.assert_array_equal(js.grad(halves)(X[:2]), 2 * X[:2] * np.array([2.0, 1.0]))
    with pytest.raises(js.JitscopeError, match="nested more than 50 deep"):
        js.grad(forever)(1.0)


def test_recursion_of_functions_inside_is_unrolled():
    def powers(x, n):
        def power(k):
            return (x, x) if k == 1 else (lambda y, total: (y * x, total + y * x))(*power(k - 1))

        def even(y, k):
            return y if k == 0 else odd(y * 2.0, k - 1)

        def odd(y, k):
            return -y if k == 0 else even(y * 3.0, k - 1)

        highest, total = power(n)
        return np.sum(highest) + 2.0 * np.sum(total) + np.sum(even(x, n))

    slope = js.grad(powers)
    for n, sign in ((3, -12.0), (2, 6.0), (3, -12.0), (1, -2.0)):
        expected = n * X ** (n - 1) + 2.0 * sum(k * X ** (k - 1) for k in range(1, n + 1)) + sign
        np.testing.assert_allclose(slope(X, n), expected, rtol=1e-13)

    def settles(x):
        def again(y):
            return y if np.sum(y) < 0.1 else again(y * 0.5)

        return np.sum(again(x))

    with pytest.raises(js.JitscopeError, match="nested more than 50 deep"):
        js.grad(settles)(X)


def test_output_is_printed_once(capsys):
    def told(x):
        print("sum", np.sum(x))
        return np.sum(x * x)

    np.testing.assert_array_equal(js.grad(told)(X), 2 * X)
    np.testing.assert_array_equal(js.grad(told)(X), 2 * X)
    assert capsys.readouterr().out == f"sum {X.sum()}\n" * 2


def test_what_python_makes_cannot_be_followed():
    def noisy(x):
        return np.sum(x * len(np.random.bytes(4)))

    with pytest.raises(js.JitscopeError, match=r"(?s)Python \(np\.random\.bytes\(4\)\).*\n +\d+ \|"):
        js.grad(noisy)(X)


def test_lists_that_grow_in_loops_are_followed():
    @js.function
    def outer(x):
        def loss(x):
            states = [x]
            for _ in range(3):
                states.append(np.tanh(states[-1]))
            total = 0.0
            for state in states:
                total += np.sum(state)
            return total

        return js.grad(loss)(x)

    expected, slope, state = np.ones(4), np.ones(4), X
    for _ in range(3):
        state = np.tanh(state)
        slope = slope * (1 - state**2)
        expected = expected + slope
    np.testing.assert_allclose(outer(X), expected, rtol=1e-14)
    assert not outer.__jitscope__.plain_reasons


# Complex numbers ------------------------------------------------------------------------------------------

Z = np.array([1.0 + 2.0j, -0.5 + 0.25j])


def test_gradients_for_complex_numbers_point_uphill():
    np.testing.assert_allclose(js.grad(lambda z: np.sum(np.abs(z) ** 2))(Z), 2 * Z, rtol=1e-15)
    np.testing.assert_allclose(js.grad(lambda z: np.sum(np.exp(z).real))(Z), np.conj(np.exp(Z)), rtol=1e-14)
    with pytest.raises(TypeError, match="a complex number; take its real part"):
        js.grad(lambda z: np.sum(z))(Z)


def test_real_arguments_of_complex_functions():
    def phase(x):
        return np.sum(np.abs(np.exp(1j * x) + x) ** 2)

    expected = 2 * X + 2 * np.cos(X) - 2 * X * np.sin(X)
    np.testing.assert_allclose(js.grad(phase)(X), expected, rtol=1e-13)


def test_functions_that_are_called_in_themselves_without_recursion():
    """Each ends by itself: neither the ints nor the sizes of the call need be known."""

    def outer(x, n):
        def apply(f, y):
            return f(y)

        def helper(k, y):
            return y * y if k == 0 else helper(0, y) * 2.0

        for _ in range(n):
            x = x + 0.1 * helper(1, apply(lambda u: apply(np.sin, u), x))
        return np.sum(x)

    derived = js.grad(outer)
    for n, size in ((3, 4), (4, 4), (5, 5)):
        x = np.linspace(0.1, 0.9, size)
        step = 1e-6
        slopes = [(outer(x + step * e, n) - outer(x - step * e, n)) / (2 * step) for e in np.eye(size)]
        np.testing.assert_allclose(derived(x, n), slopes, rtol=1e-7)
    assert len(derived.specializations) == 1
