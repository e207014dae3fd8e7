"""A function whose parameters or defaults are changed in place takes each call as it does now."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitscope as js

X = np.arange(1.0, 5.0)


def fresh(f: types.FunctionType) -> types.FunctionType:
    made = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__)
    made.__kwdefaults__ = f.__kwdefaults__ and dict(f.__kwdefaults__)
    return made


def weighted(x, k=2.0):
    return np.multiply(x, k).sum()


def outcome(f: Callable[..., Any], *args: Any, **named: Any) -> Any:
    try:
        return np.asarray(f(*args, **named)).tolist()
    except TypeError as error:
        return str(error).partition("() ")[2]


def with_a_name(x, *, k=2.0):
    return np.multiply(x, k).sum()


def with_none(x, k=None, *, m=None):
    return np.multiply(x, 3.0 if k is None else k).sum() + (1.0 if m is None else m)


def of_one(x):
    return np.multiply(x, 3.0).sum()


def of_two(x, y):
    return np.multiply(x, y).sum()


def of_many(x, *ys, **named):
    return np.sum(x) + sum(np.sum(y) for y in ys) + len(named)


def renamed(v, *, q=1.0):
    return np.sum(v) * q


@pytest.mark.parametrize("plain", [with_none, with_a_name, weighted, renamed], ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [X, 2.0, [1.0]], ids=["array", "number", "list"])
def test_a_default_that_is_given_is_given(plain: types.FunctionType, x: Any) -> None:
    for named in ({}, {"k": None}, {"m": None}, {"k": 2.0}, {"k": None, "m": None}):
        for defaults, by_name in (
            ((5.0,), None),
            (None, {"m": 6.0}),
            ((5.0,), {"m": 6.0, "k": 4.0, "q": 2.0}),
            (None, None),
        ):
            changing = fresh(plain)
            decorated = js.function(changing)
            for f in (decorated, decorated):
                assert outcome(f, x, **named) == outcome(changing, x, **named)
            changing.__defaults__, changing.__kwdefaults__ = defaults, by_name
            for _ in range(2):
                assert outcome(decorated, x, **named) == outcome(changing, x, **named)


def test_defaults_by_name_that_are_changed_in_place_count() -> None:
    plain = fresh(with_a_name)
    decorated = js.function(plain)
    assert decorated(X) == 20.0
    plain.__kwdefaults__["k"] = 5.0
    assert [decorated(X), decorated(X)] == [50.0] * 2
    plain.__kwdefaults__ = {"k": 7.0}
    assert [decorated(X), decorated(X, k=5.0), decorated(X)] == [70.0, 50.0, 70.0]
    del plain.__kwdefaults__["k"]
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'k'"):
        decorated(X)
    plain.__kwdefaults__["k"] = 2.0
    assert decorated(X) == 20.0


def test_a_function_that_is_changed_again_and_again_takes_what_it_takes_now() -> None:
    plain = fresh(with_none)
    decorated = js.function(plain)
    decorated(X)
    plain.__code__ = of_one.__code__
    headers = (of_one, of_two, of_many, renamed, with_none, with_a_name, of_two, of_many)
    calls: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
        ((X,), {}),
        ((X, X), {}),
        ((X, X, X), {"other": 1}),
        ((X,), {"k": 2.0}),
        ((X,), {"q": 2.0}),
        ((), {}),
    )
    decorated(X)
    for args, named in calls:
        for header in headers:
            plain.__code__ = header.__code__
            plain.__defaults__, plain.__kwdefaults__ = header.__defaults__, header.__kwdefaults__
            for _ in range(2):
                assert outcome(decorated, *args, **named) == outcome(header, *args, **named)


def test_defaults_are_read_as_those_of_the_function() -> None:
    for plain in (with_none, with_a_name, weighted, of_two, of_many):
        decorated = js.function(fresh(plain))
        for _ in range(2):
            positional, named = decorated.__defaults__, decorated.__kwdefaults__
            assert (positional, named) == (plain.__defaults__, plain.__kwdefaults__)
            assert repr((positional, named)) == repr((plain.__defaults__, plain.__kwdefaults__))
            assert [*(positional or ())] == [*(plain.__defaults__ or ())]
            assert {**(named or {})} == dict(named or {}) == (plain.__kwdefaults__ or {})
            assert inspect.getfullargspec(decorated) == inspect.getfullargspec(plain)
            assert inspect.signature(decorated, follow_wrapped=False) == inspect.signature(plain)
            outcome(decorated, X)


def test_a_default_of_the_decorated_function_itself_is_taken() -> None:
    decorated = js.function(fresh(with_none))
    decorated.__defaults__ = (5.0,)
    decorated.__kwdefaults__["m"] = 2.0
    for _ in range(3):
        assert decorated(X) == with_none(X, 5.0, m=2.0)
        assert (decorated.__defaults__, decorated.__kwdefaults__) == ((5.0,), {"m": 2.0})


def test_defaults_that_were_gone_are_put_back() -> None:
    for plain, positional, named in ((fresh(weighted), (7.0,), None), (fresh(with_a_name), None, {"k": 3.0})):
        decorated = js.function(plain)
        decorated(X)
        plain.__defaults__ = plain.__kwdefaults__ = None
        for _ in range(2):
            with pytest.raises(TypeError, match="missing 1 required"):
                decorated(X)
        plain.__defaults__, plain.__kwdefaults__ = positional, named
        assert decorated(X) == plain(X) == decorated(X)
