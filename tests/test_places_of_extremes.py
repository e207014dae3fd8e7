"""Where the largest and smallest elements stand: the first of equal ones, the first NaN before all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

import jitscope as js

Array = np.ndarray


def flat(x):
    return np.argmax(x + x), np.argmin(x * 1)


def of_columns(x):
    return (x * 1).argmax(axis=0), (x + x).argmin(axis=0)


def of_rows(x):
    return (x * 1).argmax(axis=-1), (x + x).argmin(axis=-1)


def in_a_loop(x):
    s = 0
    for i in range(len(x)):
        s += int(np.argmax(x[i])) * 3 + int(np.argmin(x[i] * 1))
    return s


def of_sizes(x):
    return np.argmax(np.abs(x), axis=1, keepdims=True)


def given(dtype: str, shape: tuple[int, int], mode: str) -> Array:
    rng = np.random.default_rng(shape[0] * 7 + len(mode))
    x = rng.integers(0 if dtype[0] == "u" else -3, 4, shape).astype(dtype)
    if dtype[0] == "f" and mode != "plain":
        x[rng.random(shape) < 0.4] = {"nan": np.nan, "inf": -np.inf, "zero": -0.0}[mode]
        if mode == "nan" and shape[0] == 1:
            x[:] = np.nan
        if mode == "inf" and shape[0] == 1:
            x[:] = -np.inf
    return x


PROGRAMS = [flat, of_columns, of_rows, in_a_loop, of_sizes]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i2", "u1", "u8", "c16"])
def test_they_are_numpys(program: Callable[..., Any], dtype: str) -> None:
    decorated = decorate(program)
    for shape in ((1, 1), (1, 5), (4, 3), (2, 33), (65, 2)):
        for mode in ("plain", "nan", "inf", "zero") if dtype[0] == "f" else ("plain",):
            compare(program, decorated, (given(dtype, shape, mode),))
            compare(program, decorated, (np.asfortranarray(given(dtype, shape, mode)),))


def of_truths(x):
    return np.argmax(x > 0, axis=1), np.argmin(x > 0)


def test_truths_and_nothing() -> None:
    compare(of_truths, decorate(of_truths), (given("f8", (7, 5), "plain"),))
    for program in PROGRAMS:
        decorated = decorate(program)
        for shape in ((0, 3), (3, 0)):
            compare(program, decorated, (np.zeros(shape),))


def peaks(x):
    y = np.exp(-x * x)
    return y, np.argmax(y)


@needs_compiler
def test_the_search_goes_on_in_several_lanes() -> None:
    decorated = decorate(peaks)
    compare(peaks, decorated, (np.linspace(-2.0, 1.0, 50),), tol=Tolerance(ulp=4))
    assert has_compiled_part(decorated)
    text = js.to_code(decorated, np.linspace(-2.0, 1.0, 50), stage="module")
    assert "larger(" in text
    assert "min(" in text
