"""Gradients of many operations in one function, compiled: kernels compute what the rules say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numeric_gradients import cotangent

import jitscope as js

RNG = np.random.default_rng(2)
POINTS = RNG.uniform(0.15, 0.85, (3, 4))
OTHERS = np.array([1.3, 1.0, 2.0, 1.35])  # the remainders in `two_operands` are far from their jumps


def one_operand(x):
    """Every compiled function of one operand."""
    total = (
        np.exp(x) + np.exp2(x) + np.expm1(x) + np.log(x) + np.log2(x) + np.log10(x) + np.log1p(x) + np.sqrt(x)
    )
    total = total + np.sin(x) + np.cos(x) + np.tan(x) + np.arctan(x) + np.sinh(x) + np.cosh(x) + np.tanh(x)
    total = (
        total
        + np.square(x)
        + np.reciprocal(x)
        + np.absolute(x - 0.5)
        + np.fabs(x - 2)
        + (-x)
        + x**3
        + x**-0.5
    )
    total = total + np.deg2rad(x) + np.rad2deg(x) / 60 + np.floor(x) + np.sign(x) + np.rint(x + 0.1)
    total = total + np.clip(x, 0.3, 0.6) + np.where(x > 0.5, x * x, -x) + np.copysign(x, -x)
    return (total * total).sum()


def two_operands(x, y):
    """Every compiled function of two operands, with broadcasting."""
    total = x + y - x * y + x / y + np.power(x, y) + x**y + np.maximum(x, y) + np.minimum(x, y)
    total = total + np.fmax(x, 0.5) + np.fmin(y, 0.5) + np.arctan2(x, y) + np.hypot(x, y) + np.remainder(x, y)
    total = total + np.fmod(x + 3, y) + np.float_power(x, y) + np.heaviside(x, y)
    return (total * total).mean()


def reductions(x, y):
    """Reductions over axes, products of arrays, and NumPy's own calls between them."""
    z = x.max(axis=0) * x.min(axis=1).sum() + x.prod(axis=0) + np.cumsum(x, axis=0)[1] + y
    return (x @ z).sum() + np.var(x, axis=1).sum() + x.std() + np.sort(x, axis=1)[:, 1].sum() + np.dot(y, z)


def numbers(x, y):
    """Python's numbers and functions of `math`."""
    total = math.sin(x) * math.exp(y) + math.log(x) + math.sqrt(x * y) + math.atan2(x, y) + math.hypot(x, y)
    total += math.tanh(x) + math.erf(y) + math.pow(x, y) + x**2 + x / y + abs(x - 2) + max(x, y) + min(x, y)
    total += float(np.float64(x) * 2) + (x if x > y else y) + x % y + math.floor(x) + round(x) + math.fabs(-y)
    return total * total


def complex_numbers(z):
    """Operations of complex numbers that end in a real one."""
    w = z * z + np.conjugate(z) / (z + 2) - z
    return (w.real * w.real + w.imag).sum() + np.abs(w).sum()


PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (one_operand, (POINTS,)),
    (one_operand, (POINTS.astype("f4"),)),
    (two_operands, (POINTS, OTHERS)),
    (two_operands, (POINTS.astype("f4"), OTHERS)),
    (reductions, (POINTS, OTHERS)),
    (numbers, (0.7, 0.3)),
    (complex_numbers, (POINTS + 1j * POINTS[::-1],)),
]


@pytest.mark.parametrize(
    ("function", "arguments"), PROGRAMS, ids=lambda value: getattr(value, "__name__", "at")
)
def test_compiled_gradients_are_what_differences_say(function: Any, arguments: tuple[Any, ...]):
    count = len(arguments)
    derived = js.grad(function, argnums=tuple(range(count)))
    found = derived(*arguments)
    wide = [np.asarray(a).astype(np.result_type(a, "f8"))[()] for a in arguments]
    single = any(np.asarray(a).dtype == np.float32 for a in arguments)
    for k in range(count):
        expected = cotangent(function, wide, [1.0], k)
        assert np.asarray(found[k]).dtype == np.asarray(arguments[k]).dtype
        scale = float(np.max(np.abs(expected)))
        limit = 1e-4 if single else 1e-8
        np.testing.assert_allclose(found[k], expected, rtol=limit, atol=limit * scale)
