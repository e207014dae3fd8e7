"""Functions of core axes, looped over the other axes of Dask arrays."""

from __future__ import annotations

from typing import Any

import blocked_programs as programs
import dask
import dask.array as da
import numpy as np
import pytest

import jitscope as js


@pytest.fixture(autouse=True)
def _in_this_thread() -> Any:
    with dask.config.set(scheduler="synchronous"):
        yield


def slope(x, y):
    dx = x - x.mean()
    return (dx * (y - y.mean())).sum() / (dx * dx).sum()


def counted(a, count):
    out = np.zeros(4, dtype=np.int64)
    for v in a:
        out[int(v * 4)] += count
    return out


def test_one_number_for_each_row() -> None:
    x, y = np.arange(41.0), da.from_array(programs.X, chunks=(13, 41))
    found = js.dask.apply_gufunc(slope, "(i),(i)->()", x, y)
    assert (found.shape, found.dtype) == ((60,), np.float64)
    np.testing.assert_allclose(found.compute(), [slope(x, row) for row in programs.X], rtol=1e-12)


def test_new_core_axes_and_their_sizes() -> None:
    found = js.dask.apply_gufunc(counted, "(i),()->(k)", da.from_array(programs.X, chunks=(13, 41)), 3)
    assert (found.shape, found.dtype) == ((60, 4), np.int64)
    assert np.array_equal(found.compute(), [counted(row, 3) for row in programs.X])


def test_several_results() -> None:
    def parts(a):
        return a.max(), (a > 0.5)

    most, large = js.dask.apply_gufunc(parts, "(i)->(),(i)", da.from_array(programs.X, chunks=(13, 41)))
    assert (most.dtype, large.dtype) == (np.float64, np.bool_)
    assert np.array_equal(most.compute(), programs.X.max(axis=1))
    assert np.array_equal(large.compute(), programs.X > 0.5)


def test_functions_that_loop_themselves() -> None:
    def scaled(a):
        return a / a.max(axis=-1, keepdims=True)

    x = da.from_array(programs.X, chunks=(13, 41))
    found = js.dask.apply_gufunc(scaled, "(i)->(i)", x, vectorize=False)
    assert np.array_equal(found.compute(), scaled(programs.X))


def test_core_axes_have_one_block() -> None:
    x = da.from_array(programs.X, chunks=(13, 10))
    with pytest.raises(ValueError, match="different chunksize"):
        js.dask.apply_gufunc(slope, "(i),(i)->()", np.arange(41.0), x)
    found = js.dask.apply_gufunc(slope, "(i),(i)->()", np.arange(41.0), x, allow_rechunk=True)
    assert found.shape == (60,)


def test_signatures_that_do_not_fit() -> None:
    x = da.from_array(programs.X, chunks=(13, 41))
    with pytest.raises(ValueError, match="has 2 arguments, 1 are given"):
        js.dask.apply_gufunc(slope, "(i),(i)->()", x)
    with pytest.raises(js.JitscopeError, match="doesn't return 2 arrays or numbers"):
        js.dask.apply_gufunc(slope, "(i),(i)->(),()", x, x)


def test_functions_without_a_graph() -> None:
    def evaluated(a):
        return eval("a + 1")

    x = da.from_array(programs.X, chunks=(13, 41))
    with pytest.raises(js.JitscopeError, match="has no graph") as caught:
        js.dask.apply_gufunc(evaluated, "(i)->(i)", x)
    assert "it uses `eval`" in str(caught.value)
    found = js.dask.apply_gufunc(evaluated, "(i)->(i)", x, output_dtypes=np.float64)
    assert np.array_equal(found.compute(), programs.X + 1)
