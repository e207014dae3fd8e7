"""The gradients of NumPy calls that run as they are: each function with a rule has cases here."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numeric_gradients import gradient
from numpy_cases import CASES, STEPS, VECTOR
from rule_cases import Case
from symbol_gradients import backwards, check_second, pullback

import jitscope as js
from jitscope.graph.gradients.numpy_rules import RULES
from jitscope.graph.trace.template import called_name


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{called_name(function)}-{k}")
        for function, cases in CASES.items()
        for k, case in enumerate(cases)
    ],
)
def test_rule_is_what_differences_say(case: Case):
    case.check()


# Not twice differentiable, or of cotangents that differences can't follow.
ONCE = ("np.linalg.pinv", "np.unwrap", "np.quantile", "np.percentile", "np.median")
TWICE = [
    pytest.param(cases[0], id=called_name(function))
    for function, cases in {**CASES}.items()
    if cases and function not in STEPS and called_name(function) not in ONCE
]


@pytest.mark.parametrize("case", TWICE)
def test_rules_consist_of_operations_with_rules(case: Case):
    """The second derivative is right, too."""
    floating = [k for k, value in enumerate(case.arguments) if np.asarray(value).dtype.kind in "fc"]
    check_second(case.function, case.arguments, floating[0])


@pytest.mark.parametrize("size", [1, 3])
def test_second_derivative_of_an_operand_that_is_one_element_only_at_run_time(size: int):
    """The Hessian of sum((a[m] + b)**3) by a, times a vector: 6 * sum(a[m] + b) * v or 6 * (a[m] + b) * v."""
    a, b = np.array([0.7, -1.1, 2.3, 0.2]), np.array([1.4, 0.3, -0.9])
    mask, v = np.arange(4) < size, np.array([0.5, 2.0, -1.0, 3.0])
    first = backwards(lambda a, m, b: ((a[m] + b) ** 3).sum(), 3, [0])
    (found,) = pullback(lambda a, m, b: first(a, m, b, 1.0), [a, mask, b], [v], [0])
    expected = np.zeros(4)
    expected[:size] = np.sum(6 * (a[:1] + b)) * v[0] if size == 1 else 6 * (a[:3] + b) * v[:3]
    np.testing.assert_allclose(found, expected)


CLIPPED = [
    lambda x, b: np.clip(x, b, None) * b,
    lambda x, b: np.clip(x, None, b) * b,
    lambda x, b: np.clip(x, a_max=b, a_min=None) * b,
    lambda x, b: np.clip(x, max=b) * b,
    lambda x, b: np.clip(x, min=b) * b,
    lambda x, b: np.clip(x, max=b, min=0.5) * b,
    lambda x, b: np.clip(x, 0.2, 0.8) * b,
    lambda x, b: np.clip(0.6, b, x) * b,
]


@pytest.mark.parametrize("x", [0.3, 1.6])
@pytest.mark.parametrize("function", CLIPPED)
def test_numbers_are_clipped(function, x):
    """By one bound, or two, by position or by name."""
    found = js.function(js.grad(function, argnums=(0, 1)), jit_level="off")(x, 0.9)
    expected = [gradient(function, (x, 0.9), k)[0] for k in (0, 1)]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def both_of_linspace(x, s):
    numbers, step = np.linspace(s, 2.0, 5, retstep=True)
    return x * numbers * step


UNKNOWN = False


PASSED_OVER = [
    (lambda x, s: np.pad(x, 2, constant_values=s), "(by its argument kwargs)"),
    (lambda x, s: np.pad(x, 2, constant_values=((1.0, s),)), "(by its argument kwargs)"),
    (lambda x, s: np.pad(x * s, 2, mode="reflect", reflect_type="odd"), "(reflect_type='odd')"),
    (lambda x, s: np.pad(x * s, 2, mode="symmetric", reflect_type="odd"), "(reflect_type='odd')"),
    (lambda x, s: np.unwrap(x, period=s), "(by its argument period)"),
    (lambda x, s: np.nan_to_num(x * 1j, nan=s).imag, "(of complex numbers, "),
    (both_of_linspace, "(of its result number 2)"),
    (lambda x, s: np.vander(x * s, 5, x[0] < 0), "(with increasing known only at run time)"),
    (lambda x, s: np.sum(x * s, axis=0, keepdims=UNKNOWN), "(with keepdims known only at run time)"),
    (lambda x, s: np.cross(np.outer(x[:2], s * x[:2]), x[:2]), "(along other axes, or in the plane)"),
]


@pytest.mark.parametrize(("function", "reason"), PASSED_OVER)
def test_what_a_rule_passes_over_is_refused(function, reason):
    """Arguments that it has no derivative for, and results whose cotangents it doesn't look at."""
    derivative = js.grad(js.function(lambda x, s: np.sum(function(x, s)), jit_level="off"), argnums=1)
    with pytest.raises(js.JitscopeError, match=re.escape(f"known in this form {reason}")):
        derivative(VECTOR, 0.7)


def rows_turned_in_place(x):
    m = np.outer(x, x)
    np.concatenate([m[1:], m[:1]], out=m)
    return np.sum(m * m)


def rows_exchanged_in_place(x):
    m = np.outer(x, x)
    np.stack([m[1], m[0]], out=m[:2])
    return np.sum(m * m)


@pytest.mark.parametrize("function", [rows_turned_in_place, rows_exchanged_in_place])
def test_parts_that_are_written_over_one_another_are_refused(function):
    """NumPy reads the second part when the first has been written, maybe to the same memory."""
    with pytest.raises(js.JitscopeError, match="writes to what it reads, one part after the other"):
        js.grad(js.function(function, jit_level="off"))(VECTOR)


@pytest.mark.parametrize("joined", [np.concatenate, np.stack])
def test_parts_that_are_written_elsewhere_are_not(joined):
    def function(x):
        first = x * x
        r = joined([first, x]) * 3.0
        joined([first, 2.0 * x], out=r)
        return np.sum(r * r)

    found = js.grad(js.function(function, jit_level="off"))(VECTOR)
    np.testing.assert_allclose(found, 4 * VECTOR**3 + 8 * VECTOR, rtol=1e-14)


def test_every_rule_has_a_case():
    tested = set(CASES)
    assert [called_name(f) for f, rule in RULES.items() if f not in tested] == []
