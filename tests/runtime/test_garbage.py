"""Garbage collection around first calls."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import numpy as np
import pytest

import jitscope as js
from jitscope.runtime.garbage import THRESHOLDS, rare_collections


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_thresholds_are_as_before():
    gc.set_threshold(700, 10, 10)
    with rare_collections():
        assert gc.get_threshold() == THRESHOLDS
    assert gc.get_threshold() == (700, 10, 10)


def test_also_after_an_error():
    gc.set_threshold(700, 10, 10)
    with pytest.raises(KeyError), rare_collections():
        raise KeyError
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("chosen", [(0, 10, 10), (90_000, 5, 5)])
def test_what_is_rarer_stays(chosen: tuple[int, int, int]):
    gc.set_threshold(*chosen)
    with rare_collections():
        assert gc.get_threshold() == chosen
    assert gc.get_threshold() == chosen


def test_what_was_changed_inside_stays():
    gc.set_threshold(700, 10, 10)
    with rare_collections():
        gc.set_threshold(1_000, 7, 7)
    assert gc.get_threshold() == (1_000, 7, 7)


def test_first_calls_leave_it_alone():
    @js.function
    def halved(x):
        return np.sqrt(x) * 0.5

    gc.set_threshold(700, 10, 10)
    np.testing.assert_allclose(halved(np.ones(2000)), 0.5)
    assert gc.get_threshold() == (700, 10, 10)
