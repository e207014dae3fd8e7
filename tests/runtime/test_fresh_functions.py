"""Functions that are made anew for each call are one helper; what one function keeps is bounded."""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

import numpy as np
import pytest
from fresh_functions import FRESH, START, figures, rk4

import jitscope as js


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """A bound that is reached soon."""
    monkeypatch.setattr("jitscope.runtime.function.MOST", 4)
    return 4


@pytest.mark.parametrize("kind", FRESH)
def test_one_specialisation_serves_all_of_a_kind(kind: str) -> None:
    decorated, make = js.function(rk4), FRESH[kind]
    for k in (0.5, 0.25, 2.0, 0.5):
        np.testing.assert_array_equal(decorated(make(k), START, 0.1, 5), rk4(make(k), START, 0.1, 5))
    assert len(decorated.specializations) == 1


def test_many_calls_leave_nothing() -> None:
    found = figures(FRESH["closure"], 300)
    assert found["specialisations"] == 1
    assert found["grown objects"] < 200


def test_other_types_in_a_cell_are_another_helper() -> None:
    decorated, make = js.function(rk4), FRESH["closure"]
    for k in (0.5, np.full(4, 0.5), 1j, 0.5):
        found, wanted = decorated(make(k), START, 0.1, 5), rk4(make(k), START, 0.1, 5)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
    with pytest.raises(TypeError, match="ufunc|sequence"):
        decorated(make("a"), START, 0.1, 5)


def decayed(f, y):
    for _ in range(10):
        y = y - 0.1 * f(y)
    return y


def with_text(k):
    text = "a" * k
    return lambda y: y * 2.0 + len(text)


def of_a_class(k):
    return type("Doubled", (), {"__call__": lambda self, y: y * 2.0})()


@pytest.mark.parametrize("make", [with_text, of_a_class])
def test_a_series_that_never_comes_again_is_not_compiled_for_each_call(make, monkeypatch) -> None:
    monkeypatch.setattr("jitscope.runtime.function.SERIES", 3)
    decorated = js.function(decayed)
    for k in range(20):
        f = make(k)
        np.testing.assert_array_equal(decorated(f, START), decayed(f, START))
    assert len(decorated.specializations) == 3


def test_what_comes_again_after_a_series_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jitscope.runtime.function.SERIES", 3)
    decorated = js.function(decayed)
    for k in range(6):
        decorated(with_text(k), START)
    kept = with_text(50)
    for _ in range(20):
        np.testing.assert_array_equal(decorated(kept, START), decayed(kept, START))
    assert len(decorated.specializations) == 4
    other = START.astype(np.float32)
    np.testing.assert_array_equal(decorated(kept, other), decayed(kept, other))
    assert len(decorated.specializations) == 5


def test_a_helper_without_source_that_is_made_for_each_call_costs_the_plain_call(monkeypatch) -> None:
    decorated, looked_at = js.function(decayed), []
    known = js.runtime.function.Function.request
    monkeypatch.setattr(
        "jitscope.runtime.function.Function.request",
        lambda self, values: looked_at.append(1) or known(self, values),
    )
    for k in range(1000):
        space: dict[str, Any] = {}
        exec(f"def f(y):\n    return y * {k % 50 + 0.5}", space)
        f = space["f"]
        np.testing.assert_array_equal(decorated(f, START), decayed(f, START))
    assert len(looked_at) < 150


def test_two_lambdas_of_a_line_are_two() -> None:
    decorated = js.function(rk4)
    for _ in range(3):
        for f in (lambda y: -y, lambda y: y * 2.0):
            np.testing.assert_array_equal(decorated(f, START, 0.1, 5), rk4(f, START, 0.1, 5))
    assert len(decorated.specializations) == 2


def test_partials_with_other_places_and_names_are_told_apart() -> None:
    def line(a, b, y):
        return a * y + b

    def at(f, y):
        s = 0.0
        for i in range(4):
            s += f(y=y + i)
        return s

    decorated = js.function(at)
    for f in (
        functools.partial(line, 1.0, 2.0),
        functools.partial(line, b=1.0, a=2.0),
        functools.partial(line, 3.0, b=2.0),
        functools.partial(functools.partial(line, 3.0), 5.0),
        functools.partial(line, 2.0, 1.0),
    ):
        assert decorated(f, 0.5) == at(f, 0.5)


def test_a_helper_with_other_globals_is_another() -> None:
    from types import FunctionType

    def at(f, n):
        s = 0.0
        for i in range(n):
            s += f(i)
        return s

    space: dict[str, Any] = {"K": 2.0}
    code = FRESH["lambda"].__code__
    exec(compile("def helper(x):\n    return x * K\n", __file__, "exec"), space)
    other = FunctionType(space["helper"].__code__, {"K": 5.0, "__builtins__": __builtins__})
    decorated = js.function(at)
    for f in (space["helper"], other, space["helper"]):
        assert decorated(f, 4) == at(f, 4)
    assert code is FRESH["lambda"].__code__


def test_what_is_kept_of_a_function_is_bounded(few: int) -> None:
    def of(x, name):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        return s if name else x

    decorated = js.function(of)
    state = decorated.__jitscope__
    for k in range(few + 5):
        assert decorated(START, f"name {k}") == 4.0
    assert len(decorated.specializations) == few
    assert sum(map(len, state.chains.values())) <= few


def test_verdicts_and_faults_are_bounded(few: int) -> None:
    def of(x, name):
        import math

        if x is None:
            raise ValueError(name)
        return math.floor(x), name

    decorated = js.function(of)
    state = decorated.__jitscope__
    for k in range(few + 5):
        assert decorated(1.5, f"name {k}") == (1, f"name {k}")
        with pytest.raises(ValueError, match="name"):
            decorated(None, f"name {k}")
    for kept in (state.plain_reasons, state.faulty_calls, state.specialisations, state.chains, state.doubts):
        assert len(kept) <= 2 * few


@pytest.mark.parametrize("values", [["a", "b"], ("a",), "ab", {0: "a"}], ids=lambda v: type(v).__name__)
def test_a_call_that_runs_plain_for_good_costs_few_calls_more(values: Any) -> None:
    space: dict[str, Any] = {}
    exec("def first_of(values, k): return values[0]", space)  # there is no source to read
    plain = js.function(space["first_of"])
    entered: list[str] = []

    def profile(frame: types.FrameType, event: str, _: Any) -> None:
        if event == "call":
            entered.append(frame.f_code.co_name)

    for _ in range(40):  # at the first, second, fourth ... 32nd call it is looked at
        plain(values, 2.0)
    sys.setprofile(profile)
    try:
        plain(values, 2.0)
    finally:
        sys.setprofile(None)
    assert entered[0] == entered[-1] == "first_of"
    assert len(entered) <= 4, entered
