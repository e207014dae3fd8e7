"""Which values of a function's body are alive together, so that others may share one Python variable."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..graph.ir.nodes import Block, Node, Value
from ..graph.ops.facts import hands_on, is_branch, is_tested, is_unit, leaves_function

Uses = Callable[[Node], Iterable[Value]]


class Interference:
    """Interference of the values of one block, from a walk backwards through its regions.

    `uses` names the values that are read where a node is printed, which are more than its operands when
    expressions are printed later than they stand; `first` the results that are assigned before it reads.
    """

    def __init__(self, block: Block, uses: Uses, first: Uses = lambda node: ()) -> None:
        self.clashes: dict[Value, set[Value]] = {}
        self._uses = uses
        self._first = first
        alive = self._block(block, set(), set(), set())
        self._define(block.params, alive)

    def clash(self, left: Value, right: Value) -> bool:
        """True when the two are alive together."""
        return right in self.clashes.get(left, ())

    def _define(self, values: Iterable[Value], alive: set[Value]) -> None:
        values = tuple(values)
        for value in values:
            mine = self.clashes.setdefault(value, set())
            for other in alive.union(values):
                if other is not value:
                    mine.add(other)
                    self.clashes.setdefault(other, set()).add(value)

    def _block(self, block: Block, after: set[Value], broken: set[Value], again: set[Value]) -> set[Value]:
        """What is alive before `block`; the sets are alive after its yield, break and continue."""
        alive: set[Value] = set()
        for node in reversed(block.nodes):
            if hands_on(node):
                goal = {"yield": after, "break": broken, "continue": again}[node.op]
                alive = set(goal).union(self._uses(node))
            elif leaves_function(node):
                alive = set(self._uses(node))
            else:
                alive = self._node(node, alive, broken, again)
        return alive

    def _node(self, node: Node, alive: set[Value], broken: set[Value], again: set[Value]) -> set[Value]:
        self._define(node.results, alive)
        after = alive.difference(node.results)
        read = set(self._uses(node))
        if early := tuple(self._first(node)):
            self._define(early, after | read)
        if is_unit(node) or not node.regions:
            return after | read
        if is_branch(node):
            before = [self._block(region, after, broken, again) for region in node.regions]
            return before[0] | before[1] | read
        return self._loop(node, alive, broken, again) | read

    def _loop(self, node: Node, done: set[Value], broken: set[Value], again: set[Value]) -> set[Value]:
        """What is alive before the loop; `done` is alive after it, its results among it."""
        head, body = (node.regions[0], node.regions[1]) if is_tested(node) else (None, node.regions[0])
        orelse = node.regions[-1] if len(node.regions) > (2 if head else 1) else None
        after = done.difference(node.results)
        leaving, left, final = after, done, node.results
        if orelse is not None:
            leaving = left = self._block(orelse, after, broken, again)
            final = orelse.params
            self._define(final, leaving)
            leaving = leaving.difference(final)
        # Bounds are read once, after the state got its first values.
        start = set() if head else set(self._uses(node)).difference(node.operands[-len(node.results) :])
        alive: set[Value] = set(leaving)
        while True:
            inside = self._block(body, alive, after, alive)
            self._define(body.params, inside | (start if head is None else set()))
            grown = (inside - set(body.params)) | leaving
            if head is not None:
                state = zip(head.params, body.params, final, strict=True)
                # The test yields the condition alone: its state goes on to the body and to what comes after.
                handed = {mine for mine, next_, last in state if next_ in inside or last in left}
                grown = self._block(head, grown | handed, after, alive)
                self._define(head.params, grown)
                grown.difference_update(head.params)
            if grown <= alive:
                return alive
            alive |= grown
