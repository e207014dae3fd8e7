"""Lists as indices, and lists that are made in loops: in gradients, and as they are."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from numeric_gradients import assert_close, gradient

import jitscope as js

Y = np.arange(12.0).reshape(3, 4) / 5.0 - 0.7
PLACES = [0, 2]


def picked(y):
    return np.sum(y[[2, 0, 1]] * y)


def picked_and_written(y):
    y[[0, 2]] *= 2.0
    y[:, [1, 3]] = y[:, [0, 0]] * y[1, 1]
    return np.sum(y * y)


def pairs(y):
    return np.sum(y[[0, 2], [1, 1]] * 3) * y[[0, 0], [1, 1]][1]


def masked(y):
    return np.sum(y[[True, False, True]] ** 2)


def named(y):
    places = [0, 2]
    places.append(1)
    return np.sum(y[places] * y)


def of_the_module(y):
    y[PLACES] += 1.0
    return np.sum(y[PLACES] * y[PLACES])


def by_ints(y, i: int = 1):
    return np.sum(y[[i, i - 1]] ** 2)


def nested_list(y):
    return np.sum(y[[[0, 1], [2, 2]]] ** 2)


def comprehension(y):
    return np.sum(np.array([np.sin(v) * 2.0 for v in y]) ** 2)


def comprehension_of_range(y):
    return np.prod(np.array([np.sum(y[k]) for k in range(len(y))]))


def appended(y):
    sums = []
    for row in y:
        sums.append(np.sum(row) ** 2)
    return sum(sums) * sums[0]


def appended_with_index(y):
    rows = []
    for k, row in enumerate(y):
        rows.append(row * k)
    return np.sum(np.stack(rows) ** 2)


def generated(y):
    return sum(np.sum(v) ** 2 for v in y) * max([np.sum(v) for v in y])


def entries(y):
    rows = {}
    for k in range(len(y)):
        rows[k] = y[k] * k
    return sum(np.sum(rows[k]) ** 2 for k in rows)


def multiplied_list(y):
    found = [0.0] * 3
    for k in range(3):
        found[k] = y[k, 0] * 2
    return found[0] + found[1] * found[2]


CASES: list[Any] = [
    picked,
    picked_and_written,
    pairs,
    masked,
    named,
    of_the_module,
    by_ints,
    nested_list,
    comprehension,
    comprehension_of_range,
    appended,
    appended_with_index,
    generated,
    entries,
    multiplied_list,
]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_gradients_are_differences(function: Any):
    mine, plain = Y.copy(), Y.copy()
    value, found = js.function(js.value_and_grad(function), jit_level="off")(mine)
    assert value == pytest.approx(function(plain), rel=1e-13)
    np.testing.assert_allclose(mine, plain, rtol=1e-13)
    assert_close(found, gradient(function, [Y], 0))


def test_other_sizes_are_other_traces():
    derived = js.function(js.grad(appended), jit_level="off")
    for rows in (3, 2, 5):
        y = np.arange(rows * 2.0).reshape(rows, 2)
        assert_close(derived(y), gradient(appended, [y], 0))


def test_a_list_of_the_module_may_change():
    derived = js.function(js.grad(of_the_module), jit_level="off")
    for places in ([0, 2], [1], [2, 1, 0]):
        PLACES[:] = places
        assert_close(derived(Y.copy()), gradient(of_the_module, [Y], 0))
    PLACES[:] = [0, 2]


def changed(y, n: int):
    filled = [0.0] * 3
    for k in range(n):
        filled[k] = y[k, 0] * 2
    joined = [1.0] + [2.0]
    for k in range(n):
        joined.append(y[k, 1])
    rest = joined[1:]
    rest.append(n)
    for k in range(n):
        rest[0] += y[k, 2]
    doubled = 2 * rest
    doubled[0] = y[0, 0]
    y[[0, n - 1]] += 1.0
    return filled, joined, rest, doubled, y[[n - 1, 0]], y[[[0], [1]], [[0, 1]]], y[[], 1]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_lists_are_pythons(n: int):
    ours = js.function(changed, jit_level="off")
    mine, plain = Y.copy(), Y.copy()
    found, expected = ours(mine, n), changed(plain, n)
    assert copy.deepcopy(found[:4]) == expected[:4]
    assert [type(v) for part in found[:4] for v in part] == [type(v) for part in expected[:4] for v in part]
    for a, b in zip(found[4:], expected[4:], strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(mine, plain)
    assert not any("plain Python" in line for line in str(ours.explain()).splitlines()[:2])


def test_indices_out_of_bounds_are_numpys():
    def taken(y, k: int):
        return y[[0, k]]

    ours = js.function(taken, jit_level="off")
    np.testing.assert_array_equal(ours(Y, 1), taken(Y, 1))
    with pytest.raises(IndexError) as mine:
        ours(Y, 7)
    with pytest.raises(IndexError) as plain:
        taken(Y, 7)
    assert str(mine.value) == str(plain.value)


def in_a_loop_that_is_left(y, s: float):
    a = 0.0
    for _ in range(3):
        parts = []
        for row in y:
            parts.append(np.sum(row * row) * s)
        a = a + sum(parts) * parts[0]
        if a > 2.0:
            break
    return np.sum(y * y) + a


@pytest.mark.parametrize("s", [0.1, 0.4, 2.0])
def test_loops_around_lists_may_be_left(s: float):
    found = js.function(js.grad(in_a_loop_that_is_left, (0, 1)), jit_level="off")(Y.copy(), s)
    for k, part in enumerate(found):
        assert_close(part, gradient(in_a_loop_that_is_left, [Y, s], k))
