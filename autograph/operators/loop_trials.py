"""Loops of the graph, traced again and again until the types of the variables that they change settle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...graph.ir.nodes import Block, Literal, Node, Operand, Value
from ...graph.symbolic.agreement import sizes_may_agree
from ...graph.symbolic.arith import operand
from ...graph.symbolic.symbols import SymbolicUnion, second_of
from ...graph.trace.attempt import Attempt
from ...graph.trace.build import TraceError, current
from ...graph.trace.running import assignment_of
from ..attempt import attempt
from ..tracer import OpenLoop, place, tracer
from .control import leave
from .exits import Leave
from .kinds import FIRST, LATER, causes, explained, kind_of
from .own_errors import ending_block
from .specs import ArrayType, NumberType, ObjectType, Spec, UnionType
from .state import decode, describe, encode, fits, join, make_values, outside, types_of, widen

State = Callable[[], tuple[Any, ...]]
Body = Callable[..., Any]
TRIALS = 12
"""So often a loop is traced until the types of its variables settle."""


def stage(
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
    runs: Callable[[], bool] | None = None,
    apart: Attempt | None = None,
) -> None:
    """Trace a loop until the types of its variables are found, then put its results into them.

    `runs` answers whether there is a first iteration, by a guard if need be. `apart` is given up where the
    first iteration had better run before the loop.
    """
    entry = get_state()
    loop = _StagedLoop(op, [describe(value) for value in entry], names, get_state, set_state)
    loop.runs, loop.apart = runs if orelse is None else None, apart
    bounds = head()
    for _ in range(TRIALS):
        with attempt(get_state, set_state) as loop.trial:
            loop.run(entry, bounds, make_item, body, orelse, test, item_type)
            return
    name, one, other = loop.unsettled
    raise TraceError(
        f"the type of '{name}' never settles: it is {one} before the loop and {other} in a later iteration",
        "give it values of one type",
    )


def _target(body: Body) -> str:
    """The loop's variable: the parameter of the staged body."""
    names = body.__code__.co_varnames
    return names[0] if names else "item"


