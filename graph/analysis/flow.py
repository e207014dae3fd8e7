"""Where values come from: definitions, and the edges along which state flows into loops and out of regions.

A *place* is where values merge: the body block of a loop (its parameters: the state at the head), or a node
with regions (its results). Every edge into a place is a tuple of operands, one per parameter or result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from ..ir.nodes import Block, Graph, Literal, Node, Operand, Value
from ..ir.types import OBJECT, Array
from ..ops.facts import (
    falls_through,
    is_closure,
    is_gradient_rule,
    is_jump,
    is_loop,
    is_recursion,
    is_recursive,
    is_unit,
    is_yield,
)
from .around import Around, body_of, else_of

Place = Node | Block
Edge = tuple[Operand, ...]
_NOTHING = Literal(None, OBJECT)


def endings_of(body: Block, outermost: bool = True) -> Iterator[Node]:
    """The endings in a loop's body that begin its next iteration, or leave it."""
    ending = body.ending
    if is_jump(ending) or (outermost and is_yield(ending)):
        yield ending
    for node in body.nodes:
        if not is_loop(node) and not is_unit(node):
            for region in node.regions:
                yield from endings_of(region, False)


def merges(node: Node) -> list[tuple[Place, tuple[Value, ...]]]:
    """The places at which values come together in or after `node`, and what they are then."""
    found: list[tuple[Place, tuple[Value, ...]]] = [(node, node.results)]
    if is_loop(node):
        found.append((body_of(node), body_of(node).params))
    return found


class Flow:
    """Definitions and merges of one graph.

    Attributes:
        order: every value, in the order in which they are defined.
        definition: the node that a value is the result of.
        slot: for a merged value, its place and its position there.
        edges: what flows into each place.
        head: parameters of a loop's test or else region stand for the state at the loop's head, its body's.
        loop_of: the loop that a body block belongs to.
        again: what functions that call themselves get in these calls. Where they get and return arrays are
            places, too: their bodies' parameters, in the call from outside, and the results of each call.
    """

    def __init__(self, graph: Graph) -> None:
        self.order: dict[Value, int] = {}
        self.definition: dict[Value, Node] = {}
        self.slot: dict[Value, tuple[Place, int]] = {}
        self.edges: dict[Place, list[Edge]] = {}
        self.head: dict[Value, Value] = {}
        self.loop_of: dict[Block, Node] = {}
        self.again: dict[Block, list[Edge]] = {}
        self._recursions: list[list[Node]] = []
        for param in graph.params:
            self._define(param)
        self._block(graph.body, Around())

    def incoming(self, value: Value) -> Iterator[Operand]:
        """The operands that may become the merged `value`."""
        place, slot = self.slot[value]
        return (edge[slot] for edge in self.edges[place] if slot < len(edge))

    def _define(self, value: Value) -> None:
        self.order[value] = len(self.order)

    def _block(self, block: Block, around: Around) -> None:
        for node in block.nodes:
            target = around.target(node)
            if target is not None and is_closure(target):
                continue  # the result is the function, not what it returns
            if target is not None and not is_yield(node):  # what follows a `yield` is known to its owner
                again = is_loop(target) and node.op == "continue"
                place = body_of(target) if again else target
                self.edges[place].append(_padded(target, node.operands) if again else node.operands)
            elif is_loop(node):
                self._loop(node, around)
            elif node.regions:
                self._regions(node, around)
            else:
                for result in node.results:
                    self._define(result)
                    self.definition[result] = node
                if is_recursion(node):
                    self._merge_arrays(node, node.results)
                    self.edges[node] = [(o,) * len(node.results) for o in node.operands if is_array(o)]
                    for inner in self._recursions[-1:]:
                        inner.append(node)

    def _merge_arrays(self, place: Place, values: tuple[Value, ...]) -> None:
        for slot, value in enumerate(values):
            if is_array(value):
                self.slot[value] = (place, slot)

    def _regions(self, node: Node, around: Around) -> None:
        self.edges[node] = []
        if is_recursive(node):
            self._recursions.append([])
            (body,) = node.regions
            self.edges[body] = [node.operands]
            self._merge_arrays(body, body.params)
        for region in node.regions:
            for param in region.params:
                self._define(param)
            self._block(region, around.inside(node, region))
            if falls_through(region) and not is_gradient_rule(node):
                self.edges[node].append(region.ending.operands)
        if is_gradient_rule(node):
            self.edges[node].append(node.operands[: len(node.results)])
        if is_recursive(node):
            inner = self._recursions.pop()
            self.again[node.regions[0]] = [one.operands[one.attrs.get("arrays", 0) :] for one in inner]
            for one in inner:
                self.edges[one] += self.edges[node]
        self._results(node)

    def _results(self, node: Node) -> None:
        for slot, result in enumerate(node.results):
            self._define(result)
            self.definition[result] = node
            self.slot[result] = (node, slot)

    def _loop(self, node: Node, around: Around) -> None:
        body, count = body_of(node), len(node.results)
        self.loop_of[body] = node
        self.edges[node] = []
        self.edges[body] = [_padded(node, node.operands[len(node.operands) - count :])]
        for slot, param in enumerate(body.params):
            self._define(param)
            if slot >= len(body.params) - count:
                self.slot[param] = (body, slot)
        carried = body.params[len(body.params) - count :]
        for region in node.regions:
            is_else = region is else_of(node)
            if region is not body:
                state = region.params[len(region.params) - count :]
                self.head.update(zip(state, carried, strict=False))
            self._block(region, around.inside(node, region))
            if region is body and falls_through(region):
                self.edges[body].append(_padded(node, region.ending.operands))
            if is_else and falls_through(region):
                self.edges[node].append(region.ending.operands)
        if else_of(node) is None:
            self.edges[node].append(carried)
        self._results(node)


def is_array(operand: Operand) -> TypeGuard[Value]:
    """True for array values."""
    return isinstance(operand, Value) and isinstance(operand.type, Array)


def _padded(loop: Node, state: Edge) -> Edge:
    """State by the body's parameters: those of ``for`` begin with the index."""
    return (_NOTHING,) * (len(body_of(loop).params) - len(state)) + tuple(state)
