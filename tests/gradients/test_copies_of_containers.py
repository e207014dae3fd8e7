"""Who gets a list, dict or array while derivatives are taken can't tell it from the caller's own.

Each function has a loop that is compiled: of a function in which nothing is, the plain one runs.
"""

from __future__ import annotations

import numpy as np
import pytest
from same import same

import jitscope as js

X = np.array([1.0, 2.0, 3.0])


def work():
    s = 0.0
    for i in range(300):
        s += i * 0.5
    return s


@pytest.mark.parametrize("c", [[1.0, 2.0, 3.0], [1.0] * 12, {1: 2.0, 0: 1.0}])
def test_stop_gradient_gives_the_very_list(c):
    def f(c, x):
        d = js.stop_gradient(c)
        g = js.grad(lambda x: x * x * d[1])(x)
        d[0] = g
        return g, d is c, work()

    same(f, c, 2.0)


def test_a_list_that_two_values_are_is_one_list():
    def f(x):
        found = []

        @js.custom_gradient
        def step(z):
            found.append(z)
            return found, lambda *u: None

        a, b = step(x), step(2 * x)
        return a, b, a is b, js.grad(lambda x: x * x)(x), work()

    same(f, 1.5)


def test_the_value_of_vjp_is_the_list_that_was_handed_in():
    def f(x):
        c = [x, 2 * x]
        v, pullback = js.vjp(lambda c: c, c)
        v[0] = 9.0
        return c, pullback([1.0, 0.0]), v is c, work()

    def in_a_tuple(x):
        c = {"a": x}
        v, _ = js.vjp(lambda c: (c, 1.0), c)
        v[0]["a"] = 9.0
        return c, work()

    same(f, 1.5)
    same(in_a_tuple, 1.5)


def test_aux_is_the_list_that_was_handed_in():
    def f(x):
        c = [x, 2 * x]
        g, aux = js.grad(lambda c: (c[0] * c[1], c), has_aux=True)(c)
        aux.append(1.0)
        return c, g, work()

    def inside(x):
        c = {"w": [x, 2 * x]}
        g, aux = js.grad(lambda c: (c["w"][0] * c["w"][1], c["w"]), has_aux=True)(c)
        aux.append(1.0)
        return c, g, work()

    same(f, 1.5)
    same(inside, 1.5)


def test_a_list_that_the_function_keeps_is_no_other_list():
    def kept(x):
        c, found = [x, 2 * x], []

        def h(d):
            found.append(d)
            return d[0] * d[1]

        g = js.grad(h)(c)
        found[0][0] = 9.0
        return c, g, work()

    def changed(x):
        c = [x, 2 * x]

        def h(d):
            c[0] = 5.0
            return d[0] * d[1]

        return js.grad(h)(c), c, work()

    same(kept, 1.5)
    same(changed, 1.5)


def test_is_answers_as_for_the_list_itself():
    def f(x):
        c = [x, 2 * x]
        return js.grad(lambda d: d[0] * (2.0 if d is c else 3.0))(c), work()

    assert js.function(f)(1.5)[0] == [2.0, 0.0]  # which plain derivatives refuse


def first(a, b):
    a[0] = 5.0
    return np.sum(a * b)


def second_of_list(c):
    c[1][0] = 5.0
    return np.sum(c[0] * c[0])


@pytest.mark.parametrize(
    "program",
    [
        lambda x: (js.value_and_grad(first)(x, x), work()),
        lambda x: (js.value_and_grad(first)(x, x[:1]), work()),
        lambda x: (js.value_and_grad(second_of_list)([x, x[:1]]), work()),
        lambda x: (js.vjp(first, x, x)[0], work()),
        lambda x: (js.jvp(first, (x, x), (x, x)), work()),
    ],
)
def test_arrays_under_two_names_that_are_written_to(program):
    same(program, X)


def test_arrays_that_the_function_also_has_from_outside():
    def read(x):
        y = x * 1

        def h(a):
            a[0] = 5.0
            return np.sum(a * y)

        return js.value_and_grad(h)(y), y, work()

    def returned(x):
        y = x * 1

        def h(a):
            a[0] = 5.0
            return np.sum(a * a), y

        return js.value_and_grad(h, has_aux=True)(y), y, work()

    def alone(x):
        y = x * 1

        def h(a):
            a[0] = 5.0
            return np.sum(a * a)

        return js.value_and_grad(h)(y), y, work()

    for program in (read, returned, alone):
        same(program, X)


@js.custom_gradient
def values(x):
    return {"a": x * x}.values(), lambda u: u * 100


