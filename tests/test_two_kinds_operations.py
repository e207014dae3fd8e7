"""Operations on numbers that are Python's on some paths and NumPy's on others: where the two differ."""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
import pytest
from same import compare, decorate

import jitscope as js

N = 3 * 2**26
"""Its square has 56 bits, more than a float holds; 128 times that are nearly all that 64 bits hold."""

NUMBERS = ((N, 2.0**53), (0, -0.0), (2**46, 2.5), (-(2**46), math.inf), (1, math.nan))

KINDS = {
    "int or np.int64": ("n", "a[i]"),
    "int of 63 bits or np.int64": ("n * n * 128", "a[i]"),
    "int of 56 bits or np.int64": ("n * n + 1", "a[i]"),
    "int of 54 bits or np.int64": ("n * 128 + 1", "a[i]"),
    "2**60 or np.float64": ("2**60", "x[i]"),
    "np.int64 or int": ("a[0]", "n"),
    "int or np.float64": ("n", "x[i]"),
    "float or np.float64": ("f", "x[i]"),
    "np.float64 or float": ("x[0]", "f"),
    "float or np.float32": ("0.0", "x32[i]"),
    "complex or np.complex128": ("(1.5 + 2j)", "z[i]"),
    "complex of the call or np.complex128": ("w", "z[i]"),
}
OPERATIONS = {
    "int or np.int64": (
        "s + n * n * 128",
        "s - n * n * 170",
        "s * (n * n)",
        "n * n * s",
        "s > f",
        "s > x32[0]",
        *("s % 7", "s // n", "s % (n - n)", "n // s", "s // -1", "s**2", "s**3", "(s + i) % 5"),
        *("s / n", "s / (n - n)", "s / f", "s / (n * n * 128)", "1.0 - s / (f - f)", "s / True"),
    ),
    "int of 63 bits or np.int64": (
        "s / n",
        "s + s",
        "s * s",
        "s - n",
        "-7 * s",
        "s / 3",
        "s // 7",
        "s % 1000",
    ),
    "int of 56 bits or np.int64": ("s == f * f", "f * f < s", "s < x[0]", "s > 0.5"),
    "int of 54 bits or np.int64": ("s / 3", "s / n", "3 / s", "s / 9007199254740993"),
    "2**60 or np.float64": ("s - (2**60 + 1)", "s / 3", "s < n"),
    "np.int64 or int": ("s + n * n * 128", "s * s", "s < f"),
    "int or np.float64": (
        *("s + 1", "s * (n * n)", "s < n * n + 1", "s == n * n + 1", "s * -7", "math.atan2(s * -7, -1.0)"),
        *("s - (n * 128 + 1)", "9007199254740993 + s", "s / (n * 128 + 1)", "s < a", "x32 < s"),
    ),
    "float or np.float64": (
        "s**2",
        "s**3",
        "2.0**s",
        "s**-1",
        "s / 0",
        "s / (n - n)",
        "s < n * n + 1",
        "1 / s",
        "s * n",
    ),
    "np.float64 or float": ("s / 0", "s < n * n + 1", "s < 3", "s / f"),
    "float or np.float32": ("s < 1e-60", "s < f", "s < 3", "s == x[0]", "s + f"),
    "complex or np.complex128": ("s + x[0]", "s * x[0]", "x[0] - s", "s == x[0]", "s == n * n + 1"),
    "complex of the call or np.complex128": ("s < w", "s < 3", "w >= s", "s == w"),
}
_LOOP = """
def f(x, a, x32, z, w, n, f, when):
    s = {first}
    r = 0
    for i in range(len(x)):
        if x[i] > when:
            s = {second}
        r = {operation}
    return r, s
"""
_STATE = """
def f(x, a, x32, z, w, n, f, when):
    s = {first}
    for i in range(len(x)):
        if x[i] > when:
            s = {second}
        s = {operation}
    return s
"""
_numbers = count()


