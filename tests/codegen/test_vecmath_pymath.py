"""Python's scalar arithmetic in compiled code: values, types, exceptions and messages are CPython's."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from jitscope.codegen import pymath
from jitscope.codegen.faults import Deoptimise

INTS = (
    0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    7,
    -7,
    10,
    62,
    63,
    64,
    2**31,
    2**53 + 1,
    2**62,
    2**63 - 1,
    -(2**63),
    123456789,
)
FLOATS = (
    *(
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3.0,
        -3.0,
        7.25,
        1e-300,
        5e-324,
        1e300,
        -1e300,
        1e19,
        2.0**63,
    ),
    *(709.9, 1e16, math.inf, -math.inf, math.nan, 0.1, -0.3, 170.5, 171.7, -170.5, 2.0**53 + 2),
)
INT_PAIRS = ("add", "sub", "mul", "lshift", "rshift", "floordiv", "mod", "pow")
FLOAT_ONES = [
    *("acos", "asin", "atan", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp"),
    *("expm1", "log", "log2", "log10", "log1p", "sqrt", "erf", "erfc", "fabs", "degrees", "radians"),
    *("gamma", "lgamma", "isnan", "isinf", "isfinite", "floor", "ceil", "trunc"),
    *(name for name in ("cbrt", "exp2") if hasattr(math, name)),
]
FLOAT_TWOS = ("pow", "fmod", "atan2", "copysign", "hypot")


def outcome(function: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The value with its bits and type, or the exception with its arguments."""
    try:
        value = function(*args)
    except (ArithmeticError, ValueError, Deoptimise) as error:
        return type(error), error.args
    if isinstance(value, complex) or (type(value) is int and not -(2**63) <= value < 2**63):
        return (Deoptimise,)
    return type(value), np.float64(value).tobytes() if isinstance(value, float) and value == value else str(
        value
    )


def compiled(function: Callable[..., Any], kinds: str) -> Callable[..., Any]:
    """`function` called from an `@njit` function with a given signature: "i" int64, "f" float64."""
    arguments = [{"i": numba.int64, "f": numba.float64}[k] for k in kinds]
    names = ", ".join("ab"[: len(kinds)])
    body = eval(f"lambda {names}: function({names})", {"function": function})
    return numba.njit(tuple(arguments), error_model="numpy")(body)  # type: ignore[no-any-return]


def check(function: Callable[..., Any], kinds: str, *values: tuple[Any, ...]) -> None:
    fast = compiled(function, kinds)
    for args in itertools.product(*values):
        expected, got = outcome(function, *args), outcome(fast, *args)
        if got[0] is Deoptimise and expected[0] is not Deoptimise:
            may = function.__name__ in ("py_div_int",) and max(map(abs, args)) > 2**53
            may = may or (function.__name__ == "py_pow_int" and args[1] < 0)
            may = may or expected == (OverflowError, ("complex exponentiation",))  # plain Python will say so
            assert may, (function.__name__, args, expected, got)
            continue
        assert got[: len(expected)] == expected, (function.__name__, args, expected, got)


@pytest.mark.parametrize("name", INT_PAIRS)
def test_integer_operators_are_exact_or_deoptimise(name: str) -> None:
    few = tuple(x for x in INTS if abs(x) <= 64) if name in ("lshift", "pow") else INTS
    check(getattr(pymath, f"py_{name}_int"), "ii", INTS, few)


@pytest.mark.parametrize("name", ["neg", "abs"])
def test_integer_signs(name: str) -> None:
    check(getattr(pymath, f"py_{name}_int"), "i", INTS)


@pytest.mark.parametrize("name", ["py_floordiv_float", "py_mod_float", "py_pow_float", "py_div"])
def test_float_operators(name: str) -> None:
    check(getattr(pymath, name), "ff", FLOATS, FLOATS)


def test_division_of_integers() -> None:
    check(pymath.py_div_int, "ii", INTS, INTS)


@pytest.mark.parametrize("name", ["py_int_from_float", "py_round"])
def test_floats_to_integers(name: str) -> None:
    check(getattr(pymath, name), "f", FLOATS)


@pytest.mark.parametrize("name", FLOAT_ONES)
def test_math_functions_of_one_float(name: str) -> None:
    rng = np.random.default_rng(0)
    more = (*rng.uniform(-3, 3, 200).tolist(), *rng.uniform(-300, 300, 200).tolist())
    check(getattr(pymath, f"math_{name}"), "f", (*FLOATS, *more))


@pytest.mark.parametrize("name", FLOAT_TWOS)
def test_math_functions_of_two_floats(name: str) -> None:
    rng = np.random.default_rng(0)
    more = (*FLOATS, *rng.uniform(-3, 3, 40).tolist())
    check(getattr(pymath, f"math_{name}"), "ff", more, more)


def test_integers_are_taken_where_floats_are_wanted() -> None:
    assert compiled(pymath.math_sqrt, "i")(9) == 3.0
    assert compiled(pymath.math_floor, "i")(9) == 9
    assert compiled(pymath.py_div, "if")(1, 4.0) == 0.25


def test_a_fault_inside_a_try_block_is_caught_there() -> None:
    @numba.njit
    def guarded(a: int, b: int) -> int:
        try:
            return pymath.py_floordiv_int(a, b)  # type: ignore[no-any-return]
        except Exception:
            return -1

    assert guarded(7, 2) == 3
    assert guarded(7, 0) == -1
