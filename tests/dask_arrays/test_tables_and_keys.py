"""What is broadcast against blocks, arrays shorter than a kernel, keys of functions that read globals."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import jitscope as js

V = np.arange(6.0)
ROWS = np.arange(12.0).reshape(6, 2)
LONG = np.random.default_rng(1).random((400, 9))


def blocks(array: np.ndarray, chunks: Any = 3) -> Any:
    return da.from_array(array, chunks=chunks)


def computed(array: Any) -> np.ndarray:
    found: np.ndarray = array.compute(scheduler="synchronous")
    return found


def check(f: Callable[..., Any], *args: Any, chunks: Any = 3) -> None:
    """Blocks give what the whole gives, as large as they say; or are refused."""
    wanted = f(*args)
    made = js.dask.map_blocks(f, blocks(args[0], chunks), *args[1:])
    actual = computed(made)
    assert np.array_equal(actual, wanted)
    assert actual.dtype == wanted.dtype == made.dtype
    assert np.isnan(made.shape).any() or made.shape == wanted.shape


def convolved(u, v, mode):
    return np.convolve(u, v, mode)


def correlated(u, v, mode):
    return np.correlate(u[:-1], v, mode)


@pytest.mark.parametrize("mode", ["same", "valid", "full"])
def test_kernels_longer_than_the_array(mode: str) -> None:
    for width in (5, 6, 7, 9):
        check(convolved, V, np.arange(1.0, width + 1), mode)
        check(correlated, V, np.arange(1.0, width + 1), mode)


def close(u, tolerance):
    return np.isclose(u, 2.0, rtol=0, atol=tolerance)


def close_to_each(u):
    return np.isclose(u[:, None], [1.0, 2.0, 3.0], rtol=np.array([1e-3, 1.0, 2.0]))


def in_rows(u):
    return np.where(u > 2, u, [[1.0], [2.0]])


def in_columns(u):
    return np.where(u[:, None] > 2, u[:, None], [1.0, 2.0, 3.0])


def selected(u):
    return np.select([u[:, None] > 2], [u[:, None]], default=[1.0, 2.0, 3.0])


def scaled(a):
    return np.einsum("ij,ij->ij", a, a[:, :1], optimize=True)


def weighed(a, weights):
    return np.average(a, axis=1, weights=weights)


def test_what_is_broadcast_is_no_table() -> None:
    tolerance = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 9.0])
    for chunks in (1, 3):
        check(close, V, tolerance, chunks=chunks)
        for f in (close_to_each, in_rows, in_columns, selected):
            check(f, V, chunks=chunks)
    check(scaled, ROWS, chunks=(3, 2))
    check(weighed, ROWS, np.array([1.0, 2.0]), chunks=(3, 2))


def polynomials(u, p):
    return np.polyval(p, u)


def where_others_are(a, mask):
    return np.sum(a, axis=1, where=mask)


def of_conditions_in_one_array(u):
    return np.select(np.stack([u > 3, u < 1]), [u, -u])


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (polynomials, (V, np.vstack([V, V]))),
        (where_others_are, (ROWS, ROWS > 3)),
        (weighed, (ROWS, ROWS + 1)),
        (of_conditions_in_one_array, (V,)),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_what_may_go_along_the_axis_in_a_call_is_refused(
    f: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    with pytest.raises(js.JitscopeError, match="may look at any place of the axis"):
        js.dask.map_blocks(f, blocks(args[0], 3 if args[0].ndim == 1 else (3, 2)), *args[1:])


def sums(b):
    return np.sum(b[:, 1:], axis=0, dtype=np.float32)


def means(b):
    return np.average(b[:, 1:], axis=0)


def plain_sums(b):
    return np.sum(b[:, 1:], axis=0)


@pytest.mark.parametrize("f", [sums, means, plain_sums], ids=lambda f: f.__name__)
def test_one_column_alone_is_added_up_in_another_order(f: Callable[..., Any]) -> None:
    for columns in ((4, 3, 2), (7, 2), (1,) * 9):
        check(f, LONG, chunks=(400, columns))


def wide_windows(u):
    return sliding_window_view(u, 70).max(axis=1)


def test_windows_as_long_as_examples_are() -> None:
    check(wide_windows, np.arange(1000.0) % 13, chunks=300)


MODULE = """\
K = 2.0


class Base:
    __slots__ = ("k", "__hidden")

    def __init__(self, k):
        self.k = k
        self.__hidden = k + 1

    def hidden(self, u):
        return u * self.__hidden


class Scale(Base):
    def scaled(self, u):
        return u * self.k


def by_a_global(u):
    return u * K
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "scaling_by_state.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("scaling_by_state")
    sys.modules.pop("scaling_by_state")


def test_keys_tell_what_functions_read(module: Any) -> None:
    x = blocks(V)
    for name in ("scaled", "hidden"):
        one, other = (js.dask.map_blocks(getattr(module.Scale(k), name), x) for k in (2.0, 3.0))
        assert np.array_equal(computed(other - one), V)
    before = js.dask.map_blocks(module.by_a_global, x).persist(scheduler="synchronous")
    module.K = 5.0
    assert np.array_equal(computed(js.dask.map_blocks(module.by_a_global, x) - before), 3 * V)
    module.K = 1j
    assert js.dask.map_blocks(module.by_a_global, x).dtype == complex


def rolled_by_all(u, factors):
    for factor in factors:
        u = np.roll(u, 1) * factor
    return u


def added(u, table):
    return u + table[0]


def test_arguments_are_those_of_the_call() -> None:
    factors, table = [1.0], np.zeros(2)
    rolled = js.dask.map_blocks(rolled_by_all, blocks(V), factors)
    more = js.dask.map_blocks(added, blocks(V), table)
    factors.append(2.0)
    table += 1
    assert np.array_equal(computed(rolled), rolled_by_all(V, [1.0]))
    assert np.array_equal(computed(more), V)
