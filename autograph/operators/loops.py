"""`for` and `while`.

Loops over ranges and arrays become loops of the graph, loops over Python's own containers are unrolled,
anything else is a loop of the driver.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...graph.ir import dims
from ...graph.ir.nodes import Operand, Value
from ...graph.ir.types import INT, OBJECT
from ...graph.symbolic.arith import operand
from ...graph.symbolic.arrays import SymbolicArray, symbol_for
from ...graph.symbolic.symbols import Symbol, SymbolicScalar, SymbolicUnion, as_dim
from ...graph.trace.budget import UNROLLED_ITERATIONS
from ...graph.trace.build import TraceError, current
from ..records import known_items
from ..tracer import OpenLoop, place, stays_plain, tracer
from .containers import Generator
from .control import UnrolledExit, if_stmt
from .exits import Break, Continue
from .iterables import Sequence, StaticIndexNeeded, sequence_of, unrolled
from .loop_trials import Body, State, TestAssigns, stage
from .state import as_thing


def while_stmt(
    test: Body,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None = None,
) -> None:
    """``while test: body else: orelse``."""

    def head() -> list[Operand]:
        return []

    builder, before = current(), get_state()
    snapshot = builder.snapshot()
    try:
        stage("while", head, None, body, get_state, set_state, names, orelse, test)
    except TestAssigns:
        if orelse is not None:
            raise
        builder.rollback(snapshot)
        set_state(before)

        def leave_loop() -> None:
            raise Break

        def tested() -> None:
            if_stmt(test(), lambda: None, leave_loop, get_state, set_state, names)
            body()

        stage("while", head, None, tested, get_state, set_state, names, None, lambda: True)


def for_stmt(
    iterable: Any,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None = None,
) -> None:
    """``for item in iterable: body else: orelse``."""
    if isinstance(iterable, SymbolicUnion):
        iterable = iterable.payload if isinstance(iterable.payload, SymbolicArray) else iterable.as_object()
    if (items := known_items(iterable)) is not None:
        iterable = items
    sequence = sequence_of(iterable)
    if sequence is None:
        _for_plain(iterable, body, get_state, set_state, names, orelse)
        return
    snapshot, before, loops = current().snapshot(), get_state(), list(tracer().frame.loops)
    if sequence.static_length() == 0:
        if orelse is not None:
            orelse()
        return
    try:
        _for_staged(sequence, body, get_state, set_state, names, orelse)
    except StaticIndexNeeded:
        found = unrolled(sequence)
        if found is None or stays_plain():
            raise
        current().rollback(snapshot)
        tracer().frame.loops[:] = loops
        set_state(before)
        _unroll(found, body, orelse, OpenLoop(current().depth, unrolled=True))


def _for_staged(
    sequence: Sequence,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None,
) -> None:
    start, stop, step = sequence.bounds()
    low = _lowest(start, stop, step)

    def head() -> list[Operand]:
        return [operand(start), operand(stop), operand(step)]

    def make_item(index: Value) -> Any:
        end = as_dim(stop) if isinstance(step, int) and step > 0 else as_dim(start)
        if end is not None:
            current().highs[index.name] = dims.sub(end, 1) if step > 0 else end
        return sequence.item(SymbolicScalar(index, INT, dims.symbol(index.name, low)))

    stage("for", head, make_item, body, get_state, set_state, names, orelse, None, INT)


def _lowest(start: Any, stop: Any, step: Any) -> int | None:
    """A lower bound of the index, from the bounds of the range."""
    if not isinstance(step, int):
        return None
    first = as_dim(start) if step > 0 else as_dim(stop)
    if first is None:
        return None
    bound = dims.lower(first)
    return bound if step > 0 or bound is None else bound + 1


def _for_plain(
    iterable: Any, body: Body, get_state: State, set_state: Body, names: tuple[str, ...], orelse: Body | None
) -> None:
    """Containers are unrolled; objects are iterated by the driver."""
    if isinstance(iterable, Symbol):
        _for_each(iterable, body, get_state, set_state, names, orelse)
        return
    if not isinstance(
        iterable,
        (tuple, list, dict, str, range, set, frozenset, type({}.items()), type({}.keys()), type({}.values())),
    ) and not hasattr(iterable, "__next__"):
        if isinstance(iterable, Generator):
            what = "a loop over a generator expression, which makes each item when it is needed"
            raise TraceError(what, "loop over what it loops over, and compute the item in the body")
        raise TraceError(f"'{type(iterable).__name__}' object is not iterable")
    items = list(iterable)
    if len(items) > UNROLLED_ITERATIONS or stays_plain():
        _for_each(iterable, body, get_state, set_state, names, orelse)
        return
    snapshot, before, loop = current().snapshot(), get_state(), OpenLoop(current().depth, unrolled=True)
    try:
        _unroll(items, body, orelse, loop)
    except UnrolledExit as left:
        if left.loop is not loop:
            raise
        current().rollback(snapshot)
        set_state(before)
        _for_each(
            iterable if isinstance(iterable, (tuple, list, dict, str)) else items,
            body,
            get_state,
            set_state,
            names,
            orelse,
        )


def _unroll(items: Iterable[Any], body: Body, orelse: Body | None, loop: OpenLoop) -> None:
    loops = tracer().frame.loops
    loops.append(loop)
    try:
        with tracer().spending.unrolling(place()):
            for item in items:
                tracer().step()
                try:
                    body(item)
                except Continue:
                    continue
                except Break:
                    return
    finally:
        loops.remove(loop)
    if orelse is not None:
        orelse()


def _for_each(
    iterable: Any, body: Body, get_state: State, set_state: Body, names: tuple[str, ...], orelse: Body | None
) -> None:
    source = as_thing(iterable)

    def head() -> list[Operand]:
        return [source]

    def make_item(value: Value) -> Any:
        if tracer().is_safe(source):
            tracer().safe.add(value.name)
        else:
            tracer().opaque_call()
        return symbol_for(value)

    stage("for_each", head, make_item, body, get_state, set_state, names, orelse, None, OBJECT)
