"""Places that go round, writes to arguments, names and sizes: what was wrong once, and what users guess."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
import pytest

import jitscope as js

V = np.arange(1.0, 13.0)
U = np.arange(72.0).reshape(12, 6) % 11


def blocks(array: np.ndarray, chunks: Any = 4) -> Any:
    return da.from_array(array, chunks=chunks)


def mapped(f: Callable[..., Any], *args: Any, **options: Any) -> Any:
    return js.dask.map_blocks(f, *args, **options).compute(scheduler="synchronous")


def by_distance(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        j = (i + 1) % n
        out[i] = u[j] * (j - i)
    return out


def the_lower_one(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[min((i + 1) % n, i)]
    return out


def range_that_goes_round(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        for j in range(i, (i + 3) % n):
            out[i] += u[j]
    return out


def branch_on_the_next(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        j = (i + 1) % n
        if j > i:
            out[i] = u[j]
        else:
            out[i] = -u[j]
    return out


def slope_around(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        a, b = (i - 1) % n, (i + 1) % n
        out[i] = (u[b] - u[a]) / (b - a)
    return out


def where_it_turns(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        if (i + 1) % n != i + 1:
            out[i] = u[i]
    return out


def one_more_behind_the_turn(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[(i + 1) % n - 1]
    return out


def patched_then_moved(u):
    n = len(u)
    a = u.copy()
    a[0] = 5.0
    out = np.zeros(n)
    for i in range(n):
        out[i] = a[(i + 1) % n]
    return out


def last_one_by_minus_one(u):
    n = len(u)
    a = np.ones(n)
    a[-1] = 0.0
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[i] * a[i - 1]
    return out


def rolled_patched_moved(u):
    n = len(u)
    r = np.roll(u, 1)
    r[0] = 7
    out = np.zeros(n)
    for i in range(n):
        out[i] = r[(i + 1) % n]
    return out


def part_then_moved(u):
    n = len(u)
    a, out = np.zeros(n), np.zeros(n)
    for i in range(1, n):
        a[i] = u[i]
    for i in range(n):
        out[i] = a[(i + 1) % n]
    return out


ROUND = (
    by_distance,
    the_lower_one,
    range_that_goes_round,
    branch_on_the_next,
    slope_around,
    where_it_turns,
    one_more_behind_the_turn,
    patched_then_moved,
    last_one_by_minus_one,
    rolled_patched_moved,
    part_then_moved,
)


@pytest.mark.parametrize("f", ROUND, ids=lambda f: f.__name__)
def test_places_that_go_round_are_no_others(f: Callable[..., Any]) -> None:
    for chunks in (4, 1, (5, 7)):
        try:
            actual = mapped(f, blocks(V, chunks))
        except js.JitscopeError:
            continue
        assert np.array_equal(actual, f(V)), chunks
    assert np.array_equal(mapped(f, blocks(V, 12)), f(V))


def neighbours(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[(i + 1) % n] + 2 * u[i - 1] + u[(i - 2) % n]
    return out


def test_neighbours_that_go_round_are_followed() -> None:
    assert np.array_equal(mapped(neighbours, blocks(V)), neighbours(V))


def adds_one(u):
    u += 1
    return u


def clears_a_column(u, table):
    u[:, 0] = 0
    table[0] += 1
    return u.sum(axis=1) + table[0]


def test_writes_to_arguments_are_nobody_elses() -> None:
    ones = blocks(np.ones(6), 6)
    doubled = (ones + js.dask.map_blocks(adds_one, ones)).compute(scheduler="synchronous")
    assert doubled.tolist() == [3.0] * 6
    result = js.dask.map_blocks(adds_one, ones)
    for _ in range(3):
        assert result.compute(scheduler="synchronous").tolist() == [2.0] * 6
    assert ones.compute().tolist() == [1.0] * 6
    table, rows = np.zeros(2), blocks(U, (4, 6)).persist()
    cleared = js.dask.map_blocks(clears_a_column, blocks(U, (12, 6)), table)
    for _ in range(2):
        assert cleared.compute(scheduler="synchronous").tolist() == (U[:, 1:].sum(axis=1) + 1).tolist()
    assert table.tolist() == [0.0, 0.0]
    assert np.array_equal(rows.compute(), U)


KEPT = np.zeros(3)


def writes_to_a_global(u):
    KEPT[0] = 1.0
    return u + KEPT[0]


def test_globals_are_no_arguments() -> None:
    assert np.array_equal(mapped(writes_to_a_global, blocks(V, 12)), V + 1)
    assert KEPT[0] == 1.0


def by_n0(u, n0):
    return u * n0


def by_n1(u, n1):
    return u[:, 1:] * n1


def by_np(u, np_, lambda_):
    return u * np_ - lambda_


def test_names_of_arguments_are_those_of_nothing_else() -> None:
    rows = blocks(U, (4, 6))
    assert np.array_equal(mapped(by_n0, rows, 3), U * 3)
    assert np.array_equal(mapped(by_n0, rows, blocks(U, (6, 3))), U * U)
    result = js.dask.map_blocks(by_n1, rows, 2)
    assert result.chunks == ((4, 4, 4), (5,))
    assert np.array_equal(result.compute(scheduler="synchronous"), U[:, 1:] * 2)
    assert np.array_equal(mapped(by_np, rows, 2, rows), U)


def inner(u):
    out = np.zeros_like(u)
    out[1:-1] = u[2:] - u[:-2]
    return out


@pytest.mark.parametrize("halo", [{-1: 1}, {7: 1}, {"0": 1}, (1, 2, 3), -1, True, "1", {0: 1.5}, {0: "1"}])
def test_halos_that_are_none(halo: Any) -> None:
    with pytest.raises(ValueError, match="halo: "):
        js.dask.map_blocks(inner, blocks(V), halo=halo)


@pytest.mark.parametrize("halo", [1, (1, 1), [1, 2], np.int64(1), {0: 1}, {0: (1, 1)}, {0: np.int32(2)}])
def test_halos(halo: Any) -> None:
    assert np.array_equal(mapped(inner, blocks(V), halo=halo), inner(V))


def looks_only(u, v):
    seen = np.zeros(len(u))
    for i in range(len(u)):
        seen[i] = v[i]
    return u * 2.0


def test_what_is_looked_at_and_not_returned() -> None:
    both = blocks(V, ((4, 8),))
    assert np.array_equal(mapped(looks_only, both, both), V * 2)
    with pytest.raises(js.JitscopeError, match="places that only the run says"):
        js.dask.map_blocks(looks_only, blocks(V), blocks(np.arange(20.0), 5))


def of_short_ones(u):
    return u * 2 if len(u) < 23 else u * 3


def of_one_length(u):
    if len(u) == 23:
        return u * 2
    return u * 3


def behind_the_end(u):
    return u[100:]


@pytest.mark.parametrize("f", [of_short_ones, of_one_length, behind_the_end], ids=lambda f: f.__name__)
def test_axes_that_are_too_short_are_one_block(f: Callable[..., Any]) -> None:
    array = np.arange(23.0)
    for chunks in (5, 23):
        assert np.array_equal(mapped(f, blocks(array, chunks)), f(array))


def chosen(u):
    return u[u > 3], np.convolve(u, u[:3])


def test_one_block_may_give_arrays_of_any_length() -> None:
    for actual, wanted in zip(js.dask.map_blocks(chosen, blocks(V, 12)), chosen(V), strict=True):
        assert np.isnan(actual.shape[0])
        assert np.array_equal(actual.compute(scheduler="synchronous"), wanted)


WEIGHTS = np.arange(200.0)
WIDE = np.arange(60000.0).reshape(300, 200) % 7


def weighed(u):
    return u * WEIGHTS + np.arange(200) - np.linspace(0, 1, 200)


def in_pairs(u):
    return u[:, ::2] - u[:, 1::2], u.reshape(len(u), 100, 2).max(axis=2), u @ np.eye(200)[:, :3]


def test_constants_as_long_as_an_axis_that_is_not_cut() -> None:
    assert np.array_equal(mapped(weighed, blocks(WIDE, (64, 200))), weighed(WIDE))
    for actual, wanted in zip(
        js.dask.map_blocks(in_pairs, blocks(WIDE, (64, 200))), in_pairs(WIDE), strict=True
    ):
        assert np.array_equal(actual.compute(scheduler="synchronous"), wanted)


def test_a_block_of_one_place_is_put_to_its_neighbour() -> None:
    array = np.arange(84.0).reshape(12, 7)
    result = js.dask.map_blocks(lambda u: u.sum(axis=0), blocks(array, (12, 2)))
    assert result.chunks == ((2, 2, 3),)
    assert np.array_equal(result.compute(scheduler="synchronous"), array.sum(axis=0))


def twice(a):
    s = a.sum()
    return s, s


def in_a_tuple(a):
    return (a * 2,)


def as_many_as_the_data_say(a):
    return a[a > 2]


def test_gufuncs() -> None:
    rows = blocks(np.arange(12.0).reshape(4, 3) ** 2, (2, 3))
    steps = js.dask.apply_gufunc(lambda a: np.diff(a), "(i)->(k)", rows)
    assert np.array_equal(steps.compute(scheduler="synchronous"), np.diff(rows.compute()))
    for result in js.dask.apply_gufunc(twice, "(i)->(),()", rows):
        assert np.array_equal(result.compute(scheduler="synchronous"), rows.compute().sum(axis=1))
    for f, signature, said in (
        (in_a_tuple, "(i)->(i)", "returns a tuple"),
        (twice, "(i)->()", "doesn't return 1 arrays or numbers"),
        (as_many_as_the_data_say, "(i)->(k)", "nobody knows how long 'k'"),
    ):
        with pytest.raises(js.JitscopeError, match=said):
            js.dask.apply_gufunc(f, signature, rows)
    with pytest.raises(ValueError, match="is no signature"):
        js.dask.apply_gufunc(twice, "(i->(i)", rows)
