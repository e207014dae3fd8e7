"""Comprehensions over arrays: lists of NumPy's numbers, of tuples and of rows, made in compiled code."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import explanation, needs_compiler
from same import compare, decorate


def doubled(x, k):
    return [v * 2 for v in x]


def large_ones(x, k):
    return [v * 2 for v in x if v > 0.5]


def windows(x, k):
    return [x[i : i + k].mean() for i in range(len(x) - k)]


def as_array(x, k):
    return np.array([x[i : i + k].sum() for i in range(len(x) - k)])


def pairs(x, k):
    return [(i, x[i]) for i in range(len(x)) if x[i] > 0.5]


def rows(x, k):
    return [[i, i + k] for i in range(len(x)) if x[i] > 0.5]


def of_rows(x, k):
    return [row.sum() for row in x.reshape(-1, 2)]


def as_a_stack(x, k):
    stack = [(0, j) for j in range(len(x)) if x[j] > 0.5]
    s = 0
    while stack:
        i, j = stack.pop()
        s += i + j
        if i < k and x[j] > 0.75:
            stack.append((i + 1, j))
    return s


def longer_later(x, k):
    found = [v * 2 for v in x if v > 0.5]
    found.append(x[0])
    return found, len(found), found[0], found[-1]


def largest(x, k):
    found = [x[i : i + k].max() for i in range(0, len(x) - k, k)]
    return max(found), min(found), len(found)


def summed(x, k):
    s = 0.0
    for v in [v - 0.5 for v in x if v > 0.5]:
        s += v
    return s


def with_nan(x, k):
    found = [v / (v - v) for v in x[:3]]
    return len(found), found


def of_both_kinds(x, k):
    return [v if v > 0.5 else 0.0 for v in x]


def extended(x, k):
    found = []
    for i in range(len(x)):
        if x[i] > 0.5:
            found.extend([i, i + k])
    return found


def repeated(x, k):
    found = []
    for i in range(len(x)):
        found.extend([1.5] * (i - k))
    return found


def extended_by_itself(x, k):
    found = [1]
    for _ in range(k):
        found.extend(found)
    return found


PROGRAMS = [
    *(
        doubled,
        large_ones,
        windows,
        as_array,
        pairs,
        rows,
        of_rows,
        as_a_stack,
        longer_later,
        largest,
        summed,
    ),
    *(with_nan, of_both_kinds, extended, repeated, extended_by_itself),
]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_lists_are_pythons_own(program, dtype) -> None:
    fast = decorate(program)
    rng = np.random.default_rng(5)
    with np.errstate(all="ignore"):
        for size in (40, 8, 2, 0):
            compare(program, fast, ((rng.random(size) * 1.6).astype(dtype), 3))


@needs_compiler
@pytest.mark.parametrize(
    "program", [doubled, large_ones, windows, as_array, pairs, rows, of_rows, as_a_stack]
)
def test_they_are_made_in_compiled_code(program) -> None:
    fast = decorate(program)
    x = np.random.default_rng(5).random(400)
    fast(x, 3)
    assert "cluster_0" in explanation(fast, x, 3)
    assert "runs as Python" not in explanation(fast, x, 3)


def descent(x, k):
    w, b = [0.0] * 4, 0.0
    rows = x[: len(x) // 4 * 4].reshape(-1, 4)
    for _ in range(k):
        for i in range(len(rows)):
            p = b
            for j in range(4):
                p += w[j] * rows[i][j]
            for j in range(4):
                w[j] -= 0.05 * (p - 1.0) * rows[i][j]
            b -= 0.05 * (p - 1.0)
    return w, b


def some_of_numpys(x, k):
    found = [1.0 for _ in range(len(x))]
    for i in range(len(x)):
        if i % k == 0:
            found[i] = x[i] * 2
        elif i % k == 1:
            found[i] = 2.5
    return found


def counted_ints(x, k):
    found = [0] * k
    for v in (x * 40).astype(int):
        found[v % k] += v
    return found, found[0] + 1, len(found), np.array(found)


def large_ints(x, k):
    found = [k] * 3
    for i in range(2 * len(x)):
        found[i % 3] *= 7
        if i < len(x) and x[i] > 1.5:
            found[i % 3] = np.int64(3)
    return found


def read_back(x, k):
    found = [0.0] * k
    for i in range(len(x)):
        found[i % k] += x[i]
    s = 0.0
    for v in found:
        s += v
    return s, found[-1], found[k]


def with_other_uses(x, k):
    found = [0.0] * k
    for i in range(len(x)):
        found[i % k] += x[i]
    return sum(found), max(found), sorted(found), found + [1], x[0] in found if len(x) else None


def in_two_variables(x, k):
    found = [0.0] * k
    other = found if len(x) > k else [1.0] * k
    for i in range(min(len(x), k)):
        other[i] = x[i]
    return found, other


EITHER = [descent, some_of_numpys, counted_ints, large_ints, read_back, with_other_uses, in_two_variables]


@pytest.mark.parametrize("program", EITHER)
def test_lists_of_pythons_and_numpys_numbers(program) -> None:
    fast = decorate(program)
    rng = np.random.default_rng(6)
    for size in (40, 8, 2, 0):
        compare(program, fast, (rng.random(size) * 1.6, 3))
    compare(program, fast, (np.array([1.0, np.nan, 2.0, 3.0, -0.0]), 3))


@needs_compiler
@pytest.mark.parametrize("program", [descent, counted_ints])
def test_those_are_compiled_too(program) -> None:
    fast = decorate(program)
    x = np.random.default_rng(6).random(400)
    fast(x, 3)
    assert "runs as Python" not in explanation(fast, x, 3)


def sums_of_numbers(x, k):
    return [v.sum() for v in x], [v.max() for v in x], [v.sum() + k for v in x]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int32", "uint32", "int64", "bool", "float32", "complex64"]
)
def test_sums_of_one_number_have_the_dtype_of_sums(dtype) -> None:
    compare(sums_of_numbers, decorate(sums_of_numbers), (np.arange(9).astype(dtype), 3))
