"""Which of two functions takes less time: what Python does for the whole program meanwhile is not counted."""

from __future__ import annotations

import gc
import time

import pytest

from jitscope.runtime.trial import CALLS, ROUNDS, LoopTrial, Trial

ALIVE = [[k] for k in range(200_000)]


def collecting() -> None:
    gc.collect()


def waiting() -> None:
    time.sleep(0.004)


@pytest.mark.parametrize(("trial", "calls"), [(Trial, CALLS), (LoopTrial, 2 * ROUNDS + 1)])
def test_collections_of_garbage_are_not_the_calls_own_time(trial, calls) -> None:
    began = time.perf_counter()
    gc.collect()
    assert time.perf_counter() - began > 0.004
    told: list[bool] = []
    watched = trial(collecting, waiting, told.append)
    for _ in range(calls):
        watched()
        if told:
            break
    assert told == [False]
    assert not any("Watch" in repr(callback) for callback in gc.callbacks)


def test_what_raises_leaves_nothing_behind() -> None:
    def failing() -> None:
        raise ValueError("no")

    watched = Trial(failing, waiting, lambda slower: None)
    before = list(gc.callbacks)
    with pytest.raises(ValueError):
        watched()
    assert gc.callbacks == before
