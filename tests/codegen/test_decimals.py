"""`round(x, digits)` of floats, against Python's."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from compiled import needs_compiler
from same import same

from jitscope.codegen.decimals import round_to
from jitscope.graph.ops.python_scalars import MOST_DIGITS

SPECIAL = [0.0, -0.0, math.nan, math.inf, -math.inf, 0.5, 1.5, 2.5, -0.5, 0.125, 2.675, 1e300, 5e-324]
SPECIAL += [2.0**52, 2.0**52 - 0.5, 2.0**51 + 0.25, -0.001, -1e-9]


@pytest.fixture(scope="module")
def rounded():
    @numba.njit
    def run(x, digits, out):
        for i in range(x.size):
            out[i] = round_to(x[i], digits)

    return run


def numbers(digits: int) -> np.ndarray:
    """Numbers of all sizes; halves and what is next to them; where the decimals become denser than floats."""
    rng = np.random.default_rng(digits)
    edge = 2.0**53 / 10.0**digits
    parts = [
        rng.uniform(-10, 10, 500),
        rng.normal(size=500) * 10 ** rng.uniform(-30, 20, 500),
        np.round(rng.uniform(-1000, 1000, 500), min(digits, 14)) + 0.5 * 10.0**-digits,
        (rng.integers(-(10**6), 10**6, 500) * 2 + 1) / 2.0 ** rng.integers(0, 30, 500),
        edge * (1 + np.arange(-100, 100) * 2.0**-52),
        edge * np.linspace(0.99999, 1.0001, 200),
        2.0 ** np.arange(-60, 60),
        np.array(SPECIAL),
    ]
    return np.concatenate(parts)


@needs_compiler
@pytest.mark.parametrize("digits", range(MOST_DIGITS + 1))
def test_it_is_pythons(rounded, digits):
    x = numbers(digits)
    out = np.empty_like(x)
    rounded(x, digits, out)
    expected = np.array([round(float(one), digits) for one in x])
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(np.signbit(out), np.signbit(expected))


def schedule(balance, rate, months):
    rows = []
    for k in range(months):
        interest = balance * rate
        balance -= 100.0 - interest
        rows.append((k + 1, round(interest, 2), round(balance, 2)))
    return rows


def kinds(x, count, digits):
    total = round(3 * count, 2) + round(count > 2, 1)
    for i in range(len(x)):
        total += round(x[i], 3) + round(float(x[i]), 1) + round(x[i] * 2) + round(i, 0) + round(2.675, 2)
    return total, round(x[0], 2), round(count / 7, digits), round(count / 7, -1)


def numpys(x):
    total, found = x[0] * 0, []
    for v in x:
        total += round(v, 2) + np.round(v, 3) - np.round(float(v), 1)
        found.append((round(v, 2), np.around(float(v), 1), round(v, -1), v.round(2)))
    return total, found


def test_programs():
    same(schedule, 20000.0, 0.004, 300)
    same(kinds, np.linspace(-3.0, 5.0, 40), 5, 2)
    same(kinds, np.linspace(-3.0, 5.0, 40), 5, 400)
    same(kinds, np.array([1.5]), 5, None)
    for dtype in ("float64", "float32", "int64", "float16"):
        same(numpys, (np.linspace(-3.0, 50.0, 300)).astype(dtype))
