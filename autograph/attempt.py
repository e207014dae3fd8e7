"""Attempts of staged code: nodes, open loops and the variables of the statement, taken back together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.trace.attempt import Attempt
from ..graph.trace.build import current
from .tracer import tracer


def attempt(
    get_state: Callable[[], tuple[Any, ...]] = tuple, set_state: Callable[[Any], None] | None = None
) -> Attempt:
    """``with attempt(get_state, set_state) as trial:``, where ``trial.give_up()`` takes all of it back."""
    loops, before = tracer().frame.loops, get_state()
    open_loops, growing, used_up = list(loops), tracer().growing, tracer().used_up
    used = len(used_up)
    lists = [(made, made.content()) for made in growing]

    def undo() -> None:
        loops[:] = open_loops
        del used_up[used:]
        for cell in tracer().cells.values():
            cell.last = None
        growing[:] = [made for made, _ in lists]
        for made, content in lists:
            made.put_back(content)
        if set_state is not None:
            set_state(before)

    return Attempt(current(), undo)
