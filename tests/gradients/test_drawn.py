"""Random numbers are constants of the run: the gradient has those that the run has drawn."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import needs_compiler

import jitscope as js

X = np.array([0.3, -0.2, 0.5, 0.9])


def weighted(x):
    return np.sum(x * np.random.normal(size=4))


def noisy_steps(x):
    rng = np.random.default_rng(0)
    m = rng.random(4)
    for _ in range(3):
        x = x * m + 0.1 * rng.normal(size=4)
    return np.sum(x * x)


@needs_compiler
@pytest.mark.parametrize("function", [weighted, noisy_steps], ids=lambda f: f.__name__)
def test_numbers_that_were_drawn_are_constants(function):
    def at(x):
        np.random.seed(1)
        return function(x)

    steps = 1e-6 * np.eye(4)
    expected = np.array([(at(X + h) - at(X - h)) / 2e-6 for h in steps])
    np.random.seed(1)
    np.testing.assert_allclose(js.grad(function)(X.copy()), expected, atol=1e-8)


@needs_compiler
def test_what_is_drawn_may_not_depend_on_x():
    def shifted(x):
        return np.sum(np.random.normal(x))

    with pytest.raises(js.JitscopeError, match=r"np\.random\.normal\(x\) can't be differentiated"):
        js.grad(shifted)(X)


def one_by_one(x, n, rng):
    s = 0.0
    y = x
    for _ in range(n):
        if rng.random() < 0.5:
            y = y * (1 + 0.1 * rng.normal())
        else:
            y = y + np.sin(y) * rng.random() * rng.integers(3)
        s += y * rng.exponential(2.0)
    return s


def arrays_one_by_one(x, n, rng):
    y = np.array([x, 1.0, x * x])
    for _ in range(n):
        y = np.sin(y) * rng.normal(size=3)
    return y.sum()


def until(x, n, rng):
    y = x
    k = 0
    while y < 50.0 and k < n:
        y = y + x * rng.random()
        k += 1
    return y * k


def left_early(x, n, rng):
    y = x
    for _ in range(n):
        y = y * (1 + rng.random()) + np.sin(y)
        if rng.random() < 0.1:
            break
    return y


@needs_compiler
@pytest.mark.parametrize("function", [one_by_one, arrays_one_by_one, until, left_early])
def test_numbers_that_loops_draw_are_kept(function):
    def drawn_from(x):
        rng = np.random.default_rng(4)
        return function(x, 40, rng), rng.random()

    expected = (drawn_from(1.3 + 1e-6)[0] - drawn_from(1.3 - 1e-6)[0]) / 2e-6
    slope_of = js.value_and_grad(function)
    for _ in range(2):
        rng = np.random.default_rng(4)
        value, slope = slope_of(1.3, 40, rng)
        assert (value, rng.random()) == drawn_from(1.3)
        np.testing.assert_allclose(slope, expected, rtol=1e-5)


@needs_compiler
def test_numbers_of_inner_loops_are_refused():
    def nested(x, n, rng):
        for _ in range(n):
            for _ in range(3):
                x = np.sin(x) * rng.normal()
        return x

    with pytest.raises(js.JitscopeError, match="it can't be run twice"):
        js.grad(nested)(1.3, 4, np.random.default_rng(4))


def into_what_varies(x, rng):
    r = x * 2.0
    rng.random(out=r)
    return np.sum(r * x)


def into_by_position(x, rng):
    r = x * 2.0
    before = np.sum(r * x)
    y = rng.standard_gamma(2.0, None, np.float64, r)
    y[1] = x[0]
    return before + np.sum(r * x)


def into_a_part(x, rng):
    r = np.concatenate([x, x])
    rng.standard_exponential(out=r[:2], method="inv")
    return np.sum(r * r)


def into_one_buffer(x, rng):
    r = np.empty(4)
    s = 0.0
    for _ in range(3):
        rng.standard_normal(out=r)
        s = s + np.sum(r * x)
    return s


@needs_compiler
@pytest.mark.parametrize(
    "function", [into_what_varies, into_by_position, into_a_part, into_one_buffer], ids=lambda f: f.__name__
)
def test_what_is_drawn_into_an_array_is_written_there(function):
    def at(x):
        return function(x, np.random.default_rng(4))

    steps = 1e-6 * np.eye(4)
    expected = np.array([(at(X + h) - at(X - h)) / 2e-6 for h in steps])
    value, slope = js.value_and_grad(function)(X.copy(), np.random.default_rng(4))
    assert value == at(X.copy())
    np.testing.assert_allclose(slope, expected, atol=1e-8)


@needs_compiler
def test_drawing_into_an_array_gives_that_array():
    def filled(r, rng):
        y = rng.random(out=r)
        y[0] = 5.0
        return y, r

    compiled = js.function(filled)
    for _ in range(2):
        expected, r = filled(X.copy(), np.random.default_rng(4))[0], X.copy()
        y, also = compiled(r, np.random.default_rng(4))
        assert y is r is also
        np.testing.assert_array_equal(r, expected)


def of_x(x, rng):
    r = x * 2.0
    rng.standard_gamma(abs(x[0]), out=r)
    return np.sum(r * x)


def mixed(x, rng):
    r = x * 2.0
    rng.permuted(r, out=r)
    return np.sum(r * x)


def shuffled(x, rng):
    r = x * 2.0
    rng.shuffle(r)
    return np.sum(r * x)


def drawn_and_scaled(x, rng):
    r = np.empty(4)
    s = 0.0
    for _ in range(3):
        rng.random(out=r)
        for j in range(4):
            s = s + r[j] * x[j]
            r[j] = r[j] * x[j]
        s = s + np.sum(r * r)
    return s


@needs_compiler
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (of_x, "what it draws depends on what is differentiated for"),
        (mixed, "may write to 'r'"),
        (shuffled, "may write to 'r'"),
        (drawn_and_scaled, "is needed again"),
    ],
)
def test_what_is_drawn_into_an_array_and_has_no_gradient_is_refused(function, reason):
    with pytest.raises(js.JitscopeError, match=reason):
        js.grad(function)(X.copy(), np.random.default_rng(4))
