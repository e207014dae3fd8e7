"""Reductions: NumPy's bits for sums, NumPy's NaN rule for maxima, in the forms that modules use."""

from __future__ import annotations

import re
from typing import Any

import numba
import numpy as np
import pytest

from jitscope.codegen.vecmath import (
    CHUNK,
    larger,
    maximum,
    pairwise_chunk,
    pairwise_merge,
    pairwise_sum,
    smaller,
)

LENGTHS = (*range(300), *range(300, 2001, 7), 2047, 2048, 2049, 4096, 9999, 65537, 100003)
DTYPES = ("f8", "f4", "c16", "c8")


def numbers(n: int, dtype: str) -> Any:
    rng = np.random.default_rng(n)
    values = rng.uniform(-1, 1, n)
    return (values + 1j * rng.uniform(-1, 1, n) if dtype.startswith("c") else values).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_of_contiguous_arrays_have_numpys_bits(dtype: str) -> None:
    total = numba.njit((numba.from_dtype(np.dtype(dtype))[::1],))(lambda a: pairwise_sum(a))
    for n in LENGTHS:
        a = numbers(n, dtype)
        assert a.dtype.type(total(a)).tobytes() == np.add.reduce(a).tobytes(), n


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("step", [2, -1, -3])
def test_sums_of_strided_arrays_have_numpys_bits(dtype: str, step: int) -> None:
    total = numba.njit((numba.from_dtype(np.dtype(dtype))[:],))(lambda a: pairwise_sum(a))
    for n in LENGTHS[::5]:
        a = numbers(n * abs(step), dtype)[::step]
        assert a.dtype.type(total(a)).tobytes() == np.add.reduce(a).tobytes(), n


def test_sums_of_the_first_numbers() -> None:
    total = numba.njit(lambda a, n: pairwise_sum(a, n))
    a = numbers(1000, "f8")
    assert [total(a, n) for n in (0, 5, 700)] == [np.add.reduce(a[:n]) for n in (0, 5, 700)]
    assert pairwise_sum(a, 700) == np.add.reduce(a[:700])


def test_signs_of_zero() -> None:
    total = numba.njit(lambda a: pairwise_sum(a))
    for n in (0, 1, 3, 30):
        a = np.full(n, -0.0)
        assert np.signbit(total(a)) == np.signbit(a.sum())


@numba.njit(error_model="numpy")
def row_sums(x: Any, y: Any, out: Any) -> None:
    n0, n1 = x.shape
    row = np.empty(n1)
    for i in range(n0):
        for j in range(n1):
            row[j] = x[i, j] * y[i, j]
        out[i] = pairwise_sum(row)


def test_fused_sums_over_the_last_axis() -> None:
    for shape in ((3, 5), (4, 129), (2, 3000), (0, 4), (4, 0)):
        x, y = np.random.default_rng(0).uniform(-1, 1, (2, *shape))
        out = np.empty(shape[0])
        row_sums(x, y, out)
        np.testing.assert_array_equal(out, (x * y).sum(axis=1))


def test_sums_over_other_axes_accumulate_in_order() -> None:
    """What the module's docstring says of NumPy; if this fails, NumPy has changed."""
    a = np.random.default_rng(0).uniform(-1, 1, (50, 7, 300))
    down = np.zeros((7, 300))
    for plane in a:
        down += plane
    np.testing.assert_array_equal(a.sum(axis=0), down)
    middle = np.zeros((50, 300))
    for k in range(7):
        middle += a[:, k]
    np.testing.assert_array_equal(a.sum(axis=1), middle)
    both = np.zeros(300)
    for row in a.reshape(350, 300):
        both += row
    np.testing.assert_array_equal(a.sum(axis=(0, 1)), both)
    outer = np.zeros(7)
    for plane in a:
        outer += [np.add.reduce(row) for row in plane]
    np.testing.assert_array_equal(a.sum(axis=(0, 2)), outer)
    np.testing.assert_array_equal(a.sum(axis=(1, 2)), [np.add.reduce(p.ravel()) for p in a])
    assert a.sum() == np.add.reduce(a.ravel())
    fortran = np.asfortranarray(a[0])
    assert fortran.sum() == np.add.reduce(fortran.ravel("K"))
    np.testing.assert_array_equal(fortran.sum(axis=0), [np.add.reduce(column) for column in fortran.T])


@numba.njit(error_model="numpy")
def dot_in_chunks(x: Any, y: Any) -> Any:
    n = x.shape[0]
    chunk, levels = np.empty(min(n, CHUNK)), np.empty(64)
    total = 0.0
    start = 0
    while start < n:
        size = pairwise_chunk(n, start)
        for k in range(size):
            chunk[k] = x[np.uint64(start + k)] * y[np.uint64(start + k)]
        total = pairwise_merge(levels, n, start, pairwise_sum(chunk, size))
        start += size
    return total


@pytest.mark.parametrize("n", [0, 1, 7, 128, 2048, 2049, 4095, 4096, 4104, 10000, 123457, 1000003])
def test_fused_sums_in_chunks(n: int) -> None:
    x, y = numbers(n, "f8"), numbers(n, "f8")[::-1].copy()
    assert dot_in_chunks(x, y) == (x * y).sum()


def test_the_walk_in_python_is_the_compiled_one() -> None:
    chunk = numba.njit(lambda n, start: pairwise_chunk(n, start))
    for n in (10, 2048, 2049, 100000, 123457):
        start = 0
        while start < n:
            assert chunk(n, start) == pairwise_chunk(n, start) > 0
            start += pairwise_chunk(n, start)
        assert start == n


@numba.njit("f8(f8[:, ::1], f8[:, ::1])", error_model="numpy")
def largest_difference(u: Any, v: Any) -> Any:
    m = -np.inf
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            m = maximum(m, abs(u[i, j] - v[i, j]))
    return m


@numba.njit("(f8[::1], f8[::1], f8[::1])", error_model="numpy")
def larger_ones(u: Any, v: Any, out: Any) -> Any:
    for i in range(out.shape[0]):
        out[i] = maximum(u[i], v[i])


@numba.njit("UniTuple(f8, 2)(f8[:, ::1], f8[:, ::1])", error_model="numpy")
def extremes(u: Any, v: Any) -> Any:
    low, high, bad = np.inf, -np.inf, False
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            x = u[i, j] - v[i, j]
            low, high = smaller(low, x), larger(high, x)
            bad |= x != x
    return (np.nan, np.nan) if bad else (low, high)


def test_maxima_of_expressions_and_nan() -> None:
    u, v = np.random.default_rng(0).uniform(-1, 1, (2, 37, 41))
    for _ in range(2):
        np.testing.assert_equal(largest_difference(u, v), np.abs(u - v).max())
        np.testing.assert_equal(extremes(u, v), ((u - v).min(), (u - v).max()))
        u[17, 5] = np.nan


@pytest.mark.parametrize("kernel", [larger_ones, extremes])
def test_maxima_are_vectorised(kernel: Any) -> None:
    (assembly,) = kernel.inspect_asm().values()
    if "xmm" in assembly:  # x86
        assert re.search(r"(max|cmp\w*)pd", assembly)
