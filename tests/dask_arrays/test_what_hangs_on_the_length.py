"""What holds nothing of an array may hang on its length: counters, exceptions, arrays of ones, sizes.

And what may share memory: fresh eyes found wrong numbers in each of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
import pytest

import jitscope as js

V = np.arange(1.0, 18.0)
X = np.arange(84.0).reshape(12, 7) + 1
OUTSIDE = np.arange(17.0)
LENGTH = 17


def alternates(u):
    out, s = u.copy(), 1.0
    for i in range(len(u)):
        out[i] = u[i] * s
        s = -s
    return out


def first_flag(u):
    out, first = u.copy(), True
    for i in range(len(u)):
        if first:
            out[i] = 0.0
            first = False
        else:
            out[i] = u[i - 1]
    return out


def counts(u):
    n = 0
    for _ in u:
        n += 1
    return u * n


def adds_as_often(u):
    v = u.copy()
    for _ in range(len(u)):
        v += 1
    return v


def adds_to_one_place(u):
    out = np.zeros(3)
    for _ in range(len(u)):
        out[1] += 1
    return out, u


def half_as_often(u):
    v = u.copy()
    for _ in range(len(u) // 2):
        v = v * 2
    return v


def every_second(u):
    s = 0
    for _ in range(0, len(u), 2):
        s += 1
    return u * s


def leaves_after_some(u):
    out, k = u.copy(), 0
    for i in range(len(u)):
        out[i] = 0
        k += 1
        if k > 5:
            break
    return out


def change_places(u, v):
    out, a, b = u.copy(), u, v
    for i in range(len(u)):
        out[i] = a[i]
        a, b = b, a
    return out


def raises_by_length(u):
    if len(u) % 17:
        raise ValueError("no")
    return u * 2


def raises_by_the_sum(u):
    if u.sum() > 150:
        raise ValueError("too much")
    return u * 2


def raises_by_the_end(u):
    if u[-1] < 17:
        raise ValueError("no")
    return u * 2


def half(u):
    return np.zeros(len(u) // 2), u


def twice(u):
    return np.zeros(2 * len(u)), u


def square(u):
    return np.ones(len(u) ** 2), u


def strided(u):
    return np.zeros(len(u) - 1)[::2], u


def counted_up(u):
    return np.ones(len(u)).cumsum(), u


def summed_ones(u):
    return u * float(np.ones(len(u) // 2).sum())


def searched(u):
    return u + np.searchsorted(np.zeros(len(u)), 1.0)


def binned(u):
    return u * np.bincount(np.zeros(len(u), dtype=int))[0]


def shortened(u):
    return u * len(np.delete(np.ones(len(u)), 0))


def outside(u):
    return u * OUTSIDE


def by_a_number_outside(u):
    return u[: LENGTH - 1] - u[1:]


def real_part(u):
    z = u + 1j
    z.real[1:] = 0
    return z


def imaginary_part(u):
    z = u + 1j
    z.imag[:-1] = u[1:]
    return z


def reshaped_twice(u):
    a = u.copy()
    b = a.reshape(-1, 1).reshape(-1)
    a[1:] = u[:-1]
    return b * 1.0


def without_a_copy(u):
    a = u.copy()
    b = a.astype(float, copy=False)
    b[0] = b[1]
    return a * 1.0


def half_a_roll(u, v):
    b, a = np.roll(u, 1), np.empty_like(u)
    a[:1] = b[-1:]
    b[:1] = v[-1:]
    b[1:] = v[:-1]
    a[1:] = b[:-1]
    return a


REFUSED = (
    *(alternates, first_flag, counts, adds_as_often, adds_to_one_place, half_as_often, every_second),
    *(
        leaves_after_some,
        raises_by_length,
        raises_by_the_sum,
        raises_by_the_end,
        half,
        twice,
        square,
        strided,
    ),
    *(counted_up, summed_ones, searched, binned, shortened, outside, by_a_number_outside, real_part),
    *(imaginary_part, reshaped_twice, without_a_copy),
)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("chunk", [1, 5])
def test_it_is_refused(f: Callable[..., Any], chunk: int) -> None:
    with pytest.raises(js.JitscopeError):
        js.dask.map_blocks(f, da.from_array(V, chunks=chunk))


@pytest.mark.parametrize("f", [change_places, half_a_roll], ids=lambda f: f.__name__)
def test_it_is_refused_with_two_arrays(f: Callable[..., Any]) -> None:
    with pytest.raises(js.JitscopeError):
        js.dask.map_blocks(f, da.from_array(V, chunks=5), da.from_array(V * 3, chunks=5))


def test_steps_counted_by_an_axis() -> None:
    def spreads(u):
        v = u.copy()
        for _ in range(u.shape[1]):
            v[1:] = v[1:] + v[:-1]
        return v

    found = js.dask.map_blocks(spreads, da.from_array(X, chunks=(5, -1)))
    assert np.array_equal(found.compute(scheduler="synchronous"), js.function(spreads)(X))
    with pytest.raises(js.JitscopeError, match="along axis 1"):
        js.dask.map_blocks(spreads, da.from_array(X, chunks=(-1, 3)))


def unused_place(u):
    a = np.ones(len(u))
    a[3] = 5
    return u * 2


def ends_of_ones(u):
    a = np.ones(len(u))
    a[-1] += a[-2]
    return a


def one_of_ones(u):
    return u * np.ones(len(u))[5]


def unused_largest(u):
    u[1:-1].max()
    return u * 2


def unused_inner(u):
    u[1:-1][3]
    return np.zeros(len(u) - 2)


def the_same_twice(u):
    a = u * 2
    return a, a


def some_twice(u):
    a = u * 2
    return a, u[1:], a


SHORT_BLOCKS = (
    unused_place,
    ends_of_ones,
    one_of_ones,
    unused_largest,
    unused_inner,
    the_same_twice,
    some_twice,
)


@pytest.mark.parametrize("f", SHORT_BLOCKS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("chunks", [1, 5, (3, 9, 5)])
def test_blocks_have_the_places_that_are_named(f: Callable[..., Any], chunks: Any) -> None:
    wanted = f(V.copy())
    found = js.dask.map_blocks(f, da.from_array(V, chunks=(chunks,) if isinstance(chunks, tuple) else chunks))
    pairs = zip(found, wanted, strict=True) if isinstance(found, tuple) else [(found, wanted)]
    for blocks, whole in pairs:
        assert np.array_equal(blocks.compute(scheduler="synchronous"), whole)


def test_arguments_that_are_no_plain_arrays() -> None:
    def doubled(u):
        return u * 2

    def named(u, **options):
        return u * options.get("c", 1)

    x = da.from_array(V, chunks=5)
    with pytest.raises(TypeError, match="MaskedArrays, not plain NumPy arrays"):
        js.dask.map_blocks(doubled, da.ma.masked_array(x, mask=x > 3))
    with pytest.raises(TypeError, match="dtype >f8 are not compiled"):
        js.dask.map_blocks(doubled, x.astype(">f8"))
    with pytest.raises(TypeError, match="names its arguments"):
        js.dask.map_blocks(named, x, c=3)
