"""Memory that is written under one name and read under another: adjoints are kept by name, so it is refused.

A write goes to the root of its target. What is read later through another root, which was there before the
write and may be the same memory, would look for its adjoint in the wrong place. Roots that come after the
write (merges of branches and loops) hand their adjoints back to what they came from, and are fine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..analysis.around import body_of
from ..analysis.effects import is_array, writes
from ..analysis.own_copies import IN_NUMPYS_ORDER, reads_what_it_wrote
from ..ir.nodes import Node, Value
from ..ir.rewrite import defined_by
from ..ops.facts import is_branch, is_gradient_rule, is_jump, is_loop, is_view
from .activity import Activity
from .context import called
from .errors import NoGradient
from .storage import MemoryRoots


@dataclass(frozen=True, slots=True)
class _Access:
    node: Node
    root: Value
    place: int
    around: _Around


@dataclass(frozen=True, slots=True)
class _Around:
    """The loops around a node, and the branches that it is in."""

    loops: tuple[Node, ...] = ()
    branches: tuple[tuple[Node, int], ...] = ()

    def region(self, node: Node, number: int) -> _Around:
        """Where the nodes in a region of `node` are, which is here itself."""
        if is_loop(node):
            return _Around((*self.loops, node), self.branches)
        return _Around(self.loops, (*self.branches, (node, number))) if is_branch(node) else self

    def excludes(self, other: _Around) -> bool:
        """Whether only one of the two runs in one iteration, as the branches of one `if` do."""
        mine = dict(self.branches)
        return any(mine.get(node, number) != number for node, number in other.branches)


class Conflicts:
    """All writes and reads of active memory."""

    def __init__(self, storage: MemoryRoots, activity: Activity) -> None:
        self.storage, self.activity = storage, activity
        self.defined: dict[Value, tuple[int, tuple[Node, ...]]] = {}
        self.writes: list[_Access] = []
        self.reads: list[_Access] = []
        self.count = 0

    def refuse(self, nodes: Sequence[Node], targets: Sequence[Value]) -> None:
        """Raise `NoGradient` where memory is written under one name and read later under another."""
        for node in nodes:
            self._visit(node, _Around())
        last = nodes[-1] if nodes else None
        if last is not None:
            self.reads += [
                _Access(last, self.storage.root(y), self.count, _Around()) for y in targets if is_array(y)
            ]
        for write in self.writes:
            for read in self.reads:
                if read.root is not write.root and self._is_seen(write, read):
                    name = called(self.storage.known_as(write.root))
                    raise NoGradient(
                        write.node,
                        f"it writes to {name}, which may be the memory that is read under"
                        f" another name in line {read.node.loc.line}",
                        "make one of them a copy",
                    )

    def _is_seen(self, write: _Access, read: _Access) -> bool:
        place, loops = self.defined.get(read.root, (-1, ()))
        if place > write.place:
            return False
        again = any(loop in write.around.loops and loop not in loops for loop in read.around.loops)
        after = read.place > write.place and not write.around.excludes(read.around)
        return (after or again) and self.storage.overlap(write.root, read.root)

    def _visit(self, node: Node, around: _Around) -> None:
        self.count += 1
        place = self.count
        if node in self.activity.nodes:
            if reads_what_it_wrote(node, self.storage.aliases):
                raise NoGradient(node, IN_NUMPYS_ORDER, "copy what is read first")
            self._note(node, place, around)
        for number, region in enumerate(node.regions if not is_gradient_rule(node) else ()):
            inside = around.region(node, number)
            self.defined.update((param, (place, inside.loops)) for param in region.params)
            for one in region.nodes:
                self._visit(one, inside)
            leaves_loop = is_jump(region.ending) and around.loops
            self._edges(around.loops[-1] if leaves_loop else node, region.ending, inside)
        place = self.count
        self.defined.update(
            (value, (place, around.loops)) for value in defined_by(node) if value in node.results
        )

    def _note(self, node: Node, place: int, around: _Around) -> None:
        targets = writes(node)
        for target in targets:
            self.writes.append(_Access(node, self.storage.root(target), place, around))
        if is_view(node) and self.storage.root(node.results[0]) is not node.results[0]:
            return
        first = len(targets)  # they are the first operands
        wanted = self.activity.wanted(node)
        for k, operand in enumerate(node.operands):
            if k >= first and wanted[k] and is_array(operand) and self._is_handed_in(node, k):
                self.reads.append(_Access(node, self.storage.root(operand), place, around))

    def _is_handed_in(self, node: Node, k: int) -> bool:
        """Whether a derivative comes back to operand `k`: not to state of a loop that nobody needs."""
        if not is_loop(node):
            return True
        return self._is_needed(node, k - len(node.operands))

    def _is_needed(self, node: Node, place: int) -> bool:
        """Whether what `node` hands on has derivatives; `place` counts from the end of its results."""
        state = (body_of(node).params[place],) if is_loop(node) else ()
        return any(map(self.activity.is_active, (*state, node.results[place])))

    def _edges(self, node: Node, ending: Node, around: _Around) -> None:
        for k, operand in enumerate(ending.operands):
            if is_array(operand) and self.activity.is_active(operand):
                if len(ending.operands) != len(node.results) or self._is_needed(node, k - len(node.results)):
                    self.reads.append(_Access(ending, self.storage.root(operand), self.count, around))
