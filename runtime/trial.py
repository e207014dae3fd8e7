"""Whether compiled code pays that has to take lists over first: its first calls tell.

To take a list over takes as long as a few of its items take in Python, or, if the loop looks at few of them,
longer than all of it. Nothing in the program says which, so a few calls are timed, one of them plain.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

from .skipped import skipped

PLAIN_CALL = 2
"""The first call has just been compiled, the second one is timed, and the third one is plain."""
CALLS = 4


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


class Trial:
    """The first calls of one specialisation; then `decided` hears whether the plain function is faster."""

    def __init__(
        self, compiled: Callable[..., Any], plain: Callable[..., Any], decided: Callable[[bool], None]
    ) -> None:
        self.compiled, self.plain, self.decided = compiled, plain, decided
        self.calls = 0
        self.times: list[float] = []

    @skipped
    def __call__(self, *values: object) -> Any:
        """A call, compiled or plain: both give the same."""
        turn, self.calls = self.calls, self.calls + 1
        with Watch() as watch:
            result = (self.plain if turn == PLAIN_CALL else self.compiled)(*values)
        self.times.append(watch.seconds)
        if len(self.times) == CALLS:
            plain = self.times.pop(PLAIN_CALL)
            self.decided(plain < min(self.times[1:]))
        return result


ROUNDS = 8
LONG = 1e-4
"""Seconds after which nobody cares for what a call of compiled code costs."""
CALL = 6e-7
"""Seconds that it takes to find out which compiled code takes a call; plain, a loop goes without."""


class LoopTrial:
    """The first calls of a loop that was taken out of its function, compiled and plain in turns.

    Where compiled code is much faster, or takes long enough to be worth it, no further call runs plain.
    """

    def __init__(
        self, compiled: Callable[..., Any], plain: Callable[..., Any], decided: Callable[[bool], None]
    ) -> None:
        self.runs = compiled, plain
        self.decided = decided
        self.calls = -1
        self.times: tuple[list[float], list[float]] = [], []

    @skipped
    def __call__(self, *values: object) -> object:
        """A call, compiled or plain: both give the same."""
        turn, self.calls = self.calls, self.calls + 1
        if turn < 0:  # the first call loads what it needs
            return self.runs[0](*values)
        with Watch() as watch:
            result = self.runs[turn % 2](*values)
        self.times[turn % 2].append(watch.seconds)
        self._look()
        return result

    def _look(self) -> None:
        compiled, plain = self.times
        if compiled and min(compiled) > LONG:
            self.decided(False)
        elif plain and compiled:
            clear = min(plain) > 4 * min(compiled) and (len(plain) > 2 or min(plain) > LONG)
            if clear or len(plain) >= ROUNDS:
                self.decided(min(plain) < min(compiled) + CALL)
