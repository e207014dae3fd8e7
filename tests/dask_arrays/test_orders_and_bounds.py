"""Loops that end early, bounds of slices, axes that go round, arrays in other shapes: each was wrong once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
import pytest

import jitscope as js

V = np.arange(1.0, 18.0)
X = np.arange(84.0).reshape(12, 7) + 1
TABLE = np.arange(40.0) * 3


def ends_at_once(u):
    out = u.copy()
    for i in range(len(u)):
        out[i] = 0
        break
    return out


def full_of_the_length(u):
    return u * np.full(3, len(u))[0]


def filled_with_the_length(u):
    return u, np.full(2, len(u))


def bound_from_data(u):
    k = int(u[0])
    return u * TABLE[k:][0]


def bound_from_the_length(u):
    return u * TABLE[len(u) // 2 :][0]


def last_of_half(u):
    return u * TABLE[: len(u) // 2][-1]


def written_from_half(u):
    w = np.zeros(20)
    w[len(u) // 2 :] = 1
    return u * w[5]


def bound_from_the_place(u):
    out = np.zeros(len(u))
    for i in range(len(u)):
        out[i] = TABLE[i // 2 :][0]
    return out


def last_of_a_half(u):
    z = np.zeros(len(u) // 2 + 1)
    z[-1] = 1
    return u * z[2]


def reads_round_before_it_writes(u):
    b, c = np.zeros_like(u), np.zeros_like(u)
    for i in range(len(u)):
        c[i] = b[i - 1]
        b[i] = u[i]
    return c


def reads_round_after_it_writes(u):
    b, c = np.zeros_like(u), np.zeros_like(u)
    for i in range(len(u)):
        b[i] = u[i]
        c[i] = b[(i + 1) % len(u)]
    return c


def round_a_part(u):
    v, out = u[1:], np.zeros(len(u) - 1)
    for i in range(len(u) - 1):
        out[i] = v[i - 1]
    return out


def round_what_is_shorter(u):
    v, out = np.roll(u, 1)[:-2], np.zeros(len(u))
    for i in range(len(u)):
        out[i] = v[i - 2]
    return out


def writes_round_a_part(u):
    out = np.zeros(len(u))
    w = out[1:]
    for i in range(len(u)):
        w[i - 1] = u[i]
    return out


def rolls_if(u, flag):
    out = np.zeros_like(u)
    if flag:
        out[:1] = u[-1:]
    out[1:] = u[:-1]
    return out


def in_another_shape(u):
    a = np.zeros((len(u), 3))
    a[:, 1] = 1
    return u * a.reshape(3, len(u))[1]


def below_a_clamp(u):
    out = np.zeros(len(u))
    for i in range(len(u)):
        out[i] = u[max(i - 1, 0) - 1]
    return out


def half_as_wide(u):
    return np.zeros((len(u), len(u) // 2))


def else_that_raises(u):
    out = np.zeros(len(u))
    for i in range(1, len(u)):
        for k in range(2):
            if u[i - k] > 4:
                out[i] = k + 1
                break
        else:
            raise ValueError("none")
    return out


def array_by_break(u):
    v = u
    for _ in range(len(u)):
        v = u * 2
        break
    return v


def unsorted(u):
    for i in range(1, len(u)):
        if u[i] < u[i - 1]:
            raise ValueError("not sorted")
    return u * 2


def raises_beside_an_end(u):
    for i in range(len(u)):
        if u[i] < 0:
            raise ValueError("negative")
    return u[0]


def jumps_round(u):
    for i in range(len(u)):
        if abs(u[i] - u[i - 1]) > 1.5:
            raise ValueError("jump")
    return np.roll(u, 1)


REFUSED = (
    *(ends_at_once, full_of_the_length, filled_with_the_length, bound_from_data, bound_from_the_length),
    *(last_of_half, written_from_half, bound_from_the_place, last_of_a_half, reads_round_before_it_writes),
    *(reads_round_after_it_writes, round_a_part, round_what_is_shorter, writes_round_a_part),
    *(in_another_shape, below_a_clamp, half_as_wide, else_that_raises, array_by_break, unsorted),
    *(raises_beside_an_end, jumps_round),
)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_it_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(js.JitscopeError):
        js.dask.map_blocks(f, da.from_array(V, chunks=5))


@pytest.mark.parametrize("flag", [True, False])
def test_rolls_under_a_condition(flag: bool) -> None:
    with pytest.raises(js.JitscopeError):
        js.dask.map_blocks(rolls_if, da.from_array(V, chunks=5), flag)


def test_arrays_that_change_places_unknown_times() -> None:
    def stale(u, w, t):
        a, b, c = u * 1, w * 1, w * 2
        for _ in range(int(t[0])):
            a, b = b, c
        c[1:] = u[:-1]
        return a * 1

    with pytest.raises(js.JitscopeError):
        js.dask.map_blocks(
            stale, da.from_array(V, chunks=5), da.from_array(V * 3, chunks=5), np.array([2.0, 1])
        )


def test_columns_by_the_rows() -> None:
    def half_of_the_columns(x):
        w = x * 1
        w[:, len(x) // 6 :] = 0
        return w

    with pytest.raises(js.JitscopeError):
        js.dask.map_blocks(half_of_the_columns, da.from_array(X, chunks=(5, 7)))


def test_else_that_never_ends() -> None:
    def found(u, t):
        s = 0.0
        for k in range(3):
            if t[k] > 0:
                s = t[k] * 2
                break
        else:
            raise ValueError("none")
        return u * s

    t = np.array([0.0, 1.0, 0.0])
    result = js.dask.map_blocks(found, da.from_array(V, chunks=5), t)
    assert np.array_equal(result.compute(scheduler="synchronous"), found(V, t))


def test_a_check_of_each_element() -> None:
    def checked(u):
        for i in range(len(u)):
            if u[i] < 0:
                raise ValueError("negative")
        return np.diff(u)

    result = js.dask.map_blocks(checked, da.from_array(V, chunks=5))
    assert np.array_equal(result.compute(scheduler="synchronous"), checked(V))
    result = js.dask.map_blocks(checked, da.from_array(V - 9, chunks=5))
    with pytest.raises(ValueError, match="negative"):
        result.compute(scheduler="synchronous")


def test_methods_of_two_objects_have_two_names() -> None:
    class Scale:
        def __init__(self, by: float) -> None:
            self.by = by

        def scaled(self, u):
            return u * self.by

    x = da.from_array(V, chunks=5)
    two, three = (js.dask.map_blocks(Scale(by).scaled, x) for by in (2.0, 3.0))
    assert two.name != three.name
    assert np.array_equal((three - two).compute(scheduler="synchronous"), V)


def test_arguments_by_position_alone() -> None:
    def scaled(u, /, k=2):
        return u * k

    with pytest.raises(TypeError, match="names its arguments"):
        js.dask.map_blocks(scaled, da.from_array(V, chunks=5))
