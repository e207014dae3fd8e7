"""The builder: where symbols put their nodes while a function is traced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from ..ir import dims
from ..ir.dims import Dim, Size
from ..ir.nodes import NOWHERE, Block, Guard, Literal, Loc, Node, Operand, Value
from ..ir.types import Array, Type
from .budget import NESTED_BLOCKS
from .rules import Rules


class TraceError(Exception):
    """Tracing can't go on: a reason in the user's words, what would help, the line if another runs."""

    def __init__(self, reason: str = "", attempt: str = "", loc: Loc | None = None) -> None:
        super().__init__(reason)
        self.attempt = attempt
        self.loc = loc


@dataclass(slots=True)
class Snapshot:
    """What `Builder.rollback` restores."""

    names: dict[str, int]
    blocks: list[int]
    depth: int
    sizes: set[str]
    facts: list[set[str]]
    opposites: dict[str, str]
    highs: dict[str, Size]
    attributes: dict[str, Any]
    edits: int


@dataclass
class Relations:
    """What is known of sizes before a trace begins: what the trace before it found out too late."""

    equal: dict[str, Size] = field(default_factory=dict)
    ordered: list[tuple[Size, Size]] = field(default_factory=list)
    hints: dict[str, int] = field(default_factory=dict)
    """The sizes that `equal` speaks of: a size may be called by the name of one that is met later."""
    guards: list[Guard] = field(default_factory=list)

    def begin(self, **rest: Any) -> Builder:
        """A builder that knows them."""
        return Builder(
            equal=dict(self.equal),
            ordered=list(self.ordered),
            hints=dict(self.hints),
            guards=list(self.guards),
            **rest,
        )

    def learn(self, builder: Builder) -> bool:
        """Take over what `builder` knows; whether that is more, so that the trace has to start again."""
        if builder.equal == self.equal and builder.ordered == self.ordered:
            return False
        self.equal, self.ordered = dict(builder.equal), list(builder.ordered)
        self.hints = dict(builder.hints)
        self.guards = [guard for guard in builder.guards if guard.kind == "equal"]
        return True


@dataclass(slots=True)
class Builder:
    """Nodes of the graph being traced, by open block; names, sizes with example values, guards."""

    locate: Callable[[], Loc] = lambda: NOWHERE
    suggest: Callable[[], str | None] = lambda: None
    names: dict[str, int] = field(default_factory=dict)
    blocks: list[list[Node]] = field(default_factory=lambda: [[]])
    facts: list[set[str]] = field(default_factory=lambda: [set()])
    sizes: dict[str, tuple[Value, int]] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    highs: dict[str, Size] = field(default_factory=dict)
    equal: dict[str, Size] = field(default_factory=dict)
    ordered: list[tuple[Size, Size]] = field(default_factory=list)
    """Pairs of sizes of which, in the example, the first is at most the second."""
    guards: list[Guard] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    node_hook: Callable[[Node], Mapping[str, Any]] | None = None
    params: set[str] = field(default_factory=set)
    opposites: dict[str, str] = field(default_factory=dict)
    edits: list[tuple[list[Node], list[Node]]] = field(default_factory=list)
    rules: Rules | None = None
    """What operators on symbols mean; without them the builder makes nodes by name alone."""

    @property
    def depth(self) -> int:
        """How many regions are open: 0 at the top of the function."""
        return len(self.blocks) - 1

    def fresh(self, name: str) -> str:
        """A value name that is new in this graph."""
        if name not in self.names:
            self.names[name] = 0
            return name
        count = self.names[name] + 1
        while (made := f"{name}.{count}") in self.names:
            count += 1
        self.names[name], self.names[made] = count, 0
        return made

    def size_name(self) -> str:
        """A name for a size that is measured: ``n0``, ``n1``, ..."""
        count = sum(1 for name in self.sizes if name.startswith("n"))
        while f"n{count}" in self.names:
            count += 1
        return self.fresh(f"n{count}")

    def value(self, type_: Type, name: str | None = None) -> Value:
        """A new value; without a name it is a temporary."""
        return Value(self.fresh(name) if name else self._temporary(), type_)

    def like(self, value: Value) -> Value:
        """A new value like `value`; sizes that are measured on it are measured on the new one."""
        measured = {symbol: axis for symbol, (array, axis) in self.sizes.items() if array is value}
        type_ = value.type
        fresh = {symbol: self.fresh(symbol.split(".")[0]) for symbol in measured}
        if measured:
            assert isinstance(type_, Array)
            known = {symbol: dims.symbol(new) for symbol, new in fresh.items()}
            shape = tuple(dims.substitute(size, known) for size in type_.shape)
            type_ = Array(type_.dtype, shape, type_.layout, type_.writeable)
        made = self.value(type_, value.name.split(".")[0])
        for symbol, axis in measured.items():
            self.sizes[fresh[symbol]] = (made, axis)
        return made

    def _temporary(self) -> str:
        count = self.names.get("t", -1) + 1
        while f"t{count}" in self.names:
            count += 1
        self.names["t"] = count
        self.names[f"t{count}"] = 0
        return f"t{count}"

    def emit(
        self,
        op: str,
        operands: Sequence[Operand] = (),
        types: Sequence[Type] = (),
        attrs: Mapping[str, Any] | None = None,
        regions: Sequence[Block] = (),
        names: Sequence[str | None] = (),
    ) -> tuple[Value, ...]:
        """Append a node to the open block and return its results."""
        given = list(names) + [None] * (len(types) - len(names))
        if len(given) == 1 and given[0] is None:
            given[0] = self.suggest()
        results = tuple(self.value(t, n) for t, n in zip(types, given, strict=True))
        self.append(Node(op, tuple(operands), results, dict(attrs or {}), tuple(regions), self.locate()))
        return results

    def append(self, node: Node) -> None:
        """Append a node to the open block, with the marks of the scopes around it."""
        if self.node_hook is not None and (extra := self.node_hook(node)):
            # What a node already says of itself wins.
            node = replace(
                node, attrs={**node.attrs, **{k: v for k, v in extra.items() if k not in node.attrs}}
            )
        text = node.attrs.get("text")
        if text is not None and self.rules is not None and text == self.rules.written(node):
            node = replace(node, attrs={key: value for key, value in node.attrs.items() if key != "text"})
        self.blocks[-1].append(node)

    def one(self, op: str, operands: Sequence[Operand], type_: Type, **attrs: Any) -> Value:
        """Append a node with one result."""
        return self.emit(op, operands, (type_,), attrs)[0]

    @contextmanager
    def region(self) -> Iterator[list[Node]]:
        """Open a block; its nodes are in the list that is handed out."""
        if self.depth >= NESTED_BLOCKS:
            raise TraceError(f"branches and loops stand in each other more than {NESTED_BLOCKS} deep")
        nodes: list[Node] = []
        self.blocks.append(nodes)
        known = len(self.facts)
        self.facts.append(set())
        try:
            yield nodes
        finally:
            del self.facts[known:]
            while self.blocks[-1] is not nodes:
                self.blocks.pop()
            self.blocks.pop()

    def learn(self, tag: Operand, found: bool = True) -> None:
        """From here to the end of the block `tag` (or what it negates) is known to be true."""
        if isinstance(tag, Value):
            name = tag.name if found else self.opposites.get(tag.name)
            if name is not None:
                self.facts[-1].add(name)

    def is_known(self, tag: Operand) -> bool:
        """True when `tag` can only be true here."""
        if isinstance(tag, Literal):
            return tag.value is True
        return any(tag.name in known for known in self.facts)

    def settle(self, size: Size) -> Size:
        """`size` with the sizes found equal replaced by one representative."""
        return dims.substitute(size, self.equal) if self.equal else size

    def hint(self, size: Size) -> int | None:
        """The example's value of `size`, if it is known."""
        return dims.evaluate(size, self.hints)

    def at_most(self, left: Size, right: Size) -> bool:
        """True when ``left <= right`` follows from the bounds of the loop indices in `left`."""
        highest = left
        for name in dims.symbols(left):
            if name in self.highs and isinstance(left, Dim) and all(c > 0 for a, c in left.terms):
                highest = dims.substitute(highest, {name: self.highs[name]})
        return self.is_ordered(highest, right) or self._square(self.settle(dims.sub(right, highest)))

    def is_ordered(self, left: Size, right: Size) -> bool:
        """True when ``left <= right`` always, or by a guard on what was found in the example."""
        room = self.settle(dims.sub(right, left))
        bound = dims.lower(room)
        if bound is not None and bound >= 0:
            return True
        for less, more in self.ordered:
            bound = dims.lower(dims.sub(room, self.settle(dims.sub(more, less))))
            if bound is not None and bound >= 0:
                self.guards.append(Guard("at_most", less, more))
                return True
        return False

    def _square(self, room: Size) -> bool:
        """Two axes of one size in the example (a square matrix) become one size by a guard."""
        if not isinstance(room, Dim) or room.const or sorted(c for _, c in room.terms) != [-1, 1]:
            return False
        one, other = (Dim(((atom, 1),)) for atom, _ in room.terms)
        return self.same_size(one, other)

    def same_size(self, left: Size, right: Size) -> bool:
        """True when the two sizes are equal, made so by a guard on the arguments if the example says so."""
        left, right = self.settle(left), self.settle(right)
        if left == right:
            return True
        if not (self.guardable(left) and self.guardable(right)):
            return False
        if self.hint(left) != self.hint(right):
            return False
        one, other = self._roots(left, right)
        if one == left:
            one, other = self._without_extremes(left), self._without_extremes(right)
        if one != other:
            self.assume_equal(one, other)
        return True

    def _roots(self, left: Size, right: Size) -> tuple[Size, Size]:
        """``max(n0 - 2, 0) == max(m0 - 2, 0)`` follows from ``n0 == m0``: the simpler guard, if it holds."""
        ours, theirs = dims.symbols(left), dims.symbols(right)
        if len(ours) == len(theirs) == 1:
            one, other = ours.pop(), theirs.pop()
            if (
                self.hints.get(one) == self.hints.get(other)
                and dims.substitute(left, {one: dims.symbol(other)}) == right
            ):
                return dims.symbol(one), dims.symbol(other)
        return left, right

    def _without_extremes(self, size: Size) -> Size:
        """`size` with ``max`` and ``min`` of several sizes replaced by what they are in the example.

        Where sizes have to agree, few orders of their parts make them: in ``z[:, 2 * n : 3 * n] * c`` the
        axis of z is at least ``3 * n`` long. Extremes of one size and numbers, which any size can have, stay.
        """
        if isinstance(size, int):
            return size
        result: Size = size.const
        for atom, coefficient in size.terms:
            part: Size = Dim(((atom, 1),))
            if isinstance(atom, dims.Term) and atom.function in ("max", "min"):
                part = self._chosen(atom)
            result = dims.add(result, dims.scale(part, coefficient))
        return result

    def _chosen(self, extreme: dims.Term) -> Size:
        left, right = self._without_extremes(extreme.left), self._without_extremes(extreme.right)
        a, b = self.hint(left), self.hint(right)
        if len(dims.symbols(dims.sub(left, right))) < 2 or a is None or b is None:
            return dims.maximum(left, right) if extreme.function == "max" else dims.minimum(left, right)
        low, high = (left, right) if a <= b else (right, left)
        if not self.is_ordered(low, high):
            self.ordered.append((low, high))
            self.guards.append(Guard("at_most", low, high))
        return high if extreme.function == "max" else low

    def known(self, size: Size, value: int) -> bool:
        """True when `size` is `value` in the example and a guard can hold it there."""
        size = self.settle(size)
        if isinstance(size, int):
            return size == value
        if self.hint(size) != value or not self.guardable(size):
            return False
        self.assume_equal(size, value)
        return True

    def is_one(self, size: Size) -> bool | None:
        """Whether `size` is 1, which a guard holds to what it is in the example; None if that can't be."""
        size = self.settle(size)
        if isinstance(size, int):
            return size == 1
        if self.known(size, 1):
            return True
        low = dims.lower(size)
        if low is not None and low > 1:
            return False
        if self.hint(size) is None or not self.guardable(size):
            return None
        self.guards.append(Guard("unequal", size, 1))
        return False

    def guardable(self, size: Size) -> bool:
        """Whether `size` is known from the arguments, so that a guard can hold it."""
        return all(s in self.sizes and self.sizes[s][0].name in self.params for s in dims.symbols(size))

    def assume_equal(self, left: Size, right: Size) -> None:
        """Record a guard and use one representative from now on."""
        left, right = self._multiplied(left, right)
        self.guards.append(Guard("equal", left, right))
        if (found := _solved(left, right)) is not None:
            name, value = found
            self.equal = {k: dims.substitute(v, {name: value}) for k, v in self.equal.items()}
            self.equal[name] = value

    def _multiplied(self, left: Size, right: Size) -> tuple[Size, Size]:
        """``m == 4 * n`` for ``n == m // 4``, in place of a guard that has it that m is a multiple of 4."""
        for one, other in ((left, right), (right, left)):
            atom = other.terms[0][0] if isinstance(other, Dim) else None
            if not isinstance(atom, dims.Term) or atom.function != "//" or other != Dim(((atom, 1),)):
                continue
            if isinstance(atom.right, int):
                whole = Guard("equal", dims.scale(other, atom.right), atom.left)
                if whole in self.guards:
                    self.guards = [guard for guard in self.guards if guard != whole]
                    return atom.left, dims.scale(one, atom.right)
        return left, right

    def edit(self, block: list[Node]) -> list[Node]:
        """`block`, about to be changed elsewhere than at its end: `rollback` brings it back as it is now."""
        self.edits.append((block, list(block)))
        return block

    def snapshot(self) -> Snapshot:
        """The state to come back to when a part has to be traced again."""
        lengths = [len(block) for block in self.blocks]
        facts = [set(known) for known in self.facts]
        return Snapshot(
            dict(self.names),
            lengths,
            len(self.blocks),
            set(self.sizes),
            facts,
            dict(self.opposites),
            dict(self.highs),
            dict(self.attributes),
            len(self.edits),
        )

    def rollback(self, snapshot: Snapshot) -> None:
        """Forget every node made since `snapshot` (guards stay: they only make the graph more special)."""
        self.names = dict(snapshot.names)
        self.facts = [set(known) for known in snapshot.facts]
        self.opposites, self.highs = dict(snapshot.opposites), dict(snapshot.highs)
        # In place, as scopes know their graph by this dict. Numbers and names given anew will be the same.
        self.attributes.clear()
        self.attributes.update(snapshot.attributes)
        while len(self.edits) > snapshot.edits:
            block, before = self.edits.pop()
            block[:] = before
        for symbol in set(self.sizes) - snapshot.sizes:
            if self.sizes[symbol][0].name not in self.params:
                del self.sizes[symbol]
        del self.blocks[snapshot.depth :]
        for block, length in zip(self.blocks, snapshot.blocks, strict=True):
            del block[length:]


