"""Calls whose arguments look as all before are sent on by a few tests; every other look has its own entry."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitscope as js


def scaled(x, k):
    return x * k + x.sum()


def doubled(x, k):
    return x * k + 2


def _asks_first(fast: Callable[..., Any]) -> bool:
    return "only" in fast.__code__.co_names


LOOKS: dict[str, Any] = {
    "float64": np.arange(6.0),
    "float32": np.arange(6, dtype=np.float32),
    "int64": np.arange(6),
    "big-endian": np.arange(6.0).astype(">f8"),
    "two axes": np.arange(6.0).reshape(2, 3),
    "F order": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "steps": np.arange(12.0)[::2],
    "no axis": np.array(2.5),
    "masked": np.ma.masked_array(np.arange(3.0), [True, False, False]),
    "NumPy's float": np.float64(1.5),
    "object": np.array([1, 2.5], dtype=object),
}


@pytest.mark.parametrize("first", LOOKS)
def test_every_look_after_every_other_has_its_own_answer(first):
    fast = js.function(scaled)
    values = [LOOKS[first], *LOOKS.values(), LOOKS[first]]
    for k in (2, 2.0, np.float32(3), 1j):
        for value in values:
            for _ in range(2):
                wanted, found = scaled(value, k), fast(copy.copy(value), k)
                assert type(found) is type(wanted)
                assert getattr(found, "dtype", None) == getattr(wanted, "dtype", None)
                np.testing.assert_array_equal(found, wanted)


def test_the_look_is_asked_for_first_until_there_is_another():
    fast = js.function(scaled)
    fast(np.arange(3.0), 2)
    fast(np.arange(9.0), 5)
    assert _asks_first(fast)
    fast(np.arange(3.0), 2.0)
    assert not _asks_first(fast)
    np.testing.assert_array_equal(fast(np.arange(3.0), 2), scaled(np.arange(3.0), 2))
    assert not _asks_first(fast)


def test_a_look_is_learnt_again_after_everything_was_forgotten():
    fast = js.function(scaled)
    x = np.arange(3.0)
    fast(x, 2)
    table = fast.__jitscope__.binder.table
    fast.clear()
    assert table.number is None
    np.testing.assert_array_equal(fast(x, 2), scaled(x, 2))
    assert _asks_first(fast)
    assert fast.__jitscope__.binder.table.only is not None


def test_the_users_own_types_and_dtypes_stand_in_no_code():
    class Number(float):
        pass

    record = np.zeros(2, dtype=[("a", "f8")])
    for x, k in ((np.arange(3.0), Number(2)), (record, 2)):
        fast = js.function(lambda x, k: (x, k))
        assert fast(x, k)[1] is k
        assert fast(x, k)[0] is x
        assert not _asks_first(fast)


def test_code_of_another_function_leads_to_the_other_function():
    one, other = js.function(scaled), js.function(doubled)
    x = np.arange(3.0)
    one(x, 2), other(x, 2)
    one.__code__ = other.__code__
    np.testing.assert_array_equal(one(x, 2), doubled(x, 2))
    np.testing.assert_array_equal(other(x, 2), doubled(x, 2))


def test_defaults_keywords_stars_and_no_parameters():
    def many(x, /, y=2, *rest, k=3, **named):
        return x * y + sum(rest) * k + len(named)

    def none():
        return np.arange(4.0).sum()

    x = np.arange(3.0)
    fast = js.function(many)
    for args, named in (((x,), {}), ((x, 4), {}), ((x, 4, 5), {"k": 2}), ((x,), {"z": 1})):
        for _ in range(3):
            np.testing.assert_array_equal(fast(*args, **named), many(*args, **named))
    nothing = js.function(none)
    assert [nothing() for _ in range(3)] == [none()] * 3
