"""Rows and columns of a matrix, picked and written: ``K[np.ix_(i, j)] += k``, ``K[i[:, None], j]``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import compare, decorate

Array = Any


def of_lists(a: Array, rows: Array, columns: Array, k: Array) -> Any:
    for i, j in zip(rows, columns):
        dofs, others = [i, i + 1], [j, j - 1]
        a[np.ix_(dofs, others)] += k[:2, :2]
        a[np.ix_(others, others)] = 1
    return a


def of_arrays(a: Array, rows: Array, columns: Array, k: Array) -> Any:
    for q in range(3):
        a[np.ix_(rows + q, columns)] += k
        k = a[np.ix_(rows, columns)] * 0.5
    return k


def of_a_column_and_a_vector(a: Array, rows: Array, columns: Array, k: Array) -> Any:
    for q in range(3):
        a[rows[:, None] + q, columns] -= k
        k = k + a[rows[:, None], columns]
    return k


def numbers(a: Array, rows: Array, columns: Array, k: Array) -> Any:
    for q in range(3):
        a[rows[:, None], columns] = q
        a[np.ix_(rows, columns)] *= 2
    return a.sum()


def of_itself(a: Array, rows: Array, columns: Array, k: Array) -> Any:
    for _ in range(2):
        a[np.ix_(rows, columns)] = a[: len(rows), : len(columns)]
    return a


def of_another_shape(a: Array, rows: Array, columns: Array, k: Array) -> Any:
    for _ in range(2):
        a[np.ix_(rows, columns)] = k[0]
        a[np.ix_(rows, columns)] += k[:, :1]
    return a


PROGRAMS = [of_lists, of_arrays, of_a_column_and_a_vector, numbers, of_itself, of_another_shape]


def given(dtype: str = "f8", order: str = "C") -> tuple[Array, Array, Array, Array]:
    rng = np.random.default_rng(5)
    a = np.asarray((rng.random((9, 8)) * 9).astype(dtype), order=order)  # type: ignore[call-overload]
    return a, np.array([1, 5, 1, -2]), np.array([2, 7, -3, 2]), (rng.random((4, 4)) * 9).astype(dtype)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "c16"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_grids_are_those_of_numpy(program: Callable[..., Any], dtype: str, order: str) -> None:
    compare(program, decorate(program), given(dtype, order))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("wrong", ["row", "column", "both", "none"])
def test_places_that_are_not_there_raise_before_anything_is_written(
    program: Callable[..., Any], wrong: str
) -> None:
    decorated = decorate(program)
    compare(program, decorated, given())
    a, rows, columns, k = given()
    rows[2] = 99 if wrong in ("row", "both") else 3
    columns[1] = -42 if wrong in ("column", "both") else 3
    if wrong == "none":
        rows, columns, k = rows[:0], columns[:0], k[:0, :0]
    compare(program, decorated, (a, rows, columns, k))


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS[:5])
def test_their_loops_are_compiled(program: Callable[..., Any]) -> None:
    a, rows, columns, k = given()
    assert decorate(program).coverage(a, rows, columns, k).share > 0.9


def grid_of_one_array(a, rows, columns):
    total = 0.0
    for t in range(3):
        total += a[rows[:, None], columns].sum()
        a[rows[:, None], columns] += t
        a[np.ix_(rows, columns)] = t
    return total, a


def rows_and_columns(a, rows, columns):
    total = 0.0
    for t in range(len(rows)):
        total += a[rows[t], columns].sum()
        a[rows[t], columns] = 2.0
        a[columns, rows[t]] += 1.0
    return total, a


PLACES = [[], [1, 2], [5], [-7], [1, 1], [0, 9]]


@pytest.mark.parametrize("program", [grid_of_one_array, rows_and_columns])
@pytest.mark.parametrize("rows", PLACES)
@pytest.mark.parametrize("columns", PLACES)
def test_where_nothing_is_picked_numpy_looks_at_no_place(
    program: Callable[..., Any], rows: list[int], columns: list[int]
) -> None:
    a = np.arange(16.0).reshape(4, 4)
    compare(program, decorate(program), (a, np.array(rows, int), np.array(columns, int)))
