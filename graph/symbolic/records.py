"""`SymbolicRecord`: the named tuple that a NumPy function gives, with fields that the graph knows."""

from __future__ import annotations

from typing import Any

from ..ir.nodes import Node, Operand
from ..ir.types import OBJECT
from ..trace.build import current
from .symbols import SymbolicObject, template


class SymbolicRecord(SymbolicObject):
    """Fields by place and by name; where the tuple itself is needed, the driver puts it together again."""

    __slots__ = ("_made", "_items", "kind")
    is_assembled = True

    def __init__(self, kind: type, items: tuple[Any, ...]) -> None:
        self.kind = kind
        self._items = items
        self._made: tuple[list[Node], Operand] | None = None

    def operand(self) -> Operand:
        builder = current()
        if self._made is None or not any(block is self._made[0] for block in builder.blocks):
            under = template()
            name = f"{self.kind.__module__.replace('numpy', 'np', 1)}.{self.kind.__qualname__}"
            text = under.call(name, self._items, {})
            made = builder.one("python", under.operands, OBJECT, text=text, harmless=True)
            self._made = (builder.blocks[-1], made)
        return self._made[1]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (int, slice)):
            return self._items[index]
        return super().__getitem__(index)

    def __getattr__(self, name: str) -> Any:
        names: tuple[str, ...] = getattr(self.kind, "_fields", ())
        return self._items[names.index(name)] if name in names else super().__getattr__(name)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Any:
        return iter(self._items)

    __hash__ = SymbolicObject.__hash__
