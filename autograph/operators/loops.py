"""`for` and `while`.

Loops over ranges and arrays become loops of the graph, loops over Python's own containers are unrolled,
anything else is a loop of the driver. The types of the variables that a loop changes are found by tracing its
body until they no longer change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...graph import dims
from ...graph.arith import operand
from ...graph.build import TraceError, current
from ...graph.ir import Block, Node, Operand, Value
from ...graph.symbolic_array import SymbolicArray
from ...graph.symbols import Either, Symbol, SymbolicScalar, as_dim, symbol_for
from ...graph.types import INT, OBJECT
from ..records import known_items
from ..tracer import Loop, Retrace, tracer
from .containers import Generator
from .control import UnrolledExit, asked, if_stmt, leave
from .exits import Break, Continue, Return, Stop
from .iterables import Sequence, StaticIndexNeeded, sequence_of
from .state import (
    Spec,
    as_thing,
    decode,
    describe,
    encode,
    fits,
    join,
    make_values,
    widen,
)

State = Callable[[], tuple[Any, ...]]
Body = Callable[..., Any]
UNROLL_LIMIT = 64


class TestAssigns(TraceError):
    """The test of a `while` changes variables: it has to run inside of the body."""


class Changed(BaseException):
    """A variable of the loop turned out to be of another type: trace the loop again."""

    def __init__(self, loop: Any, specs: list[Spec]) -> None:
        super().__init__()
        self.loop = loop
        self.specs = specs


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
        _stage("while", head, None, body, get_state, set_state, names, orelse, test)
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

        _stage("while", head, None, tested, get_state, set_state, names, None, lambda: True)


def for_stmt(
    iterable: Any,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None = None,
) -> None:
    """``for item in iterable: body else: orelse``."""
    if isinstance(iterable, Either):
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
        if found is None:
            raise
        current().rollback(snapshot)
        tracer().frame.loops[:] = loops
        set_state(before)
        _unroll(found, body, orelse, Loop(current().depth, unrolled=True))


def unrolled(sequence: Sequence) -> Iterator[Any] | None:
    """The items one by one; None if there are too many, or nobody knows how many.

    Derivatives do not see lists made at run time: for them each int or size gets a trace of its own.
    """
    count = sequence.static_length()
    if count is None and tracer().differentiating and not tracer().knowledge.exact:
        tracer().knowledge.exact = True
        raise Retrace
    return (sequence.item(k) for k in range(count)) if count is not None and count <= UNROLL_LIMIT else None


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

    _stage("for", head, make_item, body, get_state, set_state, names, orelse, None, INT)


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
            raise TraceError("a loop over a generator expression, which makes its items between the trips")
        raise TraceError(f"'{type(iterable).__name__}' object is not iterable")
    items = list(iterable)
    if len(items) > UNROLL_LIMIT:
        _for_each(iterable, body, get_state, set_state, names, orelse)
        return
    snapshot, before, loop = current().snapshot(), get_state(), Loop(current().depth, unrolled=True)
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


def _unroll(items: Iterable[Any], body: Body, orelse: Body | None, loop: Loop) -> None:
    loops = tracer().frame.loops
    loops.append(loop)
    try:
        for item in items:
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

    _stage("for_each", head, make_item, body, get_state, set_state, names, orelse, None, OBJECT)


def _stage(
    op: str,
    head: Callable[[], list[Operand]],
    make_item: Callable[[Value], Any] | None,
    body: Body,
    get_state: State,
    set_state: Body,
    names: tuple[str, ...],
    orelse: Body | None,
    test: Body | None = None,
    item_type: Any = None,
) -> None:
    """Trace a loop until the types of its variables are found, then put its results into them."""
    builder = current()
    entry = get_state()
    specs = [widen(describe(value)) for value in entry]
    first = [describe(value) for value in entry]
    bounds = head()
    for _ in range(12):
        snapshot, loops = builder.snapshot(), list(tracer().frame.loops)
        trial = _Trial(op, specs, first, names, get_state, set_state)
        try:
            trial.run(entry, bounds, make_item, body, orelse, test, item_type)
            return
        except Changed as change:
            if change.loop is not trial:
                raise
            specs = change.specs
            builder.rollback(snapshot)
            tracer().frame.loops[:] = loops
            set_state(entry)
    raise TraceError("the types of this loop's variables never settle")


def _target(body: Body) -> str:
    """The loop's variable: the parameter of the staged body."""
    names = body.__code__.co_varnames
    return names[0] if names else "item"


