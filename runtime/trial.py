"""Whether compiled code pays that has to take lists over first: its first calls tell.

To take a list over takes as long as a few of its items take in Python, or, if the loop looks at few of them,
longer than all of it. Nothing in the program says which, so a few calls are timed, one of them plain.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PLAIN_CALL = 2
"""The first call has just been compiled, the second one is timed, and the third one is plain."""
CALLS = 4


class Trial:
    """The first calls of one specialisation; then `decided` hears whether the plain function is faster."""

    def __init__(
        self, compiled: Callable[..., Any], plain: Callable[..., Any], decided: Callable[[bool], None]
    ) -> None:
        self.compiled, self.plain, self.decided = compiled, plain, decided
        self.calls = 0
        self.times: list[float] = []

    def __call__(self, *values: object) -> Any:
        """A call, compiled or plain: both give the same."""
        turn, self.calls = self.calls, self.calls + 1
        begin = time.perf_counter()
        result = (self.plain if turn == PLAIN_CALL else self.compiled)(*values)
        self.times.append(time.perf_counter() - begin)
        if len(self.times) == CALLS:
            plain = self.times.pop(PLAIN_CALL)
            self.decided(plain < min(self.times[1:]))
        return result
