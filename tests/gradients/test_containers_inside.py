"""Derivatives inside of decorated functions, of containers that a trace keeps in its own ways."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from same import same

import jitscope as js

X = np.array([1.0, 2.0])


def polynomial(p, x):
    s = 0.0
    for k in range(len(p["c"])):
        s += p["c"][k] * x**k
    return s * p["scale"]


def test_a_callers_list_in_a_dict_is_trained():
    def train(c, scale, x):
        for _ in range(5):
            g = js.grad(polynomial)({"c": c, "scale": scale}, x)
            scale -= 0.01 * g["scale"]
            for k in range(len(c)):
                c[k] -= 0.01 * g["c"][k]
        return scale

    same(train, [0.5] * 10, 2.0, 1.5)
    same(train, [0.5] * 4, 2.0, 1.5)


@pytest.mark.parametrize("n", [3, 12])
def test_tangents_of_a_callers_list_count(n):
    same(lambda c, x: js.jvp(lambda c, x: x * c[0], (c, x), ([1.0] * len(c), None)), [0.5] * n, X)
    same(lambda c, x: js.vjp(lambda c, x: x.sum() * c[0] * c[1], c, x)[1](1.0), [1.5, 2.0] * n, X)


def filled(n):
    c = [0.0] * n
    for i in range(n):
        c[i] = i * 0.5
    return c


def grown(n):
    c = []
    for i in range(n):
        c.append(i * 0.5)
    return c


def by_number(n):
    d = {}
    for i in range(n):
        d[i] = i * 0.5
    return d


def of_rows(n):
    return [[1.0 * i * j + 1 for j in range(n)] for i in range(n)]


@pytest.mark.parametrize("make", [filled, grown, by_number])
def test_containers_that_were_made_inside_have_derivatives(make):
    def product(c):
        return c[1] * c[2] * 1.0

    def in_a_dict(n):
        g = js.grad(lambda p: product(p["c"]) * p["s"])({"c": make(n), "s": 2.0})
        return g["c"], g["s"]

    same(lambda n: js.jvp(product, (make(n),), (make(n),)), 12)
    same(lambda n: js.vjp(product, make(n))[1](1.0), 12)
    same(in_a_dict, 12)


def test_rows_and_tuples_have_derivatives():
    same(lambda n: js.vjp(lambda m: m[0][1] * m[1][0] * 1.0, of_rows(n))[1](1.0), 10)
    same(lambda m: js.vjp(lambda m: m[0][1] * m[1][0] * 1.0, m)[1](1.0), of_rows(10))
    same(lambda m: js.vjp(lambda m: m[0][0] * m[1][1], m)[1](1.0), [[1.0], [2.0, 3.0], [3.0]] * 5)
    pairs = [(1.0 * i, 2.0) for i in range(12)]
    same(lambda t: js.jvp(lambda t: t[0][0] * t[1][1], (t,), ([(1.0, 1.0)] * len(t),)), pairs)


def test_a_result_that_is_a_list_has_derivatives():
    def powers(x, n):
        found = []
        for k in range(n):
            found.append(x * k)
        return found

    same(lambda x, n: js.jvp(lambda x: powers(x, n), (x,), (1.0,)), 1.5, 12)
    same(lambda x, n: js.vjp(lambda x: powers(x, n), x)[1]([1.0] * n), 1.5, 12)
    same(lambda x, n: js.grad(lambda x: js.stop_gradient(powers(x, n))[2] * x)(x), 1.5, 12)


@dataclasses.dataclass
class Pair:
    a: float
    b: float


def test_an_object_that_changed_has_derivatives():
    def f(x, n):
        p = Pair(x, 2.0 * x)
        for _ in range(n):
            p.a = p.a + 0.1
        g = js.grad(lambda q: q["p"].a ** 2 * q["p"].b * q["s"])({"p": p, "s": 1.5})
        return g["p"].a, g["p"].b, g["s"]

    same(f, 1.5, 12)


def test_a_pullback_takes_none_for_a_whole_structure_everywhere():
    def f(x):
        _, pullback = js.vjp(lambda x: {"a": x * 2, "b": (x.sum(), x**2)}, x)
        return pullback({"b": None, "a": x}), pullback(None)

    np.testing.assert_array_equal(f(X)[0][0], 2 * X)
    np.testing.assert_array_equal(f(X)[1][0], 0 * X)
    same(f, X)


def custom(answer):
    """A function of one dict whose gradient is what `answer` makes of the cotangent."""

    @js.custom_gradient
    def f(d):
        return d["a"] + d["p"][0] * d["p"][1], answer

    return js.grad(lambda d: f(d))({"a": 2.0, "p": (3.0, 4.0)})


def test_a_gradient_of_one_dict_is_read_by_its_keys():
    assert custom(lambda u: {"p": (u * 2, u * 3), "a": u}) == {"a": 1.0, "p": (2.0, 3.0)}
    assert custom(lambda u: ({"p": (u * 2, u * 3), "a": u},)) == {"a": 1.0, "p": (2.0, 3.0)}


def test_none_is_no_gradient_of_a_part_of_one_dict():
    assert custom(lambda u: {"a": None, "p": (u, None)}) == {"a": 0.0, "p": (1.0, 0.0)}
    assert custom(lambda u: {"a": u, "p": None}) == {"a": 1.0, "p": (0.0, 0.0)}
    assert custom(lambda u: None) == {"a": 0.0, "p": (0.0, 0.0)}


def test_a_gradient_may_be_flat():
    assert custom(lambda u: (u, u * 2, u * 3)) == {"a": 1.0, "p": (2.0, 3.0)}


def test_a_gradient_of_other_keys_is_refused():
    with pytest.raises(TypeError, match="no such keys"):
        custom(lambda u: {"q": u, "p": (u, u)})
