"""Loops that don't know how often they will run keep what they need as they run, in buffers that grow."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

import jitscope as js

X = np.array([0.3, -1.2, 0.8, 2.1, -0.4])


def many_tests(x, n: int):
    k = 0
    while k < n:
        x = np.sin(x) + 0.01 * x
        k += 1
    return x


def many_breaks(x, n: int):
    for k in range(10**6):
        x = np.cos(x) * 0.9
        if k >= n:
            break
    return x * x


def breaks_in_the_middle(x, n: int):
    s = 0.0
    for k in range(7, 10**6, 3):
        s = s + x[k % 5] * x[0]
        if k > n:
            s = s * 1.5
            break
        x = x * 0.99 + 0.001 * s
    return x * s


def backwards(x, n: int):
    y = x.copy()
    for k in range(n, -(10**6), -2):
        y[k % 5] = y[k % 5] * 0.9 + y[0] * x[k % 3]
        if k < 3:
            break
    return y


def memory_is_kept_whole(x, n: int):
    y = x.copy()
    k = 0
    while k < n:
        for i in range(1, len(y)):
            y[i] = y[i] * 0.9 + 0.1 * np.sin(y[i - 1])
        k += 1
    return y


def whiles_in_while(x, n: int):
    total, k = 0.0, 0
    while k < n:
        y, j = x * 1.0, 0
        while j < k:
            y = np.sin(y) * 1.1
            j += 1
        total = total + y.sum()
        x = x * 0.95
        k += 1
    return total * x


def whiles_in_for(x, n: int):
    s = 0.0
    for k in range(n):
        y = x * (1.0 + 0.01 * k)
        while np.abs(y).max() > 0.3:
            y = y * 0.9
            if y[0] > 5.0:
                break
        s = s + (y * y).sum()
    return s


def of_every_kind(x, n: int):
    flag, count, z = False, 0, 1.0 + 0.0j
    while count < n:
        if flag:
            x = x * 0.9
        else:
            x = x + 0.01 * np.sin(x)
        z = z * (0.9 + 0.1j)
        flag = not flag
        count += 1
    return x * abs(z)


def columns(x, n: int):
    m = np.outer(x, x + 1.0).T
    k = 0
    while k < n:
        m = (np.sin(m.T) + 0.1 * m).T
        k += 1
    return m


PROGRAMS = (
    many_tests,
    many_breaks,
    breaks_in_the_middle,
    backwards,
    memory_is_kept_whole,
    whiles_in_while,
    whiles_in_for,
    of_every_kind,
    columns,
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_more_iterations_than_places(function: Any, tmp_path: Path):
    for n in (0, 1, 16, 17, 40):
        check(function, (X, n), tmp_path)


@pytest.mark.parametrize("function", [many_tests, many_breaks, whiles_in_for], ids=lambda f: f.__name__)
def test_the_second_derivative_goes_through_what_is_kept(function: Any):
    def loss(x):
        return np.sum(function(x, 20) * x)

    def along(x):
        return np.sum(js.grad(loss)(x) * V)

    V = np.array([1.0, 0.5, -0.3, 0.2, 2.0])
    h = 1e-5
    wanted = (js.grad(loss)(X + h * V) - js.grad(loss)(X - h * V)) / (2 * h)
    np.testing.assert_allclose(js.grad(along)(X), wanted, rtol=1e-6, atol=1e-7)


def test_one_run_forward_counts_and_keeps():
    def settled(x, tol):
        gap = 1.0
        while gap > tol:
            y = np.cos(x)
            gap = np.abs(y - x).max()
            x = y
        return x.sum()

    text = js.to_code(js.value_and_grad(settled), X, 1e-9)
    assert text.count("np.cos(x)") == 1
    assert text.count("while ") == 1
    assert re.search(r"if count == kept_x.shape\[0\]:\n +kept_x = grown\(kept_x\)\n", text)
    assert set(re.findall(r"kept_\w+", text)) == {"kept_x"}


def test_a_loop_that_python_runs_keeps_as_well():
    seen: list[int] = []

    def asked(x, n):
        k = 0
        while k < n:
            x = np.sin(x) + 0.01 * x
            seen.append(k)
            k += 1
        return np.sum(x)

    value, gradient = js.value_and_grad(asked)(X, 40)
    assert seen == list(range(40))
    np.testing.assert_allclose(gradient, js.grad(lambda x: np.sum(many_tests(x, 40)))(X), rtol=1e-13)
    assert value == np.sum(many_tests(X, 40))


def settles(x, n):
    k = 0
    while k < n:
        x = np.sin(x) + 0.1 * k * x
        k += 1
    return np.sum(x)


def stops(x, n):
    for k in range(10**6):
        if k == n:
            break
        x = np.sin(x) + 0.1 * k * x
    return np.sum(x)


def stops_going_down(x, n):
    for k in range(10**6, 0, -3):
        if k + 3 * n <= 10**6:
            break
        if k % 2:
            continue
        x = np.sin(x) * 1.1
    else:
        x = x * math.nan
    return np.sum(x)


@pytest.mark.parametrize("function", [settles, stops, stops_going_down], ids=lambda f: f.__name__)
def test_checkpoints_of_loops_that_count_themselves(function: Any):
    few = js.checkpoint(function)
    for n in (0, 1, 2, 3, 7, 40, 150):
        assert few(X, n) == function(X, n)
        np.testing.assert_allclose(js.grad(few)(X, n), js.grad(function)(X, n), rtol=1e-13)


def quiet(x, n):
    return np.sum(many_tests(x, n))


def test_checkpoints_keep_two_square_roots_of_the_iterations():
    text = js.to_code(js.grad(js.checkpoint(quiet)), X, 500)
    scope: dict[str, Any] = {}
    exec(compile(re.sub(r"@njit\(.*?\)\n", "", text, flags=re.DOTALL), "module", "exec"), scope)
    longest: list[int] = []

    def grown(buffer: np.ndarray) -> np.ndarray:
        longest.append(len(buffer))
        return np.concatenate((buffer, np.empty_like(buffer)))

    scope["grown"] = grown
    found = scope["grad_checkpoint_quiet"](X, 500)
    np.testing.assert_allclose(found, js.grad(quiet)(X, 500), rtol=1e-12)
    assert max(longest) <= math.isqrt(2 * 500) + 2, "what is full has as many places as were needed"


def test_a_loop_whose_iterations_only_raise_had_none():
    def never(x, n):
        y = x * x
        for _ in range(n):
            y = y * 2.0
            raise ValueError("an iteration")
        while n > 0:
            y = y * 3.0
            raise ValueError("another")
        return np.sum(y)

    np.testing.assert_array_equal(js.grad(never)(X, 0), 2 * X)
    with pytest.raises(ValueError, match="an iteration"):
        js.grad(never)(X, 1)


def of_numbers(x: float, n: int):
    k = 0
    while k < n:
        x = x - 0.01 * x * x
        k += 1
    return x


def of_numbers_left(x: float, n: int):
    for k in range(3, 10**6):
        x = x - 0.01 * x * x * (1.0 + 0.001 * k)
        if k - 2 >= n:
            break
        x = x * 1.01
    return x


def of_numbers_going_down(x: float, n: int):
    s = 0.0
    for k in range(5000, -5000, -7):
        if k <= 5000 - 7 * n:
            break
        if k % 2:
            s = s + x * k * 1e-4
            continue
        x = x * 0.99 + 0.001 * x * x
        s = s + x
    return s * x


def of_numbers_to_the_end(x: float, n: int):
    for k in range(n):
        x = x * 1.01 - 0.02 * math.sin(x)
        if x > 1e9:
            break
    else:
        x = x * 3.0
    return x


def of_numbers_and_elements(x: float, n: int):
    y = np.array([1.0, 0.5, 0.25])
    k = 0
    while y[0] > 1e-3 and k < n:
        y[k % 3] = y[(k + 1) % 3] * 0.9 + 0.05 * x
        x = x * 0.98
        k += 1
    return y.sum() * x


def of_numbers_inside(x: float, n: int):
    total = 0.0
    for i in range(5):
        z, k = x * (1.0 + i), 0
        while k < n * i:
            z = z * 0.97 + 0.01 * math.cos(z)
            k += 1
        total += z
    return total


NUMBERS = (
    of_numbers,
    of_numbers_left,
    of_numbers_going_down,
    of_numbers_to_the_end,
    of_numbers_and_elements,
    of_numbers_inside,
)


@pytest.mark.parametrize("function", NUMBERS, ids=lambda f: f.__name__)
def test_loops_of_numbers_run_in_strips(function: Any):
    both = js.value_and_grad(function)
    for n in (0, 1, 15, 16, 17, 31, 32, 33, 200):
        value, gradient = both(0.7, n)
        assert value == pytest.approx(function(0.7, n), rel=1e-14)
        h = 1e-6
        slope = (function(0.7 + h, n) - function(0.7 - h, n)) / (2 * h)
        assert gradient == pytest.approx(slope, rel=1e-7, abs=1e-8), n
    assert "full" in js.to_code(both, 0.7, 40)
