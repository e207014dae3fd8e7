"""A record that is differentiated for, and that the function has under another name as well."""

from __future__ import annotations

import dataclasses
import typing

import numpy as np
import pytest
from same import same

import jitscope as js

X = np.array([1.0, 2.0, 3.0])


@dataclasses.dataclass
class Box:
    w: np.ndarray
    b: float


@dataclasses.dataclass(frozen=True)
class Pair:
    w: np.ndarray
    b: float

    def at(self, x):
        return np.sum(self.w * x) + self.b


class Named(typing.NamedTuple):
    w: np.ndarray
    b: float


def work():
    s = 0.0
    for i in range(300):
        s += i * 0.5
    return s


def loss(p, q):
    return np.sum(p.w * p.w) + np.sum(q.w * 3.0)


def both(c):
    return js.grad(loss)(c, c).w, work()


def the_second(c):
    return js.grad(loss, argnums=1)(c, c).w, work()


def from_outside(c):
    return js.grad(lambda p: np.sum(p.w * p.w) + np.sum(c.w * 3.0))(c).w, work()


def in_a_list(c):
    return js.grad(lambda p, q: np.sum(p.w * p.w) + np.sum(q[0].w * 3.0))(c, [c]).w, work()


def twice_in_a_list(c):
    return js.grad(lambda p: np.sum(p[0].w * p[0].w) + np.sum(p[1].w * 3.0))([c, c])[0].w, work()


def pulled(c):
    _, pullback = js.vjp(loss, c, c)
    return pullback(1.0)[0].w, pullback(1.0)[1].w, work()


def pushed(c):
    return js.jvp(loss, (c, c), (None, c)), work()


def a_field_from_outside(c):
    w = c.w
    return js.grad(lambda p: np.sum(p.w * p.w * w))(c).w, work()


def derivative_of_a_derivative(c):
    def inner(p):
        return js.grad(lambda q: np.sum(q.w**3) + q.b)(p).w

    return js.grad(lambda p: np.sum(inner(p) * p.w))(c).w, work()


def handed_back(c):
    v, pullback = js.vjp(lambda p: (p, p.w * 2.0), c)
    return v[0] is c, pullback((c, c.w))[0].w, work()


PROGRAMS = (both, the_second, from_outside, in_a_list, twice_in_a_list, pulled, pushed)
PROGRAMS += (a_field_from_outside, derivative_of_a_derivative, handed_back)


@pytest.mark.parametrize("kind", [Box, Pair, Named])
@pytest.mark.parametrize("program", PROGRAMS)
def test_each_name_has_its_own_share(program, kind):
    same(program, kind(X.copy(), 0.5))


def test_methods_of_records_are_followed():
    def f(c, x):
        g = js.grad(lambda p: p.at(x) ** 2)(c)
        return g.w, g.b, work()

    same(f, Pair(X.copy(), 0.5), X)
    assert "Python" not in js.function(f).explain(Pair(X.copy(), 0.5), X).partition("  module")[0]


def test_a_derivative_of_a_record_in_one_of_itself_is_refused():
    with pytest.raises(js.JitscopeError, match="under another name"):
        js.grad(lambda p: np.sum(js.grad(lambda q: np.sum(q.w**2 * p.w))(p).w))(Pair(X.copy(), 0.5))


@pytest.mark.parametrize("kind", [Box, Pair])
def test_a_gradient_that_is_returned_twice_is_one_object(kind):
    def in_a_list(c):
        g = js.grad(lambda p: np.sum(p.w * p.w))(c)
        return g, [g], work()

    def in_a_dict(c):
        g = js.grad(lambda p: np.sum(p.w * p.w))(c)
        kept = g
        return {"g": g, "h": kept}, work()

    same(in_a_list, kind(X.copy(), 0.5))
    same(in_a_dict, kind(X.copy(), 0.5))


@pytest.mark.parametrize("kind", [Box, Pair])
def test_what_is_stopped_is_the_very_object(kind):
    same(lambda c: (js.stop_gradient(c), c, js.stop_gradient(c) is c, work()), kind(X.copy(), 0.5))
