"""The builder: where symbols put their nodes while a function is traced."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NoReturn

from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import NOWHERE, Block, Guard, Literal, Loc, Node, Operand, Value
from ..ir.types import Array, Type
from .budget import NESTED_BLOCKS
from .questions import Questions
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
    facts: list[dict[str, bool]]
    opposites: dict[str, str]
    indices: dict[str, tuple[Size | None, Size]]
    attributes: dict[str, Any]
    shown: list[tuple[str, Size]]
    compared: dict[str, tuple[str, Size, Size]]
    joined: dict[str, tuple[bool, tuple[str, ...]]]
    chosen: dict[str, tuple[str, int, bool]]
    edits: int


@dataclass
class Relations:
    """What is known of sizes before a trace begins: what the trace before it found out too late."""

    equal: dict[str, Size] = field(default_factory=dict)
    ordered: list[tuple[Size, Size]] = field(default_factory=list)
    lows: dict[str, int] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    """The sizes that `equal` speaks of: a size may be called by the name of one that is met later."""
    guards: list[Guard] = field(default_factory=list)

    def begin(self, **rest: Any) -> Builder:
        """A builder that knows them."""
        return Builder(
            equal=dict(self.equal),
            ordered=list(self.ordered),
            lows=dict(self.lows),
            hints=dict(self.hints),
            guards=list(self.guards),
            **rest,
        )

    def learn(self, builder: Builder) -> bool:
        """Take over what `builder` knows; whether that is more, so that the trace has to start again."""
        found = builder.equal, builder.ordered, builder.lows
        if found == (self.equal, self.ordered, self.lows):
            return False
        self.equal, self.ordered, self.lows = dict(builder.equal), list(builder.ordered), dict(builder.lows)
        self.hints = dict(builder.hints)
        self.guards = [guard for guard in builder.guards if guard.kind == "equal"]
        return True

    def forget_strangers(self, builder: Builder) -> bool:
        """Forget what speaks of sizes that only earlier attempts have met; whether that is anything."""
        known = builder.sizes.keys() | builder.params

        def stays(*sides: Size | str) -> bool:
            return all(isinstance(side, str) or dims.symbols(side) <= known for side in sides)

        guards = [guard for guard in self.guards if stays(guard.left, guard.right)]
        equal = {name: size for name, size in self.equal.items() if name in known and stays(size)}
        ordered = [pair for pair in self.ordered if stays(*pair)]
        lows = {name: low for name, low in self.lows.items() if name in known}
        found = guards, equal, ordered, lows
        if found == (self.guards, self.equal, self.ordered, self.lows):
            return False
        self.guards, self.equal, self.ordered, self.lows = found
        return True


@dataclass(slots=True)
class Builder(Questions):
    """Nodes of the graph being traced, by open block; their names, and what is known of sizes."""

    locate: Callable[[], Loc] = lambda: NOWHERE
    suggest: Callable[[], str | None] = lambda: None
    names: dict[str, int] = field(default_factory=dict)
    blocks: list[list[Node]] = field(default_factory=lambda: [[]])
    facts: list[dict[str, bool]] = field(default_factory=lambda: [{}])
    """Conditions that are known to hold, or not to, by open block."""
    attributes: dict[str, Any] = field(default_factory=dict)
    node_hook: Callable[[Node], Mapping[str, Any]] | None = None
    opposites: dict[str, str] = field(default_factory=dict)
    joined: dict[str, tuple[bool, tuple[str, ...]]] = field(default_factory=dict)
    """The parts of a condition: all hold where an `and` does (True), none where an `or` doesn't (False)."""
    chosen: dict[str, tuple[str, int, bool]] = field(default_factory=dict)
    """Conditions that ask whether a value is (True), or isn't, a number: its name, and the number."""
    edits: list[tuple[list[Node], list[Node]]] = field(default_factory=list)
    rules: Rules | None = None
    """What operators on symbols mean; without them the builder makes nodes by name alone."""
    found: dict[tuple[Hashable, ...], tuple[list[Node], int, Value, int]] = field(default_factory=dict)
    """Values that may be asked for again: their blocks, where they are made, and how far was looked."""
    looked: dict[tuple[Hashable, ...], Node] = field(default_factory=dict)
    """The last node that was looked at for each."""

    agrees: bool = False
    """Sizes that nobody knows are taken to be equal where they must be, and the run sees to it."""

    withdrawn: dict[Value, Callable[[], NoReturn]] = field(default_factory=dict)
    """Values whose nodes were taken out, because only what was made of them counts: who asks for one after
    all starts the trace again."""

    spliced: dict[int, tuple[list[Node], list[Node]]] = field(default_factory=dict)
    """Blocks whose nodes were put into another one, and that one."""

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

    def given_since(self, count: int) -> set[str]:
        """The names of values that were new when there were `count` names already."""
        return set(islice(self.names, count, None))

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
        asked = next((operand for operand in node.operands if operand in self.withdrawn), None)
        if asked is not None:
            self.withdrawn[asked]()
        self.blocks[-1].append(node)

    def remember(self, key: tuple[Hashable, ...], value: Value) -> None:
        """The last node of the open block has made what `key` stands for."""
        place = len(self.blocks[-1]) - 1
        self.found[key] = self.blocks[-1], place, value, place

    def recall(self, key: tuple[Hashable, ...]) -> Value | None:
        """What was remembered, if it is there in the open blocks."""
        block, position, value, _ = self.found.get(key, (None, 0, None, 0))
        if value is None or block is None or not any(block is one for one in self.blocks):
            return None
        made = block[position].results if position < len(block) else ()
        return value if any(value is one for one in made) else None

    def made_since(self, key: tuple[Hashable, ...]) -> list[Node] | None:
        """The nodes behind what was remembered or looked at; None if they aren't all in the open block."""
        block, position, _, looked = self.found[key]
        if block is not self.blocks[-1]:
            return None
        seen = self.looked.get(key)
        still = seen is not None and looked < len(block) and block[looked] is seen  # nothing was taken back
        return block[(looked if still else position) + 1 :]

    def looked_at(self, key: tuple[Hashable, ...]) -> None:
        """The nodes that have been made until now leave `key` as it is."""
        block, position, value, _ = self.found[key]
        self.found[key] = block, position, value, len(block) - 1
        self.looked[key] = block[-1]

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
        known, shown = len(self.facts), len(self.shown)
        self.facts.append({})
        try:
            yield nodes
        finally:
            del self.facts[known:]
            del self.shown[shown:]
            while self.blocks[-1] is not nodes:
                self.blocks.pop()
            self.blocks.pop()

    def splice(self, block: list[Node]) -> None:
        """Put the nodes of a block that was closed into the open one."""
        self.blocks[-1].extend(block)
        self.spliced[id(block)] = block, self.blocks[-1]

    def is_open(self, block: list[Node]) -> bool:
        """Whether what was made in `block` was made in the open block."""
        while (more := self.spliced.get(id(block))) is not None:
            block = more[1]
        return block is self.blocks[-1]

    def learn(self, tag: Operand, found: bool = True) -> None:
        """From here to the end of the block it is known whether `tag` holds, and what follows from that."""
        if isinstance(tag, Value):
            self._learn(tag.name, found)

    def _learn(self, name: str, holds: bool) -> None:
        """What follows for what a condition negates, the sizes that it compares, the parts that it joins."""
        self.facts[-1][name] = holds
        while (negated := self.opposites.get(name)) is not None:
            name, holds = negated, not holds
            self.facts[-1][name] = holds
        if name in self.compared:
            self.show(name, holds)
        together, parts = self.joined.get(name, (not holds, ()))
        if together is holds:
            for part in parts:
                self._learn(part, holds)

    def is_known(self, tag: Operand) -> bool:
        """True when `tag` can only be true here."""
        return tag.value is True if isinstance(tag, Literal) else self.truth_of(tag.name) is True

    def truth_of(self, condition: str) -> bool | None:
        """Whether a condition holds here, where that is known."""
        return next((known[condition] for known in self.facts if condition in known), None)

    def edit(self, block: list[Node]) -> list[Node]:
        """`block`, about to be changed elsewhere than at its end: `rollback` brings it back as it is now."""
        self.edits.append((block, list(block)))
        return block

    def snapshot(self) -> Snapshot:
        """The state to come back to when a part has to be traced again."""
        lengths = [len(block) for block in self.blocks]
        facts = [dict(known) for known in self.facts]
        return Snapshot(
            dict(self.names),
            lengths,
            len(self.blocks),
            set(self.sizes),
            facts,
            dict(self.opposites),
            dict(self.indices),
            dict(self.attributes),
            list(self.shown),
            dict(self.compared),
            dict(self.joined),
            dict(self.chosen),
            len(self.edits),
        )

    def rollback(self, snapshot: Snapshot) -> None:
        """Forget every node made since `snapshot` (guards stay: they only make the graph more special)."""
        self.names = dict(snapshot.names)
        for param in sorted(self.params - self.names.keys()):  # what was read since stays a parameter
            self.names[param] = 0
        self.facts, self.shown = [dict(known) for known in snapshot.facts], list(snapshot.shown)
        self.opposites, self.indices = dict(snapshot.opposites), dict(snapshot.indices)
        self.compared, self.joined = dict(snapshot.compared), dict(snapshot.joined)
        self.chosen = dict(snapshot.chosen)
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