def _solved(left: Size, right: Size) -> tuple[str, Size] | None:
    """A symbol and what it is if the two sizes are equal: one side, or the rest of their difference."""
    for one, other in ((right, left), (left, right)):
        if isinstance(one, Dim) and len(one.terms) == 1 and one.terms[0][1] == 1 and not one.const:
            atom = one.terms[0][0]
            if isinstance(atom, dims.Sym) and atom.name not in dims.symbols(other):
                return atom.name, other
    difference = dims.sub(left, right)
    for atom, coefficient in difference.terms if isinstance(difference, Dim) else ():
        if isinstance(atom, dims.Sym) and coefficient in (1, -1):
            value = dims.scale(dims.sub(difference, Dim(((atom, coefficient),))), -coefficient)
            low = dims.lower(value)
            if atom.name not in dims.symbols(value) and low is not None and low >= (atom.low or 0):
                return atom.name, value
    return None


_CURRENT: ContextVar[Builder | None] = ContextVar("jitscope_builder", default=None)
DEFAULT_GRAPH: ContextVar[Builder | None] = ContextVar("jitscope_default_graph", default=None)
"""The builder of the explicit graph that is the default here. Nodes are put there only while one of its
operations is made, so plain code and traces around it run as ever; scopes and names look here."""


def current() -> Builder:
    """The builder of the trace that is running in this thread."""
    builder = _CURRENT.get()
    if builder is None:
        raise RuntimeError("a symbol was used outside of the trace that made it")
    return builder


def rules() -> Rules:
    """What operators and functions mean on the symbols of the trace that is running in this thread."""
    found = current().rules
    if found is None:
        raise RuntimeError("this builder was made without rules for operators on symbols")
    return found


def tracing() -> bool:
    """True while a function is traced in this context."""
    return _CURRENT.get() is not None


def builder_here() -> Builder | None:
    """Whose nodes are made here: the running trace's, else the default explicit graph's, else nobody's."""
    return _CURRENT.get() or DEFAULT_GRAPH.get()


@contextmanager
def building(builder: Builder) -> Iterator[Builder]:
    """Make `builder` the current one."""
    token = _CURRENT.set(builder)
    try:
        yield builder
    finally:
        _CURRENT.reset(token)
