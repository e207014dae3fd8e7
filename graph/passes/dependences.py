"""Which nodes of a block must stay before which: what clusters may not turn round.

The relation is that of `effects.conflict`, and of values and sizes that one node makes and another uses; what
follows from other pairs is left out, so that there are about as many pairs as nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..analysis.effects import Aliases, Effects, effects_of
from ..ir.nodes import Node, Value
from ..ir.rewrite import ValuesByName, used_by
from ..ops.facts import is_ending

_RAISES, _OPAQUE, _LEAVES = "raises", "opaque", "leaves"


@dataclass(slots=True)
class Dependences:
    """Nodes by their places: `before[k]` are places that must stay before k, `after[k]` those after it.

    `uses[k]` are the places whose results k uses, `users` the places where a value is used.
    """

    before: list[set[int]]
    after: list[set[int]]
    uses: list[set[int]]
    users: dict[Value, list[int]]

    @classmethod
    def of(cls, nodes: tuple[Node, ...], names: ValuesByName, aliases: Aliases) -> Dependences:
        """The dependences among `nodes`, which follow each other in one block."""
        found = cls([set() for _ in nodes], [set() for _ in nodes], [set() for _ in nodes], {})
        made: dict[Value, int] = {}
        order, memory = _Order(aliases), _Memory(aliases)
        for k, node in enumerate(nodes):
            for value in used_by(node, names):
                found.users.setdefault(value, []).append(k)
                if value in made:
                    found.uses[k].add(made[value])
                    found._add(made[value], k)
            made.update(dict.fromkeys(node.results, k))
            if is_ending(node):
                continue  # the last one anyway
            effects = effects_of(node)
            if not effects.pure:
                for earlier in (*order.place(k, effects), *memory.place(k, effects)):
                    found._add(earlier, k)
        return found

    def _add(self, first: int, second: int) -> None:
        if first != second:
            self.before[second].add(first)
            self.after[first].add(second)


@dataclass(slots=True)
class _Order:
    """The order of what can be noticed from outside.

    What raises, runs opaque code or leaves the block keeps its order. Anything else stands still only beside
    some of these kinds.
    """

    aliases: Aliases
    last: int | None = None
    last_of: dict[str, int] = field(default_factory=dict)
    waiting: dict[str, list[int]] = field(
        default_factory=lambda: {kind: [] for kind in (_RAISES, _OPAQUE, _LEAVES)}
    )

    def place(self, k: int, effects: Effects) -> Iterator[int]:
        """The places before which `k` can't be moved; from now on it is one of them."""
        kinds = [kind for kind in (_RAISES, _OPAQUE, _LEAVES) if getattr(effects, kind)]
        if kinds:
            if self.last is not None:
                yield self.last
            for kind in kinds:
                yield from self.waiting[kind]
                self.waiting[kind].clear()
                self.last_of[kind] = k
            self.last = k
            return
        for kind in self._beside(effects):
            if kind in self.last_of:
                yield self.last_of[kind]
            self.waiting[kind].append(k)

    def _beside(self, effects: Effects) -> set[str]:
        """The kinds beside which a node without such a kind keeps its place."""
        kinds: set[str] = set()
        if effects.writes:
            kinds.add(_LEAVES)
            if any(not self.aliases.is_local(value) for value in effects.writes):
                kinds |= {_RAISES, _OPAQUE}
        used = (*effects.reads, *effects.writes)
        if effects.indexes or any(map(self.aliases.may_be_nothing, used)):
            kinds |= {_LEAVES, _RAISES}
        if _OPAQUE not in kinds and any(not self.aliases.is_local(value) for value in effects.reads):
            kinds.add(_OPAQUE)
        return kinds


@dataclass(slots=True)
class _Memory:
    """Reads and writes of memory that may be the same."""

    aliases: Aliases
    writer: dict[Value, int] = field(default_factory=dict)
    """For each root, the last node that wrote there."""
    readers: dict[Value, list[int]] = field(default_factory=dict)
    """For each root, the nodes that have read there since."""
    merged: dict[Value, None] = field(default_factory=dict)
    """The roots that others may overlap."""

    def place(self, k: int, effects: Effects) -> Iterator[int]:
        """The places of nodes that touch the same memory, they or `k` writing; from now on `k` is one."""
        written = dict.fromkeys(self.aliases.root(value) for value in effects.writes)
        read = dict.fromkeys(self.aliases.root(value) for value in effects.reads)
        for root in written:
            for other in self._overlapping(root, self.readers):
                yield from self.readers[other]
        for root in (*written, *read):
            for other in self._overlapping(root, self.writer):
                yield self.writer[other]
        self.merged |= {root: None for root in (*written, *read) if self.aliases.is_merged(root)}
        for root in read:
            self.readers.setdefault(root, []).append(k)
        for root in written:
            # Who comes after k comes after these as well.
            self.readers.pop(root, None)
            self.writer[root] = k

    def _overlapping(self, root: Value, among: dict[Value, int] | dict[Value, list[int]]) -> Iterator[Value]:
        """The roots `among` these that may share memory with `root`."""
        if root in among:
            yield root
        others = among if self.aliases.is_merged(root) else self.merged
        for other in others:
            if other is not root and other in among and self.aliases.may_overlap(root, other):
                yield other