class _Trial:
    """One attempt at tracing a loop with assumed types."""

    def __init__(
        self,
        op: str,
        specs: list[Spec],
        first: list[Spec],
        names: tuple[str, ...],
        get_state: State,
        set_state: Body,
    ) -> None:
        self.op, self.specs, self.first, self.names = op, specs, first, names
        self.get_state, self.set_state = get_state, set_state

    def run(
        self,
        entry: tuple[Any, ...],
        bounds: list[Operand],
        make_item: Any,
        body: Body,
        orelse: Body | None,
        test: Body | None,
        item_type: Any,
    ) -> None:
        """Emit the loop; raises `Changed` when the assumed types are too narrow."""
        builder = current()
        initial = [o for value, spec in zip(entry, self.specs, strict=True) for o in encode(value, spec)]
        regions = [self._test(test)] if test is not None else []
        regions.append(self._body(body, make_item, item_type))
        if orelse is not None:
            regions.append(self._orelse(orelse))
        values = [
            v for spec, name in zip(self.specs, self.names, strict=True) for v in make_values(spec, name)
        ]
        attrs = {"names": self.names, "orelse": orelse is not None}
        if builder.attributes.get("checkpoint"):
            attrs["checkpoint"] = True  # the way back keeps few of its states
        builder.append(
            Node(self.op, (*bounds, *initial), tuple(values), attrs, tuple(regions), builder.locate())
        )
        self._put(values, entry)

    def _put(self, values: list[Value], entry: tuple[Any, ...] | None = None) -> None:
        supply = iter(values)
        self.set_state(
            tuple(decode(spec, supply, name) for spec, name in zip(self.specs, self.names, strict=True))
        )

    def _params(self) -> list[Value]:
        return [v for spec, name in zip(self.specs, self.names, strict=True) for v in make_values(spec, name)]

    def _test(self, test: Body) -> Block:
        builder = current()
        params = self._params()
        with builder.region() as nodes:
            self._put(params)
            before = self.get_state()
            condition = asked(test())
            if any(a is not b for a, b in zip(before, self.get_state(), strict=True)):
                raise TestAssigns("a while test that assigns a variable")
            builder.emit("yield", (operand(condition),))
        return Block(tuple(params), tuple(nodes))

    def _body(self, body: Body, make_item: Any, item_type: Any) -> Block:
        builder = current()
        params = self._params()
        index = builder.value(item_type, _target(body)) if make_item is not None else None
        loop = Loop(builder.depth + 1, leave=self._leave)
        loops = tracer().frame.loops
        loops.append(loop)
        with builder.region() as nodes:
            self._put(params)
            try:
                body(make_item(index)) if index is not None else body()
                self._leave("yield")
            except Stop:
                pass
            except (Break, Continue, Return) as left:
                leave(left)
        loops.remove(loop)
        return Block((index, *params) if index is not None else tuple(params), tuple(nodes))

    def _orelse(self, orelse: Body) -> Block:
        builder = current()
        params = self._params()
        with builder.region() as nodes:
            self._put(params)
            try:
                orelse()
                self._leave("yield")
            except Stop:
                pass
            except (Break, Continue, Return) as left:
                leave(left)
        return Block(tuple(params), tuple(nodes))

    def _leave(self, kind: str) -> None:
        """End the open block with the loop's state."""
        state = self.get_state()
        found = [describe(value) for value in state]
        if not all(fits(value, spec) for value, spec in zip(found, self.specs, strict=True)):
            raise Changed(self, self._wider(found))
        operands = [o for value, spec in zip(state, self.specs, strict=True) for o in encode(value, spec)]
        current().emit(kind, operands)

    def _wider(self, found: list[Spec]) -> list[Spec]:
        """The next assumption: constants at the entry may become the first of two kinds."""
        wider = []
        for value, spec, first in zip(found, self.specs, self.first, strict=True):
            if fits(value, spec):
                wider.append(spec)
            elif widen(first) == spec:
                wider.append(widen_choice(join(first, value)))
            else:
                wider.append(widen_choice(join(spec, value)))
        return wider


def widen_choice(spec: Spec) -> Spec:
    """`widen`, also inside of a choice."""
    from .state import Choice

    return Choice(spec.first, widen(spec.payload)) if isinstance(spec, Choice) else widen(spec)
