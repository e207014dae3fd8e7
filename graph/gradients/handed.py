"""What opaque Python has been handed: arrays that it may write, themselves or through objects that hold them.

flat = r.flat        # python: r is handed over, and `flat` holds it from here on
flat[3] = x[0]       # python: it gets `flat`, so it may write r
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..analysis.effects import is_array
from ..ir.nodes import Node, Operand, Value
from ..ir.types import Object
from ..ops.facts import is_python


class Handed:
    """Which arrays objects may hold, as far as nodes have been followed; `key` is one name for all."""

    def __init__(self, key: Callable[[Value], Value]) -> None:
        self._key = key
        self._held: dict[Value, set[Value]] = {}
        self._reached: dict[Node, set[Value]] = {}

    def count(self) -> int:
        """How much is known: it only grows."""
        return sum(map(len, self._held.values()))

    def reached(self, operands: Iterable[Operand]) -> set[Value]:
        """The arrays among `operands`, and those that objects among them hold."""
        found: set[Value] = set()
        for operand in operands:
            if is_array(operand):
                found.add(operand)
            elif isinstance(operand, Value):
                found |= self._held.get(self._key(operand), set())
        return found

    def follow(self, node: Node) -> None:
        """Python may put whatever it gets into each object that it gets or gives."""
        if not is_python(node) or _prints(node):
            return
        found = self._reached[node] = self.reached(node.operands)
        for value in (*node.operands, *node.results):
            self.hold(value, found)

    def hold(self, value: Operand, arrays: set[Value]) -> None:
        """From here on `value` may hold `arrays`, if it is an object."""
        if arrays and isinstance(value, Value) and isinstance(value.type, Object):
            self._held.setdefault(self._key(value), set()).update(arrays)

    def written(self, node: Node) -> set[Value]:
        """The arrays that `node` may write as opaque Python."""
        return set() if node.attrs.get("harmless") else self._reached.get(node, set())


def _prints(node: Node) -> bool:
    return str(node.attrs.get("text", "")).startswith("print(")