def test_views_of_dicts_are_no_constants():
    def stopped(x):
        return js.grad(lambda x: sum(js.stop_gradient({"a": x}.values())) * x)(x), work()

    def pushed(x):
        v, t = js.jvp(lambda y: {"a": y * 2}.values(), (x,), (1.0,))
        return list(v), list(t), work()

    def ruled(x):
        return js.grad(lambda x: sum(values(x)))(x), work()

    for program in (stopped, pushed, ruled):
        with pytest.raises(js.JitscopeError, match="can't follow"):
            program(1.5)
        same(program, 1.5)


class Box:
    def __init__(self, s):
        self.s = s


def test_tangents_of_objects_are_refused():
    def push(box, other):
        return js.jvp(lambda box, y: y * box.s, (box, 1.5), (other, 0.0)), work()

    for f in (push, js.function(push)):
        with pytest.raises(TypeError, match="hand None for a Box"):
            f(Box(2.0), Box(1.0))
    same(lambda box: (js.jvp(lambda box, y: y * box.s, (box, 1.5), (None, 1.0)), work()), Box(2.0))


def rule_that_writes(z):
    def rule(u):
        z[0] = 100.0
        return u * z

    return np.sum(z * z), rule


def rule_that_writes_elsewhere(z):
    y = z * 2

    def rule(u):
        y[:] = u * z
        return y

    return np.sum(z * z), rule


@pytest.mark.parametrize("function", [rule_that_writes, rule_that_writes_elsewhere])
def test_rules_that_write_to_arrays_of_others_are_refused(function):
    ruled = js.custom_gradient(function)
    with pytest.raises(js.JitscopeError, match="writes to an array that it didn't make"):
        js.grad(ruled)(X)
    same(lambda x: (js.grad(js.custom_gradient(function))(x), work()), X)


def test_rules_may_write_to_their_own_arrays():
    @js.custom_gradient
    def square(z):
        def rule(u):
            u *= 2.0
            found = np.zeros(3)
            found[:] = u * z
            return found

        return z * z, rule

    np.testing.assert_allclose(js.grad(lambda x: np.sum(square(x) * x))(X), 3 * X**2)
    same(lambda x: (js.grad(lambda x: np.sum(square(x) * x))(x), work()), X)


def test_weights_may_be_stopped_in_a_loss():
    def f(p, x):
        def loss(p):
            return np.sum((x * p["w"] - js.stop_gradient(p)["w"]) ** 2) + p["b"] ** 2

        for _ in range(3):
            g = js.grad(loss)(p)
            p = {"w": p["w"] - 0.1 * g["w"], "b": p["b"] - 0.1 * g["b"]}
        return p, work()

    same(f, {"w": X.copy(), "b": 0.5}, X)


def halved(p):
    p[:] = p * 0.5
    return np.sum(p * p)


def test_tangents_that_the_function_writes_to():
    def the_argument(x):
        return js.jvp(halved, (x,), (x,)), work()

    def from_outside(x):
        t = np.ones(3)

        def loss(p):
            t[:] = t * 0.5
            return np.sum(p * p)

        return js.jvp(loss, (x,), (t,)), work()

    for program in (the_argument, from_outside):
        with pytest.raises(js.JitscopeError):
            program(X.copy())
        same(program, X)


def changed_list(x):
    w = [0.5, -0.25]

    def loss(p):
        w[0] = 0.125
        return np.sum(p) * js.stop_gradient(w)[0]

    return js.value_and_grad(loss)(x), work()


def changed_dict(x):
    w = {"a": 0.5}

    def loss(p):
        w["a"] = 0.125
        return np.sum(p) * js.stop_gradient(w)["a"]

    return js.value_and_grad(loss)(x), work()


def replaced_array(x):
    w = [x * 1.0, x * 2.0]

    def loss(p):
        w[0] = x * 5.0
        return np.sum(p * js.stop_gradient(w)[0])

    return js.value_and_grad(loss)(x), work()


@pytest.mark.parametrize("program", [changed_list, changed_dict, replaced_array])
def test_what_was_changed_before_is_not_read_as_it_was(program):
    with pytest.raises(js.JitscopeError, match="may have been changed"):
        program(X)
    try:
        (value, slopes), _ = js.function(program)(X)
    except js.JitscopeError:
        return
    weight = 5.0 * X if program is replaced_array else np.full(3, 0.125)
    np.testing.assert_allclose(value, np.sum(X * weight))
    np.testing.assert_allclose(slopes, weight)


def test_a_rule_whose_numbers_come_from_python_is_refused_with_its_line() -> None:
    kept, factors = [np.ones(3), np.full(3, 2.0)], [0.5]

    @js.custom_gradient
    def scaled(v):
        def rule(up):
            return up * kept[0].sum()

        return v * 0.5, rule

    def loss(x):
        acc = scaled(np.sum(x * x))
        factors[0] = 0.125
        return acc

    with pytest.raises(js.JitscopeError, match="comes from code that runs in Python") as caught:
        js.grad(loss)(np.ones(3))
    assert "kept[0]" in str(caught.value)
