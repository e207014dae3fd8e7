"""What a trace has spent of its budget, and what is left plain when that is used up."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..graph.ir.nodes import Loc
from ..graph.trace.budget import ALL_STEPS, STEPS, TRACE_SECONDS, UNROLLED_STEPS
from ..graph.trace.build import TraceError

_LOOK = 64
"""The clock is read once in so many steps."""
TRY = "write what repeats as a loop over a range or an array, or call parts of it from plain Python"


@dataclass(slots=True)
class Plain:
    """What earlier attempts found to be too much: loops that aren't unrolled, helpers that aren't traced."""

    loops: dict[Loc, str] = field(default_factory=dict)
    helpers: dict[Hashable, str] = field(default_factory=dict)
    steps: int = 0
    started: float = field(default_factory=time.thread_time)


@dataclass(slots=True)
class Spending:
    """Counts the steps of one attempt: nodes made, functions entered, iterations unrolled."""

    plain: Plain
    steps: int = 0
    unrolled: int = 0
    open_loops: list[Loc] = field(default_factory=list)
    helpers: list[Hashable] = field(default_factory=list)

    @contextmanager
    def unrolling(self, site: Loc) -> Iterator[None]:
        """While a loop is unrolled."""
        self.open_loops.append(site)
        try:
            yield
        finally:
            self.open_loops.pop()

    @contextmanager
    def helping(self, code: Hashable) -> Iterator[None]:
        """While a helper is traced in place."""
        self.helpers.append(code)
        try:
            yield
        finally:
            self.helpers.pop()

    def step(self, differentiating: bool) -> bool:
        """Count one more; True when something has to be left plain, and the trace to start again.

        Raises:
            TraceError: nothing smaller can be left plain, the whole function stays as it is.
        """
        self.steps += 1
        self.plain.steps += 1
        if self.open_loops:
            self.unrolled += 1
            if self.unrolled > UNROLLED_STEPS and not differentiating:
                reason = f"unrolled, it has more than {UNROLLED_STEPS:,} operations, so it stays Python's"
                self.plain.loops.update(dict.fromkeys(self.open_loops, reason))
                return True
        if self.steps > STEPS:
            return self._leave_helper(differentiating, f"it has more than {STEPS:,} operations")
        if self.plain.steps > ALL_STEPS:
            raise TraceError(f"it was traced again and again, with {ALL_STEPS:,} operations in all", TRY)
        if self.steps % _LOOK == 0 and time.thread_time() - self.plain.started > TRACE_SECONDS:
            raise TraceError(f"tracing it took more than {TRACE_SECONDS:.0f} seconds", TRY)
        return False

    def _leave_helper(self, differentiating: bool, reason: str) -> bool:
        if differentiating or not self.helpers:  # derivatives know nothing of what isn't traced
            raise TraceError(reason, TRY)
        self.plain.helpers[self.helpers[0]] = reason
        return True
