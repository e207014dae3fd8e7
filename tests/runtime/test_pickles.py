"""Decorated functions pickle by value, and callables that are no Python functions can be decorated."""

from __future__ import annotations

import copy
import functools
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest

import jitscope as js

X = np.arange(5.0)


def local() -> tuple[Callable[..., Any], Callable[..., Any]]:
    weights = np.arange(3.0)

    def f(x, k=2.0, *, q=1.0):
        s = 0.0
        for i in range(len(x)):
            s += x[i] * k * weights[i % 3] + q
        return s

    return f, js.function(f, jit_level="on")


def through(value: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(value))


@pytest.mark.parametrize("calls", [0, 2])
def test_a_local_function_pickles_by_value(calls: int) -> None:
    plain, decorated = local()
    for _ in range(calls):
        decorated(X)
    before = js.counters().traces, js.counters().loads
    copied = through(decorated)
    assert (js.counters().traces, js.counters().loads) == before
    for args, kwargs in (((X,), {}), ((X, 3.0), {"q": 2.0}), ((X,), {})):
        assert copied(*args, **kwargs) == plain(*args, **kwargs) == decorated(*args, **kwargs)
    assert len(copied.specializations) == 1
    assert copied.__jitscope__.jit_level == "on"
    assert copy.deepcopy(decorated) is decorated
    again = through(copied)
    assert again(X) == plain(X)


def test_a_derivative_and_a_recursion_pickle() -> None:
    plain, _ = local()
    gradient = js.grad(plain)
    np.testing.assert_array_equal(through(gradient)(X), gradient(X))

    @js.function
    def factorial(n):
        return 1 if n == 0 else n * factorial(n - 1)

    assert through(factorial)(5) == 120


def weighted(x, k):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * k
    return s


class Weight:
    def __init__(self, k: float) -> None:
        self.k = k

    def of(self, x: Any) -> Any:
        return weighted(x, self.k)

    def __call__(self, x: Any) -> Any:
        return weighted(x, self.k)


def test_a_partial_is_compiled() -> None:
    decorated = js.function(functools.partial(weighted, k=3))
    assert decorated(X) == weighted(X, 3) == decorated(X)
    assert "compiled" in decorated.explain(X)
    assert len(decorated.specializations) == 1
    assert through(decorated)(X) == weighted(X, 3)
    assert js.function(decorated)(X) == weighted(X, 3)


def test_methods_and_callable_objects_are_compiled() -> None:
    for value in (Weight(2.0).of, Weight(2.0)):
        decorated = js.function(value)
        assert decorated(X) == weighted(X, 2.0) == decorated(X)
        assert decorated.specializations[0].clusters


@pytest.mark.parametrize("value", [np.sin, len, str.upper, int, Weight, functools.partial(max, 1)])
def test_what_has_no_source_runs_as_it_is(value: Any) -> None:
    decorated = js.function(value)
    given: Any = {len: [1, 2], str.upper: "a"}.get(value if callable(value) else None, 2)
    found, wanted = decorated(given), value(given)
    assert type(found) is type(wanted)
    assert found == wanted or isinstance(found, Weight)
    assert "plain" in decorated.explain()
    with pytest.raises(js.JitscopeError, match="no Python source|makes an object"):
        js.function(value, strict=True)
