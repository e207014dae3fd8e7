"""Writes through masks of an array's own shape: plain against decorated, compiled where all is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same

X = np.linspace(-2.0, 2.0, 12)
TABLE = X.reshape(3, 4)
INTS = np.arange(-6, 6)


def set_by_value(a, v):
    a[a > 0.5] = v
    a[(a < 0) & (a > -1)] = 0
    return a


def set_in_a_loop(a, v):
    for k in range(4):
        a[a > k] = v
        a += 0.25
    return a


def changed_by_value(a, v):
    a[a < 0] *= v
    a[a > 1] -= 1
    a[np.abs(a) < 0.5] += v * 2
    return a


def changed_in_a_loop(a, v):
    for k in range(3):
        a[a > k] /= v
        a[a < -k] **= 2
    return a


def a_mask_of_its_own(a, v):
    flags = a > 0
    flags[flags] = False
    flags[~flags] = v > 1
    a[flags] = v
    return a, flags


def by_another_array(a, v):
    b = np.zeros_like(a)
    b[a > 0] = v
    b[a <= 0] -= v
    return b


def the_value_changes_the_array(a, v):
    a[a > 0] += a.sum() + poured(a)
    return a


def poured(a):
    a[0] = 3.0
    return a[1]


FLOATS: tuple[Callable[..., Any], ...] = (
    set_by_value,
    set_in_a_loop,
    changed_by_value,
    changed_in_a_loop,
    a_mask_of_its_own,
    by_another_array,
)


@needs_compiler
@pytest.mark.parametrize("function", FLOATS, ids=lambda f: f.__name__)
def test_floats(function: Callable[..., Any]):
    compiled = decorate(function)
    for array in (X, TABLE, np.asfortranarray(TABLE), X[:0], TABLE.astype(np.float32)):
        compare(function, compiled, (array.copy(order="K"), 2.5), calls=2)
    assert has_compiled_part(compiled)
    same(function, X[::-2].copy()[::2], 2.0)
    same(function, np.repeat(X, 2)[::2], 3)


def whole_numbers(a, v):
    a[a > 2] = v
    a[a < -2] += v
    a[a == 0] *= 7
    return a


@pytest.mark.parametrize("value", [3, -4, 2.5, True, np.int32(5), np.float64(2.0), 2**40])
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.bool_, np.float64, np.complex128])
def test_values_of_other_kinds_are_cast_or_refused_as_numpy_does(dtype: Any, value: Any):
    same(whole_numbers, np.abs(INTS).astype(dtype), value)


def few_and_none(a, v):
    a[a > 2] = v
    a += 1
    a[a > 110] = v
    return a


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "float32"])
@pytest.mark.parametrize(
    "value",
    [np.int64(70000), np.int16(-3), np.uint8(200), np.float64(300.7), np.float32(-2.5), np.float64("nan")]
    + [300, -1, 2.7, float("nan"), True, np.True_, np.uint64(2**63)],
    ids=repr,
)
def test_numbers_without_room_are_cast_as_arrays_or_refused(dtype: str, value: Any) -> None:
    fast = decorate(few_and_none)
    with np.errstate(all="ignore"):
        compare(few_and_none, fast, (np.arange(6).astype(dtype), value))
        compare(few_and_none, fast, (np.arange(-3, 3).astype(dtype), value))


def test_masks_that_do_not_fit():
    def shorter(a, m):
        a[m] = 1.0
        return a

    def rows(a, m):
        a[m] += 1.0
        return a

    for mask in (X[:5] > 0, X > 0, np.ones(3, bool), np.ones((3, 4), bool), np.ones(1, bool), np.True_):
        same(shorter, X, mask)
        same(rows, TABLE, mask)
        same(rows, X, mask)


def test_what_the_value_does_comes_after_the_reading():
    same(the_value_changes_the_array, X, 1.0)


def test_an_element_in_two_places_is_written_once():
    def overlapping(a):
        view = np.lib.stride_tricks.as_strided(a, (4, 3), (8, 8))
        view[np.arange(12).reshape(4, 3) == 5] = 9.0
        return a

    same(overlapping, X)


@pytest.mark.parametrize("n", [1, 3])
def test_derivatives_go_through_masks(n: int):
    import jitscope as js

    def loss(a):
        b = a * a
        for _ in range(n):
            b[b > 1.0] = 0.5
            b[b < 0.3] *= 2.0
        return np.sum(b * a)

    h, found = 1e-6, js.grad(loss)(X)
    for k in range(len(X)):
        step = np.zeros_like(X)
        step[k] = h
        assert found[k] == pytest.approx((loss(X + step) - loss(X - step)) / (2 * h), rel=1e-6, abs=1e-8)
