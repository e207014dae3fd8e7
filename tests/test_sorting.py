"""Sorting in compiled code: NumPy's answer, bit for bit, whatever stands in the array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part
from same import compare, decorate

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint64", "float32", "float64", "complex128")
SIZES = (0, 1, 2, 3, 16, 17, 64, 129, 300)


def numbers(dtype: str, *shape: int, seed: int = 0) -> np.ndarray:
    """Many equal ones, zeros of both signs and, of floats, NaN."""
    rng = np.random.default_rng(seed)
    is_whole = np.dtype(dtype).kind in "iub"
    made = (rng.integers(-9, 9, shape) if is_whole else np.round(rng.normal(size=shape), 1)).astype(dtype)
    if made.dtype.kind == "f":
        made[rng.random(shape) < 0.1] = np.nan
        made[rng.random(shape) < 0.2] *= 0.0
    if made.dtype.kind == "c":
        made = made + 1j * np.round(rng.normal(size=shape), 1)
    return made


def sorts_rows(m: np.ndarray) -> np.ndarray:
    out = np.empty_like(m)
    for i in range(m.shape[0]):
        out[i] = np.sort(m[i] + m[0])
    return out


def sorts_a_matrix(m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.sort(m + m) * 2, np.argsort(m * m) + 1


def sorts_columns(m: np.ndarray) -> np.ndarray:
    out = np.zeros(m.shape[::-1], m.dtype)
    for j in range(m.shape[1]):
        out[j, :] = np.sort(m[:, j])
        out[j, :] += out[j, ::-1]
    return out


def orders(m: np.ndarray) -> tuple[np.ndarray, Any]:
    out = np.zeros(m.shape, np.int64)
    total = m.dtype.type(0)
    for i in range(m.shape[0]):
        order = np.argsort(m[i])
        out[i] = order
        for k in order[:3]:
            total = total + m[i, k]
    return out, total


def orders_backwards(m: np.ndarray) -> np.ndarray:
    out = np.zeros(m.shape[1], np.int64)
    for i in range(m.shape[0]):
        out = out + m[i, ::-1].argsort()
        out = out * 2 + np.argsort(m[i])[::-1]
    return out


def sorts_in_place(m: np.ndarray) -> np.ndarray:
    kept = m[0] + m[0]
    for i in range(m.shape[0]):
        m[i].sort()
        kept.sort()
        kept = kept + m[i]
    return kept


def sorts_itself(v: np.ndarray, n: int) -> np.ndarray:
    for _ in range(n):
        v[:] = np.sort(v)
        v[::2] = np.sort(v[::2])[::-1]
    return v


def medians(m: np.ndarray) -> np.ndarray:
    out = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        out[i] = np.median(m[i]) + np.median(m[i, 1:])
    return out


def unique_counts(m: np.ndarray) -> tuple[np.ndarray, int]:
    out, count = np.zeros(m.shape[0], np.int64), 0
    for i in range(m.shape[0]):
        found = np.unique(m[i])
        out[i] = found.sum()
        count += len(found)
    return out, count


def loops_over_classes(y: np.ndarray, x: np.ndarray, n: int) -> float:
    total = 0.0
    for i in range(n):
        for c in np.unique(y):
            total += x[y == c].sum() * (i + 1)
    return total


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "function", [sorts_rows, sorts_a_matrix, sorts_columns, orders, orders_backwards, sorts_in_place]
)
def test_sorted_rows_are_numpys(function: Callable[..., Any], dtype: str) -> None:
    decorated = decorate(function)
    for seed, size in enumerate(SIZES):
        compare(function, decorated, (numbers(dtype, 4, size, seed=seed),))
    assert has_compiled_part(decorated)


@pytest.mark.parametrize("layout", ["C", "F", "backwards", "every other"])
def test_however_the_array_lies(layout: str) -> None:
    m = numbers("float64", 6, 40)
    m = {"C": m, "F": np.asfortranarray(m), "backwards": m[::-1, ::-1], "every other": m[::2, ::3]}[layout]
    for function in (sorts_rows, sorts_a_matrix, sorts_columns, orders, sorts_in_place):
        compare(function, decorate(function), (m,))


def test_an_array_that_is_sorted_itself() -> None:
    decorated = decorate(sorts_itself)
    for size in (1, 2, 51):
        compare(sorts_itself, decorated, (numbers("float64", size), 3))
    assert has_compiled_part(decorated)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
def test_medians(dtype: str) -> None:
    decorated = decorate(medians)
    for seed, size in enumerate((2, 3, 16, 17, 300)):
        compare(medians, decorated, (numbers(dtype, 5, size, seed=seed),))
    clean = np.abs(np.nan_to_num(numbers(dtype, 5, 20)))
    compare(medians, decorated, (clean,))
    assert has_compiled_part(decorated)


@pytest.mark.parametrize("dtype", ["int64", "int8", "int16"])
def test_unique_ints(dtype: str) -> None:
    decorated = decorate(unique_counts)
    for seed, size in enumerate(SIZES):
        compare(unique_counts, decorated, (numbers(dtype, 5, size, seed=seed),))
    assert has_compiled_part(decorated)


def test_a_loop_over_unique_ints() -> None:
    y, x = numbers("int64", 50), numbers("float64", 50)
    compare(loops_over_classes, decorate(loops_over_classes), (y, np.nan_to_num(x), 4))


def means(m: np.ndarray) -> np.ndarray:
    out = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        out[i] = m[i].mean() + np.mean(m[i, ::3]) * m[i:].mean()
    return out


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", "bool"])
@pytest.mark.parametrize("size", [1, 5, 8191, 8193, 30000])
def test_means_of_large_ints(dtype: str, size: int) -> None:
    m = np.random.default_rng(size).integers(0, 2**62, (4, size)) // 3
    decorated = decorate(means)
    compare(means, decorated, (m.astype(dtype),))
    assert has_compiled_part(decorated)