def _made(text: str) -> Callable[..., Any]:
    name, space = f"<two kinds {next(_numbers)}>", {"js": js, "math": math, "np": np}
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    return space["f"]


def _calls(numbers: Sequence[tuple[int, float]] = NUMBERS) -> Iterator[tuple[Any, ...]]:
    x = np.arange(1.0, 6.0)
    for n, f in numbers:
        for when in (100.0, 2.5, 0.0):
            yield x, np.arange(7, 12), x.astype("float32"), x * 1j, 1.5 + 2j, n, f, when


CASES = [(kinds, operation) for kinds, operations in OPERATIONS.items() for operation in operations]


@pytest.mark.parametrize(("kinds", "operation"), CASES)
@pytest.mark.parametrize("form", [_LOOP, _STATE], ids=["used", "state"])
def test_each_kind_keeps_its_own_arithmetic(kinds: str, operation: str, form: str) -> None:
    first, second = KINDS[kinds]
    plain = _made(form.format(first=first, second=second, operation=operation))
    fast = decorate(plain)
    for args in _calls():
        compare(plain, fast, args, calls=1)


@pytest.mark.parametrize(("kinds", "operation"), CASES)
def test_outside_of_kernels_too(kinds: str, operation: str) -> None:
    first, second = KINDS[kinds]
    text = _LOOP.format(first=first, second=second, operation=operation).replace(
        "return r, s", "return r, s, q"
    )
    plain = _made(text.replace("r = 0\n", "r = 0\n    q = np.sin(x) * 2.0 + x\n"))
    scope = "r = 0\n    with js.jit_scope():\n        q = np.sin(x) * 2.0 + x\n"
    fast = js.function(_made(text.replace("r = 0\n", scope)), jit_level="off")
    for args in _calls(NUMBERS[:2]):
        compare(plain, fast, args, calls=1)


def test_an_int_of_54_bits_is_not_taken_for_its_float() -> None:
    def f(x: np.ndarray, n: int) -> object:
        s = n * n
        for i in range(len(x)):
            if x[i] > 9:
                s = x[i]
            s = s + 1
        return s

    fast = decorate(f)
    for n in (2**26, 94906265, 94906266):
        compare(f, fast, (np.ones(3), n))


def test_comparisons_never_start_a_call_again() -> None:
    def f(x: np.ndarray, n: int, s: float) -> object:
        print("once")
        for i in range(len(x)):
            if x[i] > 9:
                s = x[i]
        k = n * n
        low = 0
        for i in range(len(x)):
            if s < k + i:
                low += 1
            if x[i] > 9:
                k = np.int64(3)
        return low, k < 0.5, s < k

    fast = decorate(f)
    compare(f, fast, (np.ones(30), N, 2.5))
    compare(f, fast, (np.full(30, 10.0), N, 2.5))


def test_gradients_of_what_compares_large_ints() -> None:
    def f(x: np.ndarray, n: int, s: float) -> float:
        t = 0.0
        for i in range(len(x)):
            if x[i] > 9:
                s = x[i]
            if s < n * n:
                t = t + x[i] * x[i]
        return t

    assert js.grad(f)(np.arange(5.0), N, 2.5).tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]


def negative_zero(k):
    t = 0
    for i in range(len(k)):
        if k[i] > 2:
            t = -0.0
    return t, str(t), np.copysign(2.0, t), np.zeros(2) + t, 1 / np.float64(t or 1.0)


def whole_floats(k):
    t, u, w = 1, 2.0, True
    for i in range(len(k)):
        if k[i] > 2:
            t, u, w = 3.0, 4, 5
        if k[i] > 4:
            t = -1e19
    return t, u, w, t * u


@pytest.mark.usefixtures("driver_runs")
@pytest.mark.parametrize("function", [negative_zero, whole_floats])
def test_a_constant_of_another_kind_keeps_its_bits(function):
    decorated = decorate(function)
    for k in (np.arange(5), np.arange(2), np.arange(9)):
        found, wanted = decorated(k), function(k)
        assert repr(found) == repr(wanted)
