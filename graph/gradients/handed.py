"""What opaque Python has been handed: arrays that it may write, themselves or through objects that hold them.

flat = r.flat        # python: r is handed over, and `flat` holds it from here on
kept.append(flat)    # python, twice: `kept.append` is one with `kept`, which holds what it is given
kept[0][3] = x[0]    # python: it gets `kept`, so it may write r

Objects that one node takes or gives may be one another, or hold one another: together they hold arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..analysis.around import body_of
from ..analysis.effects import gives_away, is_array, is_opaque
from ..analysis.flow import Flow, merges
from ..ir.nodes import Node, Operand, Value
from ..ir.types import Object
from ..ops.facts import is_gradient_rule, is_iterated


class Handed:
    """Which arrays objects may hold, and what of them each node is handed; `key` is one name for all."""

    def __init__(self, flow: Flow, key: Callable[[Value], Value]) -> None:
        self._flow, self._key = flow, key
        self._with: dict[Value, Value] = {}
        self._held: dict[Value, dict[Value, None]] = {}
        self._reached: dict[Node, tuple[Value, ...]] = {}
        self._changes = 0

    def run(self, nodes: Sequence[Node]) -> None:
        """Follow `nodes` in their order; what is in a region happens again and again."""
        for node in nodes:
            before = -1
            while before != self._changes:
                before = self._changes
                self._follow(node)

    def by(self, node: Node) -> tuple[Value, ...]:
        """The arrays that `node` hands to Python, or gets of it."""
        return self._reached.get(node, ())

    def written(self, node: Node) -> tuple[Value, ...]:
        """The arrays that `node` itself may write as opaque Python."""
        return self.by(node) if is_opaque(node) else ()

    def _among(self, operands: Iterable[Operand]) -> dict[Value, None]:
        found: dict[Value, None] = {}
        for operand in operands:
            if is_array(operand):
                found[operand] = None
            elif isinstance(operand, Value):
                found |= self._held.get(self._one(operand), {})
        return found

    def _follow(self, node: Node) -> None:
        if is_gradient_rule(node):
            return
        if gives_away(node) and not _prints(node):
            self._reached[node] = self._join((*node.operands, *node.results))
        for region in node.regions:
            for inner in region.nodes:
                self._follow(inner)
        for place, merged in merges(node):
            for edge in self._flow.edges.get(place, ()):
                for pair in zip(edge, merged, strict=False):
                    if isinstance(pair[1].type, Object):
                        self._join(pair)
        if is_iterated(node):
            self._reached[node] = self._join((node.operands[0], body_of(node).params[0]))

    def _join(self, operands: Iterable[Operand]) -> tuple[Value, ...]:
        """From here on the objects among `operands` are one, and hold all arrays among them: these."""
        values = [o for o in operands if isinstance(o, Value)]
        held = self._among(values)
        objects = list(dict.fromkeys(self._one(v) for v in values if isinstance(v.type, Object)))
        for other in objects[1:]:
            self._with[other] = objects[0]
            self._held.pop(other, None)
        if objects:
            self._changes += len(objects) > 1 or len(held) != len(self._held.get(objects[0], {}))
            self._held[objects[0]] = held
        return tuple(held)

    def _one(self, value: Value) -> Value:
        """What stands for all objects that are one with `value`."""
        value = self._key(value)
        while value in self._with:
            value = self._with[value]
        return value


def _prints(node: Node) -> bool:
    return str(node.attrs.get("text", "")).startswith("print(")
