"""Which nodes lie between xs and ys: what varies with xs, and what of that matters for ys.

Scalars are followed by value, arrays by root. On the straight line at the top the order of nodes counts;
inside of a region everything is taken to happen again and again, until nothing new is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..analysis.around import body_of
from ..analysis.effects import is_array, is_opaque
from ..analysis.flow import Place, merges
from ..ir.nodes import Node, Operand, Value
from ..ir.types import Array, Object, Scalar
from ..ops import OPS
from ..ops.define import NotDifferentiable
from ..ops.facts import is_check, is_ending, is_gradient_rule, is_iterated, is_python, is_view
from .storage import MemoryRoots, running


class Activity:
    """What is active in a straight line of nodes.

    Attributes:
        varied: scalars and roots that depend on xs, at some time.
        useful: those of them that ys depend on, at some time.
        nodes: what the sweep has to visit.
    """

    def __init__(self, storage: MemoryRoots, stops: set[Value]) -> None:
        self.storage = storage
        self.stops = stops
        self.varied: set[Value] = set()
        self.useful: set[Value] = set()
        self.nodes: set[Node] = set()
        self._flags: dict[Node, list[bool]] = {}

    def run(self, nodes: Sequence[Node], sources: dict[int, list[Value]], targets: Iterable[Value]) -> None:
        """Find what is active; `sources` are the keys of xs by the number of nodes before their time."""
        for place, node in enumerate(nodes):
            self.varied.update(sources.get(place, ()))
            self._settle(node, self._vary, self.varied)
        self.varied.update(sources.get(len(nodes), ()))
        self.useful.update(key for key in map(self.key, targets) if key in self.varied)
        for node in reversed(nodes):
            self._settle(node, self._use, self.useful)

    def key(self, value: Value) -> Value:
        """What stands for `value`: the root of an array; for state, its value at the loop's head."""
        return self.storage.root(value) if is_array(value) else self.storage.flow.head.get(value, value)

    def wanted(self, node: Node) -> tuple[bool, ...]:
        """Per operand, whether it varied when `node` ran."""
        return tuple(self._flags.get(node, [False] * len(node.operands)))

    def is_active(self, operand: Operand) -> bool:
        """Whether `operand` has an adjoint at some time."""
        return isinstance(operand, Value) and self.key(operand) in self.useful and is_floating(operand)

    def _settle(self, node: Node, transfer: object, found: set[Value]) -> None:
        if not node.regions:
            transfer(node)  # type: ignore[operator]
            return
        while True:
            before = len(found), len(self.nodes)
            for inner in (node, *running(node)):
                transfer(inner)  # type: ignore[operator]
            if (len(found), len(self.nodes)) == before:
                return

    def _vary(self, node: Node) -> None:
        flags = self._flags.setdefault(node, [False] * len(node.operands))
        for k, operand in enumerate(node.operands):
            if isinstance(operand, Value) and self._has_varied(node, operand):
                flags[k] = True
        if is_ending(node) or is_check(node):
            return
        if is_gradient_rule(node):
            if any(flags[len(node.results) :]):
                for result in node.results:
                    self._add(result, self.varied)
            return
        if node.regions:
            for place, merged in merges(node):
                self._merge(place, merged, self.varied)
            if is_iterated(node) and flags[0]:
                self._add(body_of(node).params[0], self.varied)
            return
        if not any(flags) or stops_flow(node):
            return
        if any(flags[1:]) or is_opaque(node):
            for target in self.storage.writes(node):
                self._touch(target, self.varied)
        if is_view(node):
            self._add(node.results[0], self.varied)
            return
        for result in node.results:
            self._add(result, self.varied)

    def _has_varied(self, node: Node, operand: Value) -> bool:
        """Whether `operand` has; to opaque Python, an object has when an array that it holds has."""
        if self.key(operand) in self.varied:
            return True
        if not (is_python(node) or is_iterated(node)) or is_array(operand):
            return False
        if any(self.key(array) in self.varied for array in self.storage.handed.by(node)):
            self._add(operand, self.varied)
        return self.key(operand) in self.varied

    def _add(self, value: Value, into: set[Value]) -> None:
        key = self.key(value)
        if key not in self.stops and (isinstance(key.type, Object) or is_floating(key)):
            into.add(key)

    def _touch(self, target: Value, into: set[Value]) -> None:
        """Something was written through `target`: all that may share its memory has it."""
        self._add(target, into)
        root = self.key(target)
        for value in self.storage.flow.order:
            if is_array(value) and value not in into and self.storage.root(value) is value:
                if self.storage.overlap(value, root):
                    self._add(value, into)

    def _merge(self, place: Place, merged: Sequence[Value], into: set[Value]) -> None:
        for edge in self.storage.flow.edges.get(place, ()):
            for operand, value in zip(edge, merged, strict=False):
                if isinstance(operand, Value) and self.key(operand) in into:
                    self._add(value, into)

    def _use(self, node: Node) -> None:
        if is_ending(node) or is_check(node):
            return
        if is_gradient_rule(node):
            if any(self._is_useful(result) for result in node.results):
                self.nodes.add(node)
                self._need_all(node, len(node.results))
            return
        if node.regions:
            for place, merged in merges(node):
                self._use_edges(place, merged)
            if any(inner in self.nodes for inner in running(node)) or any(
                self.key(result) in self.useful for result in node.results
            ):
                self.nodes.add(node)
            return
        if stops_flow(node):
            return
        touched = any(self._is_useful(target) for target in self.storage.writes(node))
        if not touched and not any(self._is_useful(result) for result in node.results):
            return
        self.nodes.add(node)
        self._need_all(node)

    def _is_useful(self, value: Value) -> bool:
        key = self.key(value)
        if key in self.useful:
            return True
        if not is_array(value):
            return False
        return any(is_array(u) and self.storage.overlap(u, key) for u in self.useful)

    def _need_all(self, node: Node, first: int = 0) -> None:
        for flag, operand in zip(self.wanted(node)[first:], node.operands[first:], strict=True):
            if flag and isinstance(operand, Value):
                self._need(operand)

    def _need(self, operand: Value) -> None:
        key = self.key(operand)
        if key in self.varied:
            self.useful.add(key)

    def _use_edges(self, place: Place, merged: Sequence[Value]) -> None:
        for edge in self.storage.flow.edges.get(place, ()):
            for operand, value in zip(edge, merged, strict=False):
                if isinstance(operand, Value) and self.key(value) in self.useful:
                    self._need(operand)


def is_floating(value: Operand) -> bool:
    """True for numbers and arrays that have derivatives."""
    return isinstance(value.type, Scalar | Array) and value.type.dtype.kind in "fc"


def stops_flow(node: Node) -> bool:
    """True when nothing flows through `node`, by its op or because the user said so."""
    op = OPS.get(node.op)
    return bool(node.attrs.get("stop_gradient")) or (
        op is not None and isinstance(op.gradient, NotDifferentiable)
    )
