"""Whether compiled code pays that takes lists over, or has no loops of its own: its first calls tell.

To take a list over takes as long as a few of its items take in Python, or, if the loop looks at few of them,
longer than all of it. Operations on arrays, one after the other, NumPy may do as fast, or faster. Nothing in
the program says which, so a few calls are timed, one of them plain.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .skipped import skipped

CALLS = 4
"""The first call has just been compiled; of the next three, which are timed, the second one is plain."""
MOST_CALLS = 32
"""After so many the compiled code stays: no three calls in a row had arguments of the same sizes."""
SHORT = 5e-5
"""Seconds. Of calls that take less, only so many decide: others of the same function may do more."""
CLEARLY = 0.95
"""How long the plain function may take, of the compiled code's time, to be called from then on."""


class Watch:
    """The seconds of a call but for those in which Python looks for garbage: they hang on the whole program.

    To go through all that is alive takes longer than many calls, and comes when enough has been made.
    """

    __slots__ = ("began", "paused", "seconds")

    def __enter__(self) -> Watch:
        self.paused = 0.0
        gc.callbacks.append(self._collects)
        self.began = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self.began - self.paused
        gc.callbacks.remove(self._collects)

    def _collects(self, phase: str, _: object) -> None:
        now = time.perf_counter()
        self.paused += now if phase == "stop" else -now


@dataclass(frozen=True)
class Runs:
    """What a call may be; `takes_over` does only what comes before and after the compiled code's own work."""

    compiled: Callable[..., Any]
    plain: Callable[..., Any]
    takes_over: Callable[[Sequence[Any]], object]
    in_parts: bool = False
    """It has loops that aren't compiled as a whole, and may take longer than the plain function."""


class Trial:
    """The first calls of one specialisation; then `decided` hears whether the plain function is faster."""

    def __init__(self, runs: Runs, decided: Callable[[bool], None]) -> None:
        self.compiled, self.plain, self.decided = runs.compiled, runs.plain, decided
        self.calls = 0
        self.sizes: tuple[object, ...] = ()
        self.times: list[float] = []
        self.slower = False

    @skipped
    def __call__(self, *values: object) -> Any:
        """A call, compiled or plain: both give the same."""
        self.calls += 1
        if self.calls == 1:
            return self.compiled(*values)
        sizes = tuple(map(_size, values))
        if sizes != self.sizes:
            self.sizes, self.times = sizes, []
        with Watch() as watch:
            result = (self.plain if len(self.times) == 1 else self.compiled)(*values)
        self.times.append(watch.seconds)
        self._look()
        return result

    def _look(self) -> None:
        if len(self.times) == CALLS - 1:
            before, plain, after = self.times
            self.times, self.slower = [], plain < CLEARLY * min(before, after)
            if max(plain, min(before, after)) >= SHORT:
                self.decided(self.slower)
                return
        if self.calls >= MOST_CALLS:
            self.decided(self.slower)


def _size(value: object) -> object:
    """What calls that take equally long have in common."""
    if type(value) is np.ndarray:
        return value.shape
    return len(value) if isinstance(value, (list, tuple)) else None


ROUNDS = 8
LONG = 1e-4
"""Seconds after which nobody cares for what a call of compiled code costs."""
ENOUGH = 1e-3
"""Seconds after which compiled code stays untimed: plain, a call may take a few hundred times as long."""
LONGEST = 0.05
"""The same where the driver has loops, which may be no faster than plain ones."""
MUCH = 0.2
"""Of a call's time. To put back what has changed takes a few times as long; with less than this, the loop's
own work is a good part of the call, and plain Python doesn't do that as fast."""
CALL = 6e-7
"""Seconds that it takes to find out which compiled code takes a call; plain, a loop goes without."""


class LoopTrial:
    """The first calls of a loop that was taken out of its function, compiled and plain in turns.

    Where compiled code is much faster, or takes long enough to be worth it, no further call runs plain.
    """

    def __init__(self, runs: Runs, decided: Callable[[bool], None]) -> None:
        self.runs, self.takes_over = (runs.compiled, runs.plain), runs.takes_over
        self.decided = decided
        self.enough = LONGEST if runs.in_parts else ENOUGH
        self.calls = -1
        self.times: tuple[list[float], list[float]] = [], []
        self.carries = False
        """Much of a call's time goes into taking over what it gets, of which the loop may use little."""

    @skipped
    def __call__(self, *values: object) -> object:
        """A call, compiled or plain: both give the same."""
        turn, self.calls = self.calls, self.calls + 1
        if turn < 0:  # the first call loads what it needs
            return self.runs[0](*values)
        with Watch() as watch:
            result = self.runs[turn % 2](*values)
        self.times[turn % 2].append(watch.seconds)
        if turn == 0 and watch.seconds > LONG:
            with Watch() as taking:
                self.takes_over(values)
            self.carries = taking.seconds > MUCH * watch.seconds
        self._look()
        return result

    def _look(self) -> None:
        compiled, plain = self.times
        if compiled and min(compiled) > self.enough and not self.carries:
            self.decided(False)
        elif compiled and plain:
            clear = min(plain) > 4 * min(compiled) and (len(plain) > 2 or min(plain) > LONG)
            if clear or len(plain) >= ROUNDS:
                self.decided(min(plain) < min(compiled) + CALL)
