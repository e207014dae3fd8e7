"""Functions mapped over arrays in blocks give what they give for the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import blocked_programs as programs
import dask
import dask.array as da
import numpy as np
import pytest

import jitscope as js

CHUNKS = (7, 13, 29)


@pytest.fixture(autouse=True)
def _in_this_thread() -> Any:
    with dask.config.set(scheduler="synchronous"):
        yield


def copies(args: tuple[Any, ...]) -> list[Any]:
    return [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]


def in_blocks(args: tuple[Any, ...], chunks: tuple[int, ...]) -> list[Any]:
    """The arguments: arrays as large as the first one are cut."""
    shape = args[0].shape
    return [
        da.from_array(arg.copy(), chunks=chunks) if getattr(arg, "shape", None) == shape else arg
        for arg in args
    ]


def check(f: Callable[..., Any], args: tuple[Any, ...], chunks: tuple[int, ...]) -> None:
    wanted = js.function(f)(*copies(args))
    found = js.dask.map_blocks(f, *in_blocks(args, chunks))
    assert isinstance(found, tuple) == isinstance(wanted, tuple)
    pairs = zip(found, wanted, strict=True) if isinstance(found, tuple) else [(found, wanted)]
    for blocks, whole in pairs:
        result = blocks.compute()
        assert (blocks.shape, blocks.dtype) == (whole.shape, whole.dtype)
        assert result.dtype == whole.dtype
        assert np.array_equal(result, whole), f.__name__
        assert tuple(map(sum, blocks.chunks)) == whole.shape


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize(("f", "args"), programs.LOCAL, ids=lambda x: getattr(x, "__name__", ""))
def test_local_along_all_axes(f: Callable[..., Any], args: tuple[Any, ...], chunk: int) -> None:
    check(f, args, (chunk,) * args[0].ndim)
    check(f, args, (chunk, *(-1,) * (args[0].ndim - 1)))


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize(("f", "args"), programs.LOCAL_BY_ROWS, ids=lambda x: getattr(x, "__name__", ""))
def test_local_along_the_first_axis(f: Callable[..., Any], args: tuple[Any, ...], chunk: int) -> None:
    check(f, args, (chunk, -1))


@pytest.mark.parametrize(("f", "why"), programs.NOT_LOCAL, ids=lambda x: getattr(x, "__name__", ""))
def test_what_is_not_local_is_refused_with_the_reason(f: Callable[..., Any], why: str) -> None:
    with pytest.raises(js.JitscopeError) as caught:
        js.dask.map_blocks(f, da.from_array(programs.X, chunks=(13, -1)))
    text = str(caught.value)
    assert f"{f.__name__} isn't local along axis 0 of u" in text
    assert why in text
    assert "u.rechunk({0: -1})" in text
    assert "blocked_programs.py:" in text


def test_axes_that_are_not_cut_may_be_anything() -> None:
    def centred(u):
        out = np.sort(u, axis=1) - u.mean(axis=1, keepdims=True)
        return out, np.cumsum(u, axis=1), u.max(axis=1), np.argmin(u, axis=1)

    check(centred, (programs.X,), (13, -1))
    with pytest.raises(js.JitscopeError, match="isn't local along axis 1 of u"):
        js.dask.map_blocks(centred, da.from_array(programs.X, chunks=(13, 10)))


def test_results_of_one_end() -> None:
    def ends(u):
        return u[0] * 2, u[-1] - u[-2], u + 1.0, u[2, 3]

    check(ends, (programs.X,), (7, -1))


def test_blocks_get_the_halo_that_they_need_and_no_more() -> None:
    seen: list[tuple[int, ...]] = []

    def shifted(u):
        seen.append(u.shape)
        return u[2:] + u[:-2]

    with pytest.raises(js.JitscopeError):  # appends to a list: nobody can follow that
        js.dask.map_blocks(shifted, da.from_array(programs.V, chunks=20))

    def valid(u):
        return u[2:] + u[:-2]

    found = js.dask.map_blocks(valid, da.from_array(programs.V, chunks=20))
    assert found.chunks == ((20, 20, 18),)


def test_short_blocks_are_put_together() -> None:
    x = da.from_array(programs.X, chunks=((1, 30, 2, 1, 20, 5, 1), -1))
    found = js.dask.map_blocks(programs.sharpened, x, 0.5, 2)
    assert np.array_equal(found.compute(), js.function(programs.sharpened)(programs.X, 0.5, 2))
    short = np.arange(12.0).reshape(6, 2) ** 2
    found = js.dask.map_blocks(programs.steps, da.from_array(short, chunks=(3, 2)), 40)
    assert found.chunks == ((6,), (2,))
    assert np.array_equal(found.compute(), js.function(programs.steps)(short, 40))


def test_arguments_by_name_and_whole_ones() -> None:
    def scaled(u, *, by, table):
        return u * by + table.sum()

    x = da.from_array(programs.X, chunks=(13, 10))
    found = js.dask.map_blocks(scaled, x, table=np.arange(4.0), by=2)
    assert np.array_equal(found.compute(), programs.X * 2 + 6.0)


def test_a_halo_of_the_users() -> None:
    def opaque(u):
        out = u.copy()
        out[1:-1] = np.unwrap(u[:-2] * 8, axis=1) + u[2:]
        return out

    x = da.from_array(programs.X, chunks=(13, -1))
    with pytest.raises(js.JitscopeError, match="isn't local along axis 0"):
        js.dask.map_blocks(opaque, x)
    for halo in (1, {0: 1}, {0: (1, 1)}):
        found = js.dask.map_blocks(opaque, x, halo=halo)
        assert np.array_equal(found.compute(), opaque(programs.X))
    with pytest.raises(ValueError, match="a number of elements is needed"):
        js.dask.map_blocks(opaque, x, halo=-1)


def test_what_is_no_dask_array_and_what_is_none_of_ours() -> None:
    with pytest.raises(TypeError, match="no argument is a Dask array"):
        js.dask.map_blocks(programs.gradients, programs.X)
    with pytest.raises(TypeError, match="missing a required argument"):
        js.dask.map_blocks(programs.elementwise, da.ones((4, 4), chunks=2))
    unknown = da.from_array(programs.V, chunks=20)
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        js.dask.map_blocks(programs.neighbours, unknown[unknown > 0.5])


def test_equal_calls_have_equal_names() -> None:
    def scaled_by(k):
        def scaled(u):
            return u * k

        return scaled

    x = da.from_array(programs.X, chunks=(13, -1))
    names = [js.dask.map_blocks(scaled_by(k), x).name for k in (1.0, 1.0, 2.0)]
    assert names[0] == names[1] != names[2]


def test_products_hang_on_the_block() -> None:
    def product(u, w):
        return u @ w

    x = da.from_array(programs.X, chunks=(13, -1))
    found = js.dask.map_blocks(product, x, programs.Y.T.copy())
    np.testing.assert_allclose(found.compute(), programs.X @ programs.Y.T, rtol=1e-13)
