"""Whose content is still read: what later nodes of a region, in this iteration or the next, can reach.

    x = b * 1.0
    for i in range(n):          # x is needed here: the test below reads what the last iteration wrote
        s = x.sum()
        t = b * s               # x is not needed here: all of it is written before anybody reads it
        x[:] = t - s

`Memory` answers every question of the kind "may this memory be taken, dropped or used again?" for one region.
An array is *needed* at a point if some path from there reads it before all of it is written anew. That is the
liveness of what is in memory, found backwards through the regions as that of variables is (Appel, Modern
Compiler Implementation, section 10.1), where a definition is a write of a whole array.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ..ir.nodes import Block, Graph, Node, Value, value_operands, walk
from ..ops.facts import (
    falls_through,
    is_assign,
    is_branch,
    is_ending,
    is_loop,
    is_raise,
    is_recursion,
    is_return,
    is_tested,
    is_view,
)
from .around import body_of, else_of
from .effects import Aliases, effects_of, is_array, reads

_Needed = frozenset[Value]


@dataclass(frozen=True, slots=True)
class _Goals:
    """What is needed where an ending goes on: after a `yield`, a `break`, a `continue`."""

    after: _Needed = frozenset()
    broken: _Needed = frozenset()
    again: _Needed = frozenset()


@dataclass(slots=True)
class _Point:
    """What is needed before and after one node, in any iteration."""

    before: set[Value] = field(default_factory=set)
    after: set[Value] = field(default_factory=set)


class Memory:
    """The arrays that the nodes of a region make, and what becomes of them.

    `readers` are the nodes that have a value among their operands; `late` holds nodes that are computed where
    their result is used, not where they stand.
    """

    def __init__(
        self, region: Block, readers: Mapping[Value, list[Node]], late: Mapping[Value, Node]
    ) -> None:
        self._aliases = Aliases(Graph("region", (), region))
        self._readers, self._late = readers, late
        self._own = {value for node in walk(region) for value in node.results if is_array(value)}
        self._carried = self._handed_on(region)
        self._points: dict[Node, _Point] = {}
        given = region.ending.operands if falls_through(region) else ()
        self._outputs = frozenset(root for o in given if is_array(o) for root in self._roots(o))
        self._block(region, _Goals(after=self._outputs))

    # Questions

    def needed_before(self, node: Node, value: Value) -> bool:
        """Whether what the memory of `value` holds just before `node` may be read later."""
        return self._is_needed(value, self._points[node].before)

    def needed_after(self, node: Node, value: Value) -> bool:
        """Whether what the memory of `value` holds just after `node` may be read later."""
        return self._is_needed(value, self._points[node].after)

    def outlives(self, value: Value) -> bool:
        """Whether a reference to the array, or to a part of it, may outlive its iteration of a loop."""
        for node in self._readers.get(value, ()):
            if is_ending(node) or node.regions or is_recursion(node):
                return True
            if is_view(node) and self.outlives(node.results[0]):
                return True
        return False

    def _is_needed(self, value: Value, needed: Collection[Value]) -> bool:
        roots = self._roots(value)
        return not roots or any(root not in self._own or root in needed for root in roots)

    # Structure

    def _roots(self, value: Value) -> frozenset[Value]:
        return self._aliases.roots(value)

    def _handed_on(self, region: Block) -> frozenset[Value]:
        """Arrays of which several may exist at once: those that loops and branches hand on."""
        found: set[Value] = set()
        for node in walk(region):
            if node.regions or is_ending(node):
                found.update(root for o in node.operands if is_array(o) for root in self._roots(o))
        return frozenset(found)

    # Backwards through the regions

    def _block(self, block: Block, goals: _Goals) -> _Needed:
        """What is needed before `block`."""
        needed: _Needed = frozenset()
        for node in reversed(block.nodes):
            point = self._points.setdefault(node, _Point())
            if is_ending(node):
                needed = self._ending(node, goals)
            point.after |= needed
            needed = self._node(node, needed, goals)
            point.before |= needed
        return needed

    def _ending(self, node: Node, goals: _Goals) -> _Needed:
        if is_return(node):  # of a helper: its caller may read all that it gets
            return frozenset(root for o in node.operands if is_array(o) for root in self._roots(o))
        goal = {"yield": goals.after, "break": goals.broken, "continue": goals.again}
        return goal.get(node.op, frozenset())

    def _node(self, node: Node, after: _Needed, goals: _Goals) -> _Needed:
        if is_loop(node):
            return self._loop(node, after, goals)
        if is_branch(node):
            inside = _Goals(after, goals.broken, goals.again)
            before = [self._block(region, inside) for region in node.regions]
            return before[0].union(*before[1:], self._read_late(node))
        return (after - self._written_anew(node)) | self._read(node)

    def _loop(self, node: Node, after: _Needed, goals: _Goals) -> _Needed:
        orelse, body = else_of(node), body_of(node)
        leaving = after
        if orelse is not None:
            leaving = self._block(orelse, _Goals(after, goals.broken, goals.again))
        needed = leaving | self._read(node)
        while True:
            head = self._block(body, _Goals(needed, after, needed)) | needed
            if is_tested(node):
                head |= self._block(node.regions[0], _Goals(after=head))
            if head == needed:
                return needed
            needed = head

    def _written_anew(self, node: Node) -> _Needed:
        """The arrays all of whose elements are other ones after `node`."""
        if is_assign(node):
            target = node.operands[0]
            whole = is_array(target) and self._aliases.root(target) is target
            return frozenset((target,)) - self._carried if whole and is_array(target) else frozenset()
        return frozenset(v for v in node.results if is_array(v)) - self._carried

    def _read(self, node: Node) -> _Needed:
        """The arrays whose content `node` reads, also by way of what is computed only now."""
        if is_ending(node) and not is_raise(node):
            return self._read_late(node)
        read = effects_of(node).reads if node.regions and not is_loop(node) else reads(node)
        return self._read_late(node).union(root for v in read for root in self._roots(v))

    def _read_late(self, node: Node) -> _Needed:
        """The arrays that are read where an operand of `node` is computed."""
        found: set[Value] = set()
        todo = [operand for operand in value_operands(node) if operand in self._late]
        while todo:
            inner = self._late[todo.pop()]
            found.update(root for value in reads(inner) for root in self._roots(value))
            todo += [operand for operand in value_operands(inner) if operand in self._late]
        return frozenset(found)
