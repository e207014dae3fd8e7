"""`js.grad` and its like: what they take, what they return, where they work."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import jitscope as js

X = np.array([0.3, -1.2, 2.0, 0.7])
Y = np.array([1.5, 0.2, -0.4, 2.2])


def weighted(x, y):
    return np.sum(np.sin(x) * y)


class Point(NamedTuple):
    w: np.ndarray
    b: float


@dataclass
class Layer:
    w: np.ndarray
    b: float
    name: str = "layer"


def cube(x):
    return x * x * x


def cubes(x):
    return np.sum(x * x * x)


def affine(layer):
    return np.sum(layer.w * layer.b)


def test_gradient_of_the_first_argument():
    np.testing.assert_allclose(js.grad(weighted)(X, Y), np.cos(X) * Y, rtol=1e-15)


def test_gradients_of_several_arguments_are_a_tuple():
    found = js.grad(weighted, argnums=(1, 0))(X, Y)
    assert type(found) is tuple
    np.testing.assert_allclose(found[0], np.sin(X), rtol=1e-15)
    np.testing.assert_allclose(found[1], np.cos(X) * Y, rtol=1e-15)
    (only,) = js.grad(weighted, argnums=(-1,))(X, Y)
    np.testing.assert_allclose(only, np.sin(X), rtol=1e-15)


def test_value_comes_with_the_gradient_and_aux_with_both():
    value, gradient = js.value_and_grad(weighted)(X, Y)
    assert value == weighted(X, Y)
    np.testing.assert_allclose(gradient, np.cos(X) * Y, rtol=1e-15)

    def with_aux(x):
        return np.sum(x * x), {"double": 2 * x, "kind": "square"}

    gradient, aux = js.grad(with_aux, has_aux=True)(X)
    np.testing.assert_array_equal(gradient, aux["double"])
    assert aux["kind"] == "square"
    (value, aux), gradient = js.value_and_grad(with_aux, has_aux=True)(X)
    assert value == np.sum(X * X)


@pytest.mark.parametrize(
    "x", [2.0, np.float64(2.0), np.float32(2.0), np.array(2.0), np.array([2.0], np.float32)]
)
def test_gradient_has_the_type_of_what_it_is_for(x):
    found = js.grad(cubes if np.ndim(x) else cube)(x)
    assert type(found) is type(x)
    if hasattr(x, "dtype"):
        assert (found.dtype, found.shape) == (x.dtype, x.shape)
    assert found == 12.0


def test_containers_come_back_in_their_structure():
    params = {"layers": [(X, 2.0), (Y, 3.0)], "scale": 0.5, "title": "net", "nothing": None}

    def loss(params):
        total = 0.0
        for w, b in params["layers"]:
            total += np.sum(w * b)
        return total * params["scale"]

    found = js.grad(loss)(params)
    assert list(found) == list(params)
    assert type(found["layers"]) is list
    assert type(found["layers"][1]) is tuple
    np.testing.assert_allclose(found["layers"][0][0], np.full(4, 1.0))
    assert found["layers"][1][1] == pytest.approx(0.5 * Y.sum(), rel=1e-14)
    assert found["scale"] == pytest.approx(2 * X.sum() + 3 * Y.sum(), rel=1e-14)
    assert (found["title"], found["nothing"]) == ("net", None)


@pytest.mark.parametrize("kind", [Point, Layer])
def test_records_come_back_as_records(kind):
    found = js.grad(affine)(kind(X, 3.0))
    assert type(found) is kind
    np.testing.assert_array_equal(found.w, np.full(4, 3.0))
    assert found.b == pytest.approx(X.sum(), rel=1e-15)
    assert type(found.b) is float


def test_named_tuples_are_tuples_too():
    def unpacked(p):
        w, b = p
        for part in p:
            w = w + 0.0 * part
        return np.sum(w * b) + p[1] * len(p)

    found = js.grad(unpacked)(Point(X, 3.0))
    np.testing.assert_allclose(found.w, np.full(4, 3.0))
    assert found.b == pytest.approx(X.sum() + 2, rel=1e-15)


def test_second_derivatives():
    assert js.grad(js.grad(lambda x: x * x * x))(2.0) == 12.0
    np.testing.assert_allclose(js.hessian(lambda x: np.sum(x * x * x))(X), np.diag(6 * X), rtol=1e-15)
    assert js.hessian(lambda x: x * x * x)(2.0) == 12.0


def test_jacobian_has_the_shape_of_result_and_argument():
    a = np.arange(6.0).reshape(2, 3)

    def both(a, x):
        return {"outer": np.sin(a) * x, "sum": np.sum(a * x)}

    found = js.jacobian(both, argnums=(0, 1))(a, X[:3])
    assert found["outer"][0].shape == (2, 3, 2, 3)
    assert found["outer"][1].shape == (2, 3, 3)
    assert found["sum"][0].shape == (2, 3)
    expected = np.zeros((2, 3, 2, 3))
    for i in range(2):
        for j in range(3):
            expected[i, j, i, j] = np.cos(a[i, j]) * X[j]
    np.testing.assert_allclose(found["outer"][0], expected, rtol=1e-15)
    np.testing.assert_array_equal(found["sum"][1], a.sum(axis=0))


def test_vjp_takes_cotangents_back_and_keeps_what_it_needs():
    x, y = X.copy(), Y.copy()
    value, pullback = js.vjp(lambda x, y: np.sin(x) * y, x, y)
    np.testing.assert_array_equal(value, np.sin(X) * Y)
    x[:], y[:], value[:] = 0, 0, 0
    dx, dy = pullback(np.full(4, 2.0))
    np.testing.assert_allclose(dx, 2 * np.cos(X) * Y, rtol=1e-15)
    np.testing.assert_allclose(dy, 2 * np.sin(X), rtol=1e-15)
    dx, _ = pullback(np.ones(4))
    np.testing.assert_allclose(dx, np.cos(X) * Y, rtol=1e-15)


def _by_branch(x, w):
    return np.sum(x * w) if x[0] > 0 else 0.0


def _by_loop(x, w):
    for _ in range(2):
        x = x * w
    return np.sum(x)


def _by_test(x, w):
    while x[0] < 5:
        x = 2 * x * w
    return np.sum(x)


def _by_element(x, w):
    y = x.copy()
    y[0] = w[1]
    return np.sum(y)


def _by_elements(x, w):
    a = x[3]
    for i in range(2):
        a = a * x[i] + w[i]
    return a


@pytest.mark.parametrize("function", [_by_branch, _by_loop, _by_test, _by_element, _by_elements])
@pytest.mark.parametrize("form", [np.float64, np.float32])
def test_pullback_fills_every_array_that_it_returns(function, form):
    args = X.astype(form), Y.astype(form)
    expected = js.grad(function, (0, 1))(*args)
    _, pullback = js.vjp(function, *args)
    for _ in range(2):
        for found, wanted in zip(pullback(1.0), expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_pullback_fills_arrays_behind_numbers_and_in_lists():
    def behind(a, x, w):
        return a * _by_elements(x, w)

    expected = js.grad(behind, (0, 1, 2))(2.0, X, Y)
    for found, wanted in zip(js.vjp(behind, 2.0, X, Y)[1](1.0), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-15)
    (pair,) = js.vjp(lambda pair: _by_loop(pair[0], pair[1]), [X, Y])[1](1.0)
    for found, wanted in zip(pair, js.grad(_by_loop, (0, 1))(X, Y), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-15)


@pytest.mark.parametrize("cotangent", [np.ones(3), 1.0, (np.ones(4),), np.ones(4, complex), "ones"])
def test_pullback_refuses_other_structures(cotangent):
    _, pullback = js.vjp(lambda x: np.sin(x), X)
    with pytest.raises(TypeError, match="the cotangent"):
        pullback(cotangent)


def chosen(x, w):
    return np.sum(x * w if x[0] > 0 else x + w)


def multiplied_often(x, w):
    for _ in range(2):
        x = x * w
    return np.sum(x)


def multiplied_until_large(x, w):
    while np.max(np.abs(x)) < 9:
        x = x * w
    return x


def with_one_element_of_another(x, w):
    y = x.copy()
    y[0] = w[1]
    return np.sum(y * y)


def number_before_arrays(x, w, a=2.0):
    for i in range(2):
        a = a * x[i] + w[i]
    return a


@pytest.mark.parametrize(
    "function",
    [chosen, multiplied_often, multiplied_until_large, with_one_element_of_another, number_before_arrays],
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_vjp_gives_each_argument_its_gradient(function, sign):
    x, w = X * sign, Y + 2.0
    value, pullback = js.vjp(function, x, w)
    seed = np.ones_like(value) if np.ndim(value) else 1.0
    wanted = js.grad(lambda x, w: np.sum(function(x, w)), (0, 1))(x, w)
    for _ in range(2):
        for found, want in zip(pullback(seed), wanted, strict=False):
            np.testing.assert_allclose(found, want, rtol=1e-12)
            assert np.any(want)


def test_vjp_of_arrays_in_a_list():
    _, pullback = js.vjp(lambda xs: chosen(*xs), [X, Y])
    ((dx, dy),) = pullback(1.0)
    np.testing.assert_array_equal(dx, Y)
    np.testing.assert_array_equal(dy, X)


def test_vjp_of_ints_is_none():
    _, pullback = js.vjp(lambda x, n: x**n, X, 3)
    dx, dn = pullback(np.ones(4))
    np.testing.assert_allclose(dx, 3 * X**2, rtol=1e-15)
    assert dn is None


@pytest.mark.parametrize("function", [_by_branch, lambda x, w: x * w])
def test_pullback_gives_a_gradient_for_each_primal_and_no_other_argument(function):
    def with_default(x, w=Y):
        return function(x, w)

    value, pullback = js.vjp(function, X, Y)
    expected, _ = pullback(value)
    for bound in (functools.partial(function, w=Y), with_default, functools.partial(with_default, w=Y)):
        (found,) = js.vjp(bound, X)[1](value)
        np.testing.assert_array_equal(found, expected)
    (found,) = js.vjp(functools.partial(function, X), Y)[1](value)
    np.testing.assert_array_equal(found, pullback(value)[1])
    with pytest.raises(TypeError, match="positional argument"):
        js.vjp(function, X, Y, Y)


def test_no_tangent_of_a_structure_is_zeros():
    def loss(w, pair, x):
        return np.sum(np.tanh(x * w["a"] + w["b"]["c"]) * pair[0]) + pair[1]

    w, pair, x = {"a": 0.5, "b": {"c": np.arange(3.0)}}, (np.ones(3), 2.0), np.array([0.1, -0.2, 0.3])
    zeros = {"a": 0.0, "b": {"c": np.zeros(3)}}, (np.zeros(3), 0.0)
    expected = js.jvp(loss, (w, pair, x), (*zeros, np.ones(3)))
    found = js.jvp(loss, (w, pair, x), (None, None, np.ones(3)))
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    inner = js.jvp(loss, (w, pair, x), ({"a": 1.0, "b": None}, (None, 1.0), None))
    outer = js.jvp(loss, (w, pair, x), ({"a": 1.0, "b": {"c": np.zeros(3)}}, (np.zeros(3), 1.0), np.zeros(3)))
    np.testing.assert_allclose(inner, outer, rtol=1e-14)
    product = js.jvp(js.grad(loss, argnums=2), (w, pair, x), (None, None, np.ones(3)))[1]
    assert product.shape == (3,)


def test_jvp_is_the_derivative_in_a_direction():
    value, tangent = js.jvp(lambda x, y: np.sin(x) * y, (X, Y), (np.ones(4), Y))
    np.testing.assert_array_equal(value, np.sin(X) * Y)
    np.testing.assert_allclose(tangent, np.cos(X) * Y + np.sin(X) * Y, rtol=1e-15)
    assert js.jvp(lambda x: x * x, (3.0,), (2.0,)) == (9.0, 12.0)
    with pytest.raises(TypeError, match="the tangent of argument 'x'"):
        js.jvp(lambda x: x * x, (X,), (np.ones(3),))


POWER = np.array([0.5, 1.5, 2.5, 3.5])


def scaled(x, w=POWER):
    return np.sum(x * x * w)


def product(a, x, w):
    return np.sum(a * x * x * w)


class Scaled:
    def by(self, x, w=POWER):
        return np.sum(x * x * w)


LAST = [
    lambda: js.grad(scaled, -1)(X),
    lambda: js.grad(scaled, -1)(X, POWER),
    lambda: js.grad(scaled, -1)(X, w=POWER),
    lambda: js.grad(scaled, (-1, -2))(X, POWER),
    lambda: js.value_and_grad(scaled, -1)(X),
    lambda: js.hessian(scaled, -1)(X),
    lambda: js.jacobian(js.grad(scaled, -1), -1)(X),
    lambda: js.jvp(js.grad(scaled, -1), (X,), (POWER,)),
    lambda: js.vjp(js.grad(scaled, -1), X)[1](POWER),
    lambda: js.grad(js.checkpoint(scaled), -1)(X),
    lambda: js.grad(functools.partial(product, w=POWER), -1)(2.0, X),
    lambda: js.grad(functools.partial(product, 2.0), -1)(X, POWER),
    lambda: js.grad(functools.partial(product, 2.0), -2)(X, POWER),
    lambda: js.grad(Scaled().by, -1)(X),
]
BY_X, BY_W = 2 * X * POWER, X * X
EXPECTED_LAST = [
    *(BY_X, BY_W, BY_X, (BY_W, BY_X)),
    (np.sum(X * X * POWER), BY_X),
    *(np.diag(2 * POWER), np.diag(2 * POWER)),
    *((BY_X, 2 * POWER * POWER), (2 * POWER * POWER,)),
    *(BY_X, 2 * BY_X, 2 * BY_W, 2 * BY_X, BY_X),
]


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("number", range(len(LAST)))
def test_negative_argnums_count_from_the_last_argument_that_is_given_by_position(number, inside):
    run = LAST[number]
    found = js.function(lambda: run())() if inside else run()
    expected = EXPECTED_LAST[number]
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    for one, other in pairs:
        np.testing.assert_allclose(one, other, rtol=1e-14)


def test_a_function_of_negative_argnums_is_one_with_all_that_belongs_to_it():
    gradient = js.grad(scaled, -1)
    assert gradient is js.grad(scaled, -1)
    gradient.clear()
    np.testing.assert_allclose(gradient(X), BY_X, rtol=1e-14)
    np.testing.assert_allclose(gradient(X, POWER), BY_W, rtol=1e-14)
    assert len(gradient.specializations) == 2
    assert "argnums=1" in js.to_code(gradient, X, POWER)
    assert gradient.explain(X).startswith("grad of scaled")
    assert gradient.explain().count("grad of scaled") == 2
    np.testing.assert_allclose(js.function(gradient, cache=False)(X), BY_X, rtol=1e-14)


@pytest.mark.parametrize(
    "run",
    [
        lambda: js.grad(functools.partial(product, 2.0), -3)(X, POWER),
        lambda: js.grad(scaled, -2)(X),
        lambda: js.grad(Scaled().by, -2)(X),
    ],
)
def test_negative_argnums_of_more_than_is_given_are_refused(run):
    for found in (run, js.function(lambda: run())):
        with pytest.raises(TypeError, match=r"argnums=-\d, but"):
            found()


class Model:
    def __init__(self):
        self.k = np.full(4, 3.0)

    def loss(self, x, power):
        return np.sum(self.k * x**power)

    @js.function
    def compiled(self, x):
        return np.sum(self.k * x)

    def __call__(self, x):
        return np.sum(self.k * x * x)


def test_methods_and_callable_objects():
    model = Model()
    np.testing.assert_allclose(js.grad(model.loss)(X, 2), 6 * X)
    np.testing.assert_allclose(js.grad(model.compiled)(X), model.k)
    np.testing.assert_allclose(js.grad(model)(X), 6 * X)
    value, pullback = js.vjp(model.loss, X, 2)
    np.testing.assert_allclose(pullback(1.0)[0], 6 * X)
    model.k = np.full(4, 1.0)
    np.testing.assert_allclose(js.grad(model.loss)(X, 2), 2 * X)
    with pytest.raises(TypeError, match="argnums=2, but loss has 2"):
        js.grad(model.loss, argnums=2)


SCALE = np.array([1.0, 2.0, 3.0, 4.0])


def test_globals_and_cells_are_read_at_each_call():
    global SCALE
    k = 2.0

    def loss(x):
        return np.sum(SCALE * x) * k

    gradient = js.grad(loss)
    np.testing.assert_array_equal(gradient(X), 2 * SCALE)
    k, before = 3.0, SCALE
    try:
        SCALE = np.ones(4)
        np.testing.assert_array_equal(gradient(X), np.full(4, 3.0))
    finally:
        SCALE = before


def test_derivatives_inside_of_a_function():
    @js.function
    def step(w, x):
        def loss(w):
            return np.sum((w * x) ** 2)

        value, gradient = js.value_and_grad(loss)(w)
        return value, w - 0.1 * gradient, js.grad(weighted, argnums=1)(w, x)

    value, new, other = step(X, Y)
    assert value == np.sum((X * Y) ** 2)
    np.testing.assert_allclose(new, X - 0.2 * X * Y * Y, rtol=1e-14)
    np.testing.assert_allclose(other, np.sin(X), rtol=1e-15)
    assert not step.__jitscope__.plain_reasons


def test_what_the_function_reads_elsewhere_has_no_part():
    @js.function
    def inner(w):
        return js.grad(lambda v: np.sum(v * w))(w)

    np.testing.assert_array_equal(inner(X), X)
    np.testing.assert_array_equal(js.jacobian(inner)(X), np.eye(4))


def test_gradients_of_values_of_a_trace():
    @js.function
    def both(x):
        y = np.sum(x**2)
        z = np.sum(x) * y
        first, second = js.gradients([y, z], [x, y])
        return first, second, js.gradients(y, z), js.gradients(y, z, unconnected_gradients="zero")

    first, second, nothing, zero = both(X)
    np.testing.assert_allclose(first, 2 * X + 2 * X * X.sum() + np.sum(X**2), rtol=1e-14)
    assert second == pytest.approx(1 + X.sum(), rel=1e-14)
    assert nothing == [None]
    assert zero == [0.0]
    with pytest.raises(RuntimeError, match=r"js\.grad differentiates functions anywhere"):
        js.gradients(X, X)


def test_decorated_functions_hand_on_their_options():
    @js.function(static_argnames=("power",), cache=False)
    def loss(x, power):
        return np.sum(x**power)

    gradient = js.grad(loss)
    assert gradient.__jitscope__.static_argnames == ("power",)
    np.testing.assert_allclose(gradient(X, 3), 3 * X**2)
    np.testing.assert_allclose(gradient(X, 2), 2 * X)
    with pytest.raises(TypeError, match="static"):
        js.grad(loss, argnums=1)(X, 2.0)


def test_the_same_function_is_transformed_once():
    assert js.grad(weighted) is js.grad(weighted)
    assert js.grad(weighted) is not js.grad(weighted, argnums=1)
    assert js.grad(weighted).__name__ == "grad_weighted"


WRONG = [
    (lambda: js.grad(lambda x: x * x)(2), "argument 'x' is an int"),
    (lambda: js.grad(lambda n: np.sum(n))(np.arange(3)), "argument 'n' is an array of int64"),
    (lambda: js.grad(lambda p: p["n"] * 1.0)({"n": True}), r"argument 'p'\['n'\] is a bool"),
    (lambda: js.grad(lambda x: x * 2)(X), "real scalar result, this one returns an array of 1 dimension"),
    (lambda: js.grad(lambda x: None)(X), "returns None"),
    (lambda: js.grad(lambda x: (x, x))(1.0), "returns a tuple"),
    (lambda: js.grad(lambda x: len(x))(X), "its result is an int"),
    (lambda: js.grad(lambda x: x, argnums="x"), "argnums is an int or a tuple of ints"),
    (lambda: js.grad(np.sin), "write a lambda around it"),
    (lambda: js.value_and_grad(lambda x: x, has_aux=True)(1.0), "returns a pair"),
]


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_mistakes_are_type_errors(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_errors_of_the_function_are_the_answer():
    with pytest.raises(ValueError, match="could not be broadcast together"):
        js.grad(weighted)(X, np.ones(3))
    with pytest.raises(ZeroDivisionError):
        js.grad(lambda x, n: x / n)(1.0, 0)


def test_what_cannot_be_followed_says_where():
    def text(x):
        label = str(x)
        return float(label) * x

    with pytest.raises(js.JitscopeError, match=r"(?s)test_api.py:\d+.*try:"):
        js.grad(text)(2.0)
