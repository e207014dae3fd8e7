"""Lists of lists of tuples of numbers, from the caller: edges of a cell, pipes of a loop."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")
INTS = [[(0, 1), (1, -1), (2, 1)], [(2, -1), (3, 1), (4, -1)]] * 9
FLOATS = [[(0.5, 1.0), (k + 0.25, -1.0)] for k in range(12)]


def signed_sums(table):
    t = 0
    for row in table:
        s = 0
        for k, sign in row:
            s += k * sign
        t = max(t, abs(s))
    return t


def by_index(table):
    t = 0.0
    for i in range(len(table)):
        for j in range(len(table[i])):
            t += table[i][j][0] * table[i][j][1] + table[-1][0][1]
    return t, len(table), len(table[0])


def into_an_array(table, y):
    for k, row in enumerate(table):
        for x, w in row:
            y[k % len(y)] += x * w
    return y


def as_arrays(table):
    return np.array(table), np.array(table[0]).sum(), np.asarray(table).mean(axis=1)


def carried(table):
    last, n = table[0], 0
    for row in table:
        if row[0][0] > 1:
            last = row
        n += last[0][1] > 0
    return n


COMPILED = (signed_sums, by_index)


def appended(table):
    s = 0
    for row in table:
        row.append((1, s))
        s += len(row)
    return s, table[0][-1]


def replaced(table):
    for row in table:
        row[0] = (row[0][0] + 1, 2)
    table[1] = [(7, 7)]
    return table[0][0], table[1]


def found(table):
    n = 0
    for k in range(5):
        n += (k, 1) in table[0]
        n += [(k, 1)] in table
    return n, table.index(table[1]), sorted(table)[0], min(table)


def handed_out(table):
    s = 0
    for row in table:
        for k, w in row:
            s += k * w
    return s, table, table[0], table[1][0], table[1:3], table + table[:1]


def compared(table):
    return table == table[:], table[0] == table[2], table[0] is table[2], table < table[1:]


OTHERS = (carried, as_arrays, appended, replaced, found, handed_out, compared)
TABLES: dict[str, Any] = {
    "ints": INTS,
    "rows of their own": [[*row] for row in INTS],
    "floats": FLOATS,
    "rows of several lengths": [row[: 1 + k % 3] for k, row in enumerate(INTS)],
    "an empty row": [*INTS, []],
    "tuples of several lengths": [*INTS, [(1, 2, 3)] * 3],
    "threes": [[(1, 2, 3), (4, 5, 6)]] * 20,
    "ints and floats": [*INTS, [(1, 2.0)] * 3],
    "bools": [[(True, False)] * 2] * 20,
    "too large": [*INTS, [(2**70, 1)] * 3],
    "nan": [*FLOATS, [(math.nan, 1.0)] * 2],
    "lists for tuples": [[[1, 2], [3, 4]]] * 20,
    "NumPy's numbers": [[(np.int64(1), 2)] * 2] * 20,
    "few": INTS[:2],
    "none": [],
    "texts": [[("a", 1)] * 2] * 20,
}


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for values in (*TABLES.values(), TABLES["ints"]):
        compare(program, decorated, (copy.deepcopy(values),), tol=Tolerance(ulp=4))


def test_rows_that_are_others_of_the_call() -> None:
    def program(table, row, x):
        row.append((1, 1))
        for k, w in table[0]:
            x[k] += w
        return table[0][-1]

    decorated = decorate(program)
    for table in (INTS, FLOATS):
        rows = copy.deepcopy(table)
        compare(program, decorated, (rows, rows[0], np.zeros(9)))
        compare(program, decorated, (rows, [(2, 3)], np.zeros(9)))


def test_what_is_changed_between_calls() -> None:
    decorated, table = decorate(signed_sums), copy.deepcopy(INTS)
    for change in ((5, 5), (2, 2), (1.5, 2), (1, 2, 3)):
        assert decorated(table) == signed_sums(table)
        table[3][1] = change
        outcomes = []
        for call in (signed_sums, decorated):
            try:
                outcomes.append(call(table))
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]


def test_into_an_array() -> None:
    decorated = decorate(into_an_array)
    for table in TABLES.values():
        compare(into_an_array, decorated, (copy.deepcopy(table), np.zeros(5)), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
@pytest.mark.parametrize("table", ["ints", "floats"])
def test_they_are_compiled(program: Callable[..., Any], table: str) -> None:
    decorated = decorate(program, cache=False)
    decorated(TABLES[table])
    assert has_compiled_part(decorated)
