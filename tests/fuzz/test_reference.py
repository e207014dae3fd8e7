"""Derivatives by differences are those that are known, and leave no trace of the runs that they take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fuzz import reference as js
from fuzz.forms import Box, Duo

X = np.array([1.0, 2.0, 3.0])


def test_gradients_have_the_structure_and_types_of_the_argument() -> None:
    slopes = js.grad(lambda p: np.sum(p["a"].w ** 2) * p["b"][0])(
        {"a": Box(X, 1.0, []), "b": [2.0, None, "text"]}
    )
    np.testing.assert_allclose(slopes["a"].w, 4 * X)
    assert slopes["a"].b == 0.0
    assert slopes["b"][0] == pytest.approx(14.0)
    assert slopes["b"][1:] == [None, "text"]


def test_a_function_is_run_once_for_what_it_does() -> None:
    log: list[float] = []

    def loss(v: Any) -> Any:
        log.append(1.0)
        return np.sum(v * v) * len(log)

    np.testing.assert_allclose(js.grad(loss)(X), 2 * X)
    np.testing.assert_allclose(js.grad(loss)(X), 4 * X)
    assert log == [1.0, 1.0]


def test_a_rule_is_run_once_where_what_it_is_given_counts() -> None:
    calls: list[float] = []

    @js.custom_gradient
    def f(v: Any) -> Any:
        def rule(up: Any) -> Any:
            calls.append(up)
            return up * 5.0

        return v * v, rule

    np.testing.assert_allclose(js.grad(lambda v, w: f(np.sum(v)) + f(np.sum(w)))(X, X), 5.0)
    assert calls == [pytest.approx(1.0)]


def test_what_is_stopped_is_constant_for_second_derivatives_too() -> None:
    hessian = js.hessian(lambda v: np.sum(v * v * js.stop_gradient(v)))(X)
    np.testing.assert_allclose(hessian, np.diag(2 * X), atol=1e-6)


def test_rules_are_differentiated_in_second_derivatives() -> None:
    @js.custom_gradient
    def cube(v: Any) -> Any:
        return v**3, lambda up: up * v**2

    assert js.grad(js.grad(lambda v: cube(v)))(2.0) == pytest.approx(4.0)


def test_pullbacks_and_tangents() -> None:
    value, back = js.vjp(lambda p, k: Duo(p[0] * p[1], np.sum(p[0]) * k), [X, 2.0], 3)
    gradients = back(Duo(X, 1.0))
    np.testing.assert_allclose(gradients[0][0], 2 * X + 3)
    assert gradients[0][1] == pytest.approx(14.0)
    assert gradients[1] is None
    value, tangent = js.jvp(lambda p: {"a": p * p}, (X,), (np.ones(3),))
    np.testing.assert_allclose(tangent["a"], 2 * X)


def test_a_program_of_this_kind_is_checked(tmp_path: Any) -> None:
    from fuzz.check import check
    from fuzz.derivations import derivations

    path = tmp_path / "program.py"
    path.write_text(derivations(1).module)
    assert check(path, brief=True).gradient == "checked"
