"""Functions that NumPy runs as they are, over blocks: windows, rolls, convolutions, tables, other axes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import jitscope as js

V = np.arange(41.0) ** 2 % 17
X = np.arange(300.0).reshape(30, 10) ** 2 % 23
WIDTHS = (1, 2, 3, 4, 12)


def convolved(u, width, mode):
    return np.convolve(u, np.arange(1.0, 13.0)[:width], mode)


def correlated(u, width, mode):
    return np.correlate(u, np.arange(1.0, 13.0)[:width], mode=mode)


def convolved_twice(u, width, mode):
    return np.convolve(np.convolve(u, np.arange(1.0, 13.0)[:width], mode), np.array([1.0, 0.5]), mode)


def convolved_differences(u, width, mode):
    return np.convolve(np.diff(u), np.arange(1.0, 13.0)[:width], mode)


def convolved_with_ends(u, width, mode):
    v = u.copy()
    v[0] = u[1] * 3
    v[-2] = u[-1]
    return np.convolve(v, np.arange(1.0, 13.0)[:width], mode)


def highest(u):
    return sliding_window_view(u, 4).max(axis=1)


def highest_with_ends(u):
    v = u.copy()
    v[0] = u[1] * 3
    v[-1] = u[-2]
    return sliding_window_view(v, 4).max(1)


def part_of_windows(u):
    v = np.diff(u)
    v[1] = u[3]
    v[-2] = u[-4]
    return sliding_window_view(v, 4)[1:, 1]


def windows_of_windows(u):
    return sliding_window_view(sliding_window_view(u, 3).sum(1), 2).min(1)


def windows(u):
    return sliding_window_view(u, 3)


def weighed_windows(u):
    return sliding_window_view(u, 3) @ np.array([1.0, 2.0, 3.0])


def medians(u):
    return np.median(sliding_window_view(u, 5), axis=-1)


def quartiles(u):
    return np.percentile(sliding_window_view(u, 5), [25, 75], axis=1)


def means_kept(u):
    return sliding_window_view(u, 3).mean(1, keepdims=True)


def in_a_loop(u):
    w = sliding_window_view(u, 5)
    out = np.zeros(len(w))
    for i in range(len(w)):
        out[i] = np.sort(w[i])[2]
    return out


def rolled(u):
    return np.roll(u, 2) - np.roll(u, -3) + np.roll(np.roll(u, 5), -1)


def rolled_by(u, k):
    return np.roll(u, k)


def by_tables(u):
    table = np.arange(3.0) * 4
    return np.digitize(u, table), np.interp(u, table, table * 2), np.searchsorted(table, u, side="right")


def selected(u):
    later, sooner = u[1:], u[:-1]
    return np.select([later < 3, sooner > 5], [later, sooner * 2], later + sooner), np.isin(later, [1, 4, 9])


def mantissas(u):
    return np.frexp(u)


def weighed(u):
    return np.einsum("i,j->ij", u, np.arange(3.0)), np.average(np.stack([u, u * 2]), axis=0)


LINES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *((f, ()) for f in (highest, highest_with_ends, part_of_windows, windows_of_windows, windows, medians)),
    *((f, ()) for f in (weighed_windows, quartiles, means_kept, in_a_loop, rolled, by_tables, selected)),
    *((f, ()) for f in (mantissas, weighed)),
    *((rolled_by, (k,)) for k in (0, 3, -7)),
]
CONVOLUTIONS = (convolved, correlated, convolved_twice, convolved_differences, convolved_with_ends)


def patches(u):
    return sliding_window_view(u, (3, 2)).max(axis=(2, 3))


def rolled_rows(u):
    return np.roll(u, (2, 1), (0, 1)) - np.roll(u, 3, axis=1)


def by_rows(u):
    return np.repeat(u, 2, axis=1), np.take(u, [0, 2], axis=1), np.einsum("ij,j->i", u, np.ones(u.shape[1]))


def ordered_rows(u):
    return np.sort(u, axis=1), np.percentile(u, 30, axis=1), np.cumsum(u, 1)


def same(actual: Any, wanted: Any) -> bool:
    pairs = zip(actual, wanted, strict=True) if isinstance(wanted, tuple) else [(actual, wanted)]
    found = [(one.compute(scheduler="synchronous"), one, other) for one, other in pairs]
    return all(
        np.array_equal(value, other) and value.shape == one.shape and value.dtype == one.dtype == other.dtype
        for value, one, other in found
    )


@pytest.mark.parametrize(("f", "more"), LINES, ids=[f"{f.__name__}{more or ''}" for f, more in LINES])
def test_along_the_axis(f: Callable[..., Any], more: tuple[Any, ...]) -> None:
    for chunks in (10, (1,) * 41, (9, 32)):
        assert same(js.dask.map_blocks(f, da.from_array(V, chunks=chunks), *more), f(V, *more)), chunks


@pytest.mark.parametrize("f", CONVOLUTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["valid", "same", "full"])
def test_convolutions(f: Callable[..., Any], mode: str) -> None:
    for width, chunks in itertools.product(WIDTHS, (10, (1,) * 41)):
        actual = js.dask.map_blocks(f, da.from_array(V, chunks=chunks), width, mode)
        assert same(actual, f(V, width, mode)), (width, chunks)


@pytest.mark.parametrize("f", [patches, rolled_rows], ids=lambda f: f.__name__)
def test_along_both_axes(f: Callable[..., Any]) -> None:
    for chunks in (5, (7, 10), (30, 3)):
        assert same(js.dask.map_blocks(f, da.from_array(X, chunks=chunks)), f(X)), chunks


@pytest.mark.parametrize("f", [by_rows, ordered_rows], ids=lambda f: f.__name__)
def test_along_the_other_axis(f: Callable[..., Any]) -> None:
    assert same(js.dask.map_blocks(f, da.from_array(X, chunks=(7, 10))), f(X))
    with pytest.raises(js.JitscopeError, match="isn't local along axis 1 of u"):
        js.dask.map_blocks(f, da.from_array(X, chunks=(30, 5)))


def written_behind_windows(u):
    v = u.copy()
    w = sliding_window_view(v, 3)
    v[:] = u * 2
    return w.sum(axis=1)


def its_own_table(u):
    return np.digitize(u, np.sort(u))


def all_products(u):
    return np.einsum("i,i->", u, u)


def each_with_each(u):
    return np.einsum("i,j->ij", u, u)


def its_own_kernel(u):
    return np.convolve(u, u[:3])


def rolled_with_an_end(u):
    v = u.copy()
    v[0] = 0
    return np.roll(v, 2)


def unwrapped(u):
    return np.unwrap(u)


def shortened(u):
    return np.delete(np.stack([u, u]), 1, axis=0)


REFUSED = {
    written_behind_windows: "changes what it has looked at",
    its_own_table: "may look at any place|orders elements along the axis",
    all_products: "adds up products along the axis",
    each_with_each: "joins each place of the axis with each",
    its_own_kernel: "may look at any place",
    rolled_with_an_end: "goes round, and something else doesn't",
    unwrapped: "may look at any place",
    shortened: "nobody knows how long a result is",
}


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_needs_the_whole_axis(f: Callable[..., Any]) -> None:
    with pytest.raises(js.JitscopeError, match=REFUSED[f]):
        js.dask.map_blocks(f, da.from_array(V, chunks=10))
