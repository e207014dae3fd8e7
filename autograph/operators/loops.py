"""`for` and `while`.

Loops over ranges and arrays become loops of the graph, loops over Python's own containers are unrolled,
anything else is a loop of the driver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...graph.ir import dims
from ...graph.ir.dims import Size
from ...graph.ir.nodes import Operand, Value
from ...graph.ir.types import INT, OBJECT
from ...graph.symbolic.arith import operand
from ...graph.symbolic.arrays import symbol_for
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import (
    Symbol,
    SymbolicScalar,
    SymbolicUnion,
    array_or_object,
    as_dim,
    unwrap_union,
)
from ...graph.trace.attempt import Attempt
from ...graph.trace.budget import UNROLLED_ITERATIONS
from ...graph.trace.build import TraceError, current
from ..attempt import attempt
from ..number_lists import NumberList, of_numbers
from ..once import CHANGES, VIEWS, Found, behind, held_by, is_same, use_up
from ..records import known_items
from ..tracer import OpenLoop, TracedDict, TracedList, place, tracer
from .containers import MOST_ITEMS, Generator
from .control import asked, if_stmt
from .exits import Break, Continue, Leave, nothing
from .growing import growing, walking
from .iterables import Sequence, StaticIndexNeeded, sequence_of, stays_plain, unrolled
from .loop_trials import Body, State, stage
from .own_errors import known_here
from .state import as_thing, materialise
from .tries import Trying, go_through_once


def while_stmt(
    test: Body,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None = None,
) -> None:
    """``while test: body else: orelse``."""
    with growing(get_state, set_state, names) as state:
        _while(test, body, *state, orelse)


def _while(
    test: Body, body: Body, get_state: State, set_state: Body, names: tuple[str, ...], orelse: Body | None
) -> None:

    def head() -> list[Operand]:
        return []

    with attempt(get_state, set_state) as trial:

        def condition() -> Any:
            before = get_state()
            found = asked(test())
            if any(a is not b for a, b in zip(before, get_state(), strict=True)):
                if orelse is not None:
                    raise TraceError("a while test that assigns a variable")
                trial.give_up()
            return found

        def staged(apart: Attempt | None = None) -> None:
            stage("while", head, None, body, get_state, set_state, names, orelse, condition, apart=apart)

        with attempt(get_state, set_state) as apart:
            staged(apart)
            return
        with attempt(get_state, set_state) as whole:
            first = _first(body, staged, whole)
            if_stmt(condition(), first, orelse or nothing, get_state, set_state, names)
            return
        staged()
        return

    # The test changes variables: it has to run inside of the body.
    def leave_loop() -> None:
        raise Break()

    def tested() -> None:
        if_stmt(test(), lambda: None, leave_loop, get_state, set_state, names)
        body()

    stage("while", head, None, tested, get_state, set_state, names, None, lambda: True)


def for_stmt(
    iterable: object,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None = None,
) -> None:
    """``for item in iterable: body else: orelse``."""
    if isinstance(iterable, Trying):
        with growing(get_state, set_state, names) as (get, put, known):
            go_through_once(iterable, body, get, put, known.index(iterable.name))
        return
    go_through(use_up(iterable), body, get_state, set_state, names, orelse)


def go_through(
    iterable: Any,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None = None,
) -> None:
    """`for_stmt` over what is known to be gone through here."""
    if isinstance(iterable, Generator):
        for one in iterable.carried:
            get_state, set_state, names = one.beside(get_state, set_state, names)
        each = _each_of(iterable, body, get_state, set_state, names)
        go_through(iterable.iterable, each, get_state, set_state, names, orelse)
        return
    with growing(get_state, set_state, names) as state:
        _for(iterable, body, *state, orelse)


def _for(
    iterable: object,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None,
) -> None:
    iterable = unwrap_union(iterable)
    if isinstance(iterable, SymbolicUnion):
        iterable = array_or_object(iterable)
    if (items := known_items(iterable)) is not None:
        iterable = items
    sequence = sequence_of(iterable)
    if sequence is None:
        _for_plain(iterable, body, get_state, set_state, names, orelse)
        return
    with attempt(get_state, set_state) as trial:
        if sequence.static_length() == 0:
            if orelse is not None:
                orelse()
            return
        try:
            with walking(sequence.lists()):
                _for_staged(sequence, body, get_state, set_state, names, orelse)
            return
        except StaticIndexNeeded:
            found = unrolled(sequence)
            if found is None or stays_plain():
                raise
            one_by_one = found
            trial.give_up()
    around = tracer().frame.loops[-1:]
    _unroll(one_by_one, body, orelse, around[0].leave if around and around[0].unrolled else _not_left)


def _each_of(
    generator: Generator, body: Body, get_state: State, set_state: Body, names: tuple[str, ...]
) -> Body:
    """The body of the loop over what the generator goes through: each element is made when its turn comes.

    A loop in it that `break` leaves takes the ones around it along.
    """

    def inside(item: object) -> None:
        if not generator.nested:
            body(generator.element(item))
            return
        with attempt(get_state, set_state) as trial:
            before = tracer().breaks
            for_stmt(generator.element(item), body, get_state, set_state, names)
            if tracer().breaks != before:
                trial.give_up()
            return
        for_stmt(generator.element(item), body, get_state, set_state, names, _go_on)
        raise Break()

    def each(item: object) -> None:
        if generator.condition is None:
            inside(item)
        else:
            if_stmt(generator.condition(item), lambda: inside(item), nothing, get_state, set_state, names)

    return each


def _go_on() -> None:
    raise Continue()


def _not_left(kind: str) -> None:
    raise TraceError("a loop over a Python container is left on a condition of the run")


def _for_staged(
    sequence: Sequence,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None,
) -> None:
    bounds = sequence.bounds()
    with attempt(get_state, set_state) as apart:
        _stage_for(sequence, bounds, body, get_state, set_state, names, orelse, apart)
        return
    start, stop, step = bounds

    def rest() -> None:
        later = (binary("add", start, step), stop, step)
        _stage_for(sequence, later, body, get_state, set_state, names, orelse)

    with attempt(get_state, set_state) as trial:
        runs = _runs(*bounds) or binary("lt" if step > 0 else "gt", start, stop)
        first = _first(lambda: body(sequence.at(0)), rest, trial)
        if_stmt(runs, first, orelse or nothing, get_state, set_state, names)
        return
    _stage_for(sequence, bounds, body, get_state, set_state, names, orelse)


def _first(body: Body, rest: Body, trial: Attempt) -> Body:
    """An iteration before the others; `trial` is given up if it leaves on a condition."""

    def first() -> None:
        loops, loop = tracer().frame.loops, OpenLoop(lambda kind: trial.give_up(), unrolled=True)
        loops.append(loop)
        try:
            body()
        except Leave as left:
            if left.kind == "break":
                return
            if left.kind != "continue":
                raise
        finally:
            loops.remove(loop)
        rest()

    return first


def _stage_for(
    sequence: Sequence,
    bounds: tuple[Any, Any, Any],
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None,
    apart: Attempt | None = None,
) -> None:
    start, stop, step = bounds
    low = _lowest(start, stop, step)

    def head() -> list[Operand]:
        return [operand(start), operand(stop), operand(step)]

    def make_item(index: Value) -> Any:
        if (found := _extremes(start, stop, step)) is not None:
            current().indices[index.name] = found
        return sequence.item(SymbolicScalar(index, INT, dims.symbol(index.name, low)))

    def runs() -> bool:
        return _runs(start, stop, step)

    stage("for", head, make_item, body, get_state, set_state, names, orelse, None, INT, runs, apart)


def _extremes(start: object, stop: object, step: object) -> tuple[Size | None, Size] | None:
    """The lowest and the highest number of a range, as far as sizes can say it."""
    first, last = as_dim(start), as_dim(stop)
    if isinstance(step, int) and step > 0:
        return None if last is None else (first, dims.sub(last, 1))
    return None if first is None else (None if last is None else dims.add(last, 1), first)


def _runs(start: object, stop: object, step: object) -> bool:
    """Whether a range has a first number, by proof or by a guard on the example."""
    ends = (start, stop) if isinstance(step, int) and step > 0 else (stop, start)
    first, last = map(as_dim, ends)
    if not isinstance(step, int) or first is None or last is None:
        return False
    return current().is_natural(dims.sub(dims.sub(last, first), 1))


def _lowest(start: object, stop: object, step: object) -> int | None:
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
        known_here(iter, iterable)
        raise TraceError(f"'{type(iterable).__name__}' object is not iterable")
    items = list(iterable) if not isinstance(iterable, Found) else iterable
    if len(items) > UNROLLED_ITERATIONS or stays_plain():
        _for_each(iterable, body, get_state, set_state, names, orelse)
        return
    with attempt(get_state, set_state) as trial:
        _unroll(_watched(iterable, items), body, orelse, lambda kind: trial.give_up())
        return
    # It is left on a condition of the run, so it has to be a real loop.
    if not isinstance(iterable, TracedList) and (made := _table(items)) is not None:
        go_through(made, body, get_state, set_state, names, orelse)
        return
    source = iterable if isinstance(iterable, (tuple, list, dict, str)) else items
    _for_each(source, body, get_state, set_state, names, orelse)


def _watched(iterable: object, items: list[object]) -> Iterator[object]:
    """The items of a list or dict, which has to be a real one where it changes in the loop."""
    if not isinstance(iterable, (list, dict, *VIEWS)) or isinstance(iterable, Found):
        yield from items
        return
    before = held_by(iterable)
    for item in items:
        yield item
        if not is_same(iterable, before):
            source = behind(iterable)
            if isinstance(source, (TracedList, TracedDict)):
                materialise(source)
            raise TraceError(*CHANGES)


def _table(items: list[Any]) -> NumberList | None:
    """Numbers, or tuples of numbers, that are written down, as a list that a loop can go through."""
    if len(items) > MOST_ITEMS or not tracer().takes_lists():
        return None
    return of_numbers(items, False)


def _unroll(items: Iterable[Any], body: Body, orelse: Body | None, leave: Callable[[str], None]) -> None:
    loops, loop = tracer().frame.loops, OpenLoop(leave, unrolled=True)
    loops.append(loop)
    try:
        with tracer().spending.unrolling(place()):
            for item in items:
                tracer().step()
                try:
                    body(item)
                except Leave as left:
                    if left.kind == "break":
                        return
                    if left.kind != "continue":
                        raise
    finally:
        loops.remove(loop)
    if orelse is not None:
        orelse()


def _for_each(
    iterable: object,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None,
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