class _StagedLoop:
    """A loop and the types that its variables are assumed to have: those of the entry first, then wider."""

    trial: Attempt
    apart: Attempt | None = None
    runs: Callable[[], bool] | None = None

    def __init__(
        self, op: str, first: list[Spec], names: tuple[str, ...], get_state: State, set_state: Body
    ) -> None:
        self.op, self.first, self.names = op, first, names
        self.specs = [widen(spec) for spec in first]
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
        """Emit the loop. Where the assumed types are too narrow, widen them and give up the trial."""
        builder = current()
        self.entry, self.body = entry, body
        self.given = len(builder.names)
        self.ends: list[list[Operand]] = []
        initial = [o for value, spec in zip(entry, self.specs, strict=True) for o in encode(value, spec)]
        regions = [self._test(test)] if test is not None else []
        regions.append(self._body(body, make_item, item_type))
        if orelse is not None:
            regions.append(self._orelse(orelse))
        values = [
            v for spec, name in zip(self.specs, self.names, strict=True) for v in make_values(spec, name)
        ]
        attrs = {"names": self.names, "orelse": orelse is not None, **causes(self.specs, self.names)}
        if builder.attributes.get("checkpoint"):
            attrs["checkpoint"] = True  # the reverse pass keeps few of its states
        builder.append(
            Node(self.op, (*bounds, *initial), tuple(values), attrs, tuple(regions), builder.locate())
        )
        self._put(values)
        if self.runs is not None:
            self._settle(self.runs)

    def _put(self, values: list[Value]) -> None:
        supply = iter(values)
        self.set_state(
            tuple(decode(spec, supply, name) for spec, name in zip(self.specs, self.names, strict=True))
        )

    def _settle(self, runs: Callable[[], bool]) -> None:
        """What is of its second kind after each iteration is no choice of two behind the loop."""
        state, place = list(self.get_state()), 0
        for k, spec in enumerate(self.specs):
            if isinstance(state[k], SymbolicUnion) and self._is_second(place) and runs():
                state[k] = second_of(state[k])
            place += len(types_of(spec))
        self.set_state(tuple(state))

    def _is_second(self, place: int) -> bool:
        tags = [operands[place] for operands in self.ends]
        return all(isinstance(tag, Literal) and tag.value is True for tag in tags)

    def _params(self) -> list[Value]:
        return [v for spec, name in zip(self.specs, self.names, strict=True) for v in make_values(spec, name)]

    def _test(self, test: Body) -> Block:
        builder = current()
        params = self._params()
        with builder.region() as nodes:
            self._put(params)
            try:
                builder.emit("yield", (operand(test()),))
            except Leave:
                raise TraceError("the test of a loop that raises whenever it is asked") from None
        return Block(tuple(params), tuple(nodes))

    def _body(self, body: Body, make_item: Any, item_type: Any) -> Block:
        builder = current()
        params = self._params()
        index = builder.value(item_type, _target(body)) if make_item is not None else None
        loop = OpenLoop(self._leave, since=len(builder.names), place=place())
        loops = tracer().frame.loops
        loops.append(loop)
        asks = tracer().knowledge.agrees and not tracer().differentiating  # which no plain Python goes on for
        with self._block(params) as nodes, sizes_may_agree(asks):
            body(make_item(index)) if index is not None else body()
        loops.remove(loop)
        return Block((index, *params) if index is not None else tuple(params), tuple(nodes))

    def _orelse(self, orelse: Body) -> Block:
        params = self._params()
        with self._block(params) as nodes:
            orelse()
        return Block(tuple(params), tuple(nodes))

    @contextmanager
    def _block(self, params: list[Value]) -> Iterator[list[Node]]:
        """A block that goes on to the next iteration, or behind the loop, unless it leaves otherwise."""
        with current().region() as nodes:
            self._put(params)
            try:
                with ending_block():
                    yield nodes
                self._leave("yield")
            except Leave as left:
                leave(left)

    def _leave(self, kind: str) -> None:
        """End the open block with the loop's state."""
        state = self.get_state()
        found = outside([describe(value) for value in state], self.given)
        if not all(fits(value, spec) for value, spec in zip(found, self.specs, strict=True)):
            if self.apart is not None and any(map(_becomes_array, self.first, self.specs, found)):
                self.apart.give_up()
            self.unsettled, self.specs = self._unsettled(found, state), self._wider(found, state)
            self.trial.give_up()
        operands = [o for value, spec in zip(state, self.specs, strict=True) for o in encode(value, spec)]
        self.ends.append(operands)
        current().emit(kind, operands)

    def _wider(self, found: list[Spec], state: tuple[Any, ...]) -> list[Spec]:
        """The next assumption: constants at the entry may become the first of two kinds."""
        wider = []
        for k, (value, spec, first) in enumerate(zip(found, self.specs, self.first, strict=True)):
            if fits(value, spec):
                wider.append(spec)
                continue
            early = widen(first) == spec
            name, both = self.names[k], (self.entry[k], state[k])
            where = assignment_of(self.body.__code__, name)
            new = _widened(join(first if early else spec, value))
            wider.append(explained(new, name, both, FIRST if early else LATER, where))
        return wider

    def _unsettled(self, found: list[Spec], state: tuple[Any, ...]) -> tuple[str, str, str]:
        k = next(k for k, value in enumerate(found) if not fits(value, self.specs[k]))
        return self.names[k], kind_of(self.entry[k]), kind_of(state[k])


def _becomes_array(first: Spec, assumed: Spec, found: Spec) -> bool:
    """Whether a variable is a number or an array before the loop, and another array after an iteration.

    ``t = 0`` before ``t = t + x``: from the second iteration on it is of one type.
    """
    early = assumed == widen(first) and isinstance(first, (NumberType, ArrayType))
    return early and isinstance(found, ArrayType) and isinstance(join(assumed, found), ObjectType)


def _widened(spec: Spec) -> Spec:
    """`widen`, also inside of a choice."""
    return UnionType(spec.first, widen(spec.payload)) if isinstance(spec, UnionType) else widen(spec)
