"""The body of a `try` whose handlers the trace knows: a region that is left where one of them takes over.

It is traced as a helper that returns early is (`helper_regions`), and returns the variables that it assigns;
one of them is the number of the handler, 0 if there was nothing to handle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...graph.ir.nodes import Node
from ...graph.trace.build import TraceError, current
from ..attempt import attempt
from ..source import HAS_TRY
from ..tracer import OpenFunction, tracer
from .control import leave
from .exits import Leave
from .helper_regions import called, returned
from .own_errors import ending_block
from .returning import return_from_region
from .specs import Spec

NAME = "tried"
State = Callable[[], tuple[Any, ...]]


@dataclass(frozen=True)
class Trying:
    """What a `try` is gone through as, once: the variable of the number, and what each handler takes."""

    name: str
    classes: tuple[tuple[type, ...], ...]

    def number(self, kind: type) -> int:
        """The number of the first handler that takes an exception of this class, 0 if none does."""
        return next((k for k, taken in enumerate(self.classes, 1) if issubclass(kind, taken)), 0)


def trying(name: str, *handled: object) -> Trying:
    """The handlers of a `try`, by what they handle."""
    here = tracer()
    if not here.may_take_over():
        raise TraceError(*HAS_TRY)
    here.numbers = True
    classes = tuple(map(_classes, handled))
    here.handled |= {kind.__name__: None for taken in classes for kind in taken}
    return Trying(name, classes)


def _classes(handled: object) -> tuple[type, ...]:
    found = handled if type(handled) is tuple else (handled,)
    if not all(isinstance(one, type) and issubclass(one, Exception) for one in found):
        raise TraceError(*HAS_TRY)
    return found


def go_through_once(
    handlers: Trying,
    body: Callable[[int], None],
    get_state: State,
    set_state: Callable[[Any], None],
    place: int,
) -> None:
    """The body: in place, or in a region if a handler may take over. `place` is that of the number."""
    builder = current()
    given = len(builder.names)

    def ended(number: int) -> tuple[Any, ...]:
        state = list(get_state())
        state[place] = number
        return tuple(state)

    def traced(spec: Spec | None) -> tuple[list[Any], list[Node]]:
        frame = OpenFunction(NAME, builder.depth + 1, region=True, code=tracer().frame.code, spec=spec)

        def handle(kind: type) -> None:
            if number := handlers.number(kind):
                return_from_region(frame, ended(number))
                raise Leave("end")

        frame.handle = handle
        tracer().frames.append(frame)
        try:
            with current().region() as nodes:
                _run(lambda: body(0), lambda: return_from_region(frame, ended(0)))
        finally:
            tracer().frames.remove(frame)
        return frame.returns, nodes

    with attempt(get_state, set_state) as trial:
        values, _ = traced(None)
        handled = any(value[place] for value in values)
        spec = returned(values, NAME, given) if handled else None
        trial.give_up()
    if spec is None:
        body(0)
        return
    _, nodes = traced(spec)
    set_state(called(NAME, NAME, spec, nodes))


def _run(body: Callable[[], None], end: Callable[[], None]) -> None:
    """The body in an open region, and its end if it comes there."""
    try:
        with ending_block():
            body()
            end()
    except Leave as left:
        leave(left)
