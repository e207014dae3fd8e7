"""Copies of one part of an array to another part of it: NumPy's order where it reads what it has written."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from same import compare, decorate

import jitscope as js


def apart(x, m, i, j):
    s = 0.0
    for k in range(3):
        x[::2] = x[:4]
        x += k
        s += x.sum()
    return s


def later(x, m, i, j):
    s = 0.0
    for k in range(3):
        x[1::2] = x[2:5]
        x *= 1.5
        s += x.sum()
    return s


def by_names(x, m, i, j):
    first, second = x[:3], x[i : i + 6 : 2]
    s = 0.0
    for k in range(3):
        second[:] = first
        first += second * 0.5
        s += x.sum()
    return s


def backwards(x, m, i, j):
    down = x[::-1]
    for k in range(3):
        down[::2] = down[:4]
        x += k
    return x.sum()


def row_from_column(x, m, i, j):
    for k in range(3):
        m[i] = m[:, j]
        m[j] += 1.5 * k
    return m.sum()


def column_from_row(x, m, i, j):
    for k in range(3):
        m[:, i] = m[j]
        m[j] += 1.5 * k
    return m.sum()


def parts_of_rows_and_columns(x, m, i, j):
    for k in range(3):
        m[i, 1:] = m[:-1, j]
        m[j] += 1.5 * k
    return m.sum()


def columns_of_a_turned_one(x, m, i, j):
    t = m.T
    for k in range(3):
        t[i] = m[j]
        m[j] += 1.5 * k
    return m.sum()


def in_two_rows(x, m, i, j):
    for k in range(3):
        m[i, ::2] = m[i, : (m.shape[1] + 1) // 2]
        m[j] += 1.5 * k
    return m.sum()


def swapped(x, m, i, j):
    y = x * 2
    for k in range(4):
        x[::2] = y[:4]
        if k != i:
            x, y = y, x
        else:
            x = y
    return x.sum(), y.sum()


def copied_by_name(x, m, i, j):
    for k in range(3):
        np.copyto(x[::2], x[:4])
        x += k
    return x.sum()


ORDERED = [
    apart,
    later,
    by_names,
    backwards,
    row_from_column,
    column_from_row,
    parts_of_rows_and_columns,
    columns_of_a_turned_one,
    in_two_rows,
    swapped,
    copied_by_name,
]


@pytest.mark.parametrize("function", ORDERED)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_they_are_as_numpy_makes_them(function, dtype):
    decorated = decorate(function)
    for i, j in itertools.product((0, 1, 3, -1, -4), repeat=2):
        x, m = np.arange(1, 8).astype(dtype), np.arange(16).reshape(4, 4).astype(dtype)
        compare(function, decorated, (x, m, i, j))


def symmetric(m, n):
    for i in range(n):
        m[i, i:] = m[i:, i] * 1.0
        m[i] = m[:, i]
        m[i, i + 1 :] = m[i + 1 :, i]
        m[:i, i] = m[i, :i]
    return m.sum()


def shifted(m, n):
    s = 0.0
    for k in range(n):
        m[0, 1:] = m[0, :-1]
        m[:-1, 1] = m[1:, 1]
        m[0, ::-1] = m[0]
        m[1] = m[0]
        m[:, 0] = m[:, 2]
        m[0, ::2] = m[0, 1::2]
        m[0, :] = m[0, 2:3]
        m[1:] = m[:-1]
        m[::2] = m[:2]
        s += m.sum()
    return s


def decimated(m, n):
    for k in range(n):
        m[0, :2] = m[0, ::2]
        m[1:3, 1] = m[1::2, 1]
        m[:2, 2] = m[1::2, 2]
        m += k
    return m.sum()


@pytest.mark.parametrize(("function", "n"), [(symmetric, 4), (shifted, 100), (decimated, 100)])
def test_those_that_any_order_makes_are_compiled(function, n):
    decorated = decorate(function)
    matrix = np.random.default_rng(0).random((4, 4))
    compare(function, decorated, (matrix, n))
    assert decorated.coverage(matrix, n).share > 0.9


def test_explain_says_why_one_is_not_compiled():
    said = str(js.function(apart).explain(np.arange(7.0), np.eye(4), 0, 0))
    assert "may read what it has just written" in " ".join(said.split())


def stretched(x):
    y = x * 2.0
    y[::2] = y[:5]
    return (y * np.arange(9.0)).sum()


def stretched_again(x):
    y = x * 2.0
    for _ in range(3):
        np.copyto(y[::2], y[:5])
        y[1] = y[1] * y[4] * 0.1
    return (y * np.arange(9.0)).sum()


def row_is_column(x):
    m = np.outer(x, x)
    r = m[1]
    r[:] = m[:, 2]
    return (m * m * np.arange(9.0)).sum()


@pytest.mark.parametrize("function", [stretched, stretched_again, row_is_column])
def test_they_have_no_derivative(function):
    with pytest.raises(js.JitscopeError, match="may read what it has just written"):
        js.value_and_grad(function)(np.arange(9.0))


def shifted_twice(x):
    y = x * 2.0
    y[1:] = y[:-1]
    m = np.outer(y, x)
    m[2] = m[:, 2]
    m[:, 1] = m[:, 0]
    return (m * np.arange(9.0)).sum()


def halved(x):
    y = x * x
    y[:5] = y[::2]
    y[1:3] = y[2:6:2]
    return (y * np.arange(9.0)).sum()


@pytest.mark.parametrize("function", [shifted_twice, halved])
def test_those_that_any_order_makes_have_one(function):
    x, step = np.arange(1.0, 10.0), 1e-6
    _, found = js.value_and_grad(function)(x)
    for k in range(9):
        moved = np.eye(9)[k] * step
        expected = (function(x + moved) - function(x - moved)) / (2 * step)
        np.testing.assert_allclose(found[k], expected, rtol=1e-5)
