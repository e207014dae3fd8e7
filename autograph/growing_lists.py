"""Python's lists of numbers that are appended to: so many items of a buffer that doubles when it is full."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.ir import dims
from ..graph.ir.axes import Span
from ..graph.ir.nodes import Node, Operand, Value
from ..graph.ir.types import Array, Scalar
from ..graph.symbolic.arith import operand
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.elements import store_at
from ..graph.symbolic.indexing import make_view
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.operators import binary
from ..graph.symbolic.symbols import as_dim
from ..graph.trace.build import current
from .number_lists import DTYPES, NumberList, kind_of_number, now, refuse

FIRST_ROOM = 16
"""The places that a buffer has beyond the items that it begins with."""


class GrowingList(NumberList):
    """A list that grows and shrinks at its end: the first `filled` items of `buffer`.

    Both are variables of the trace: who traces a block has to hand them on as it does the user's variables.
    `block` is the one in which the list was made.
    """

    block: list[Node]
    __slots__ = ("buffer", "filled", "walked", "frozen", "born", "block")

    def __init__(self, kind: Scalar, first: NumberList | None = None) -> None:
        self.path, self.given, self.part, self.tag, self.site = None, None, False, None, None
        self.serial, self.walked, self.frozen, self.merged, self.born = now(), 0, False, False, 0
        self.filled: Any = 0 if first is None else first.length()
        room = binary("add", self.filled, FIRST_ROOM) if first is not None else FIRST_ROOM
        self.buffer: SymbolicArray = numpy_call(np.empty, (room,), {"dtype": DTYPES[kind]})
        if first is not None:
            self.buffer[: self.filled] = first.array

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        """The items as an array."""
        return part_of(self.buffer, self.filled)

    @property
    def state(self) -> tuple[Any, Any]:
        """What changes."""
        return self.buffer, self.filled

    @state.setter
    def state(self, found: tuple[Any, Any]) -> None:
        self.buffer, self.filled = found

    @property
    def kind(self) -> Scalar:
        return NumberList(self.buffer).kind

    def content(self) -> tuple[Any, ...]:
        """All that it holds, for `put_back`."""
        return self.state

    def put_back(self, content: tuple[Any, ...]) -> None:
        """Hold this again."""
        self.state = content

    def buffer_names(self, name: str, number: int) -> list[str]:
        """What its buffers are called."""
        columns = len(self.state) - 1
        return [f"{name}_{number}"] if columns == 1 else [f"{name}_{number}_{k}" for k in range(columns)]

    def length(self) -> Any:
        return self.filled

    def append(self, value: object) -> None:
        """``list.append(value)``."""
        self.changes()
        if kind_of_number(value) != self.kind:
            refuse("an item of another kind than the others")
        self.buffer = grown(self.buffer, operand(self.filled))
        store_at(self.buffer, self.filled, value)
        self.filled = binary("add", self.filled, 1)

    def pop(self, index: object = -1) -> Any:
        """``list.pop()`` of a list that isn't empty."""
        self.changes()
        self.filled = binary("sub", self.filled, 1)
        return NumberList(self.buffer).item(self.filled)

    def changes(self) -> None:
        if self.walked:
            refuse("a list that changes while a loop goes through it")
        if self.frozen:
            refuse("a list that grows after another variable has it")


def part_of(buffer: SymbolicArray, count: Any, start: int = 0) -> SymbolicArray:
    """So many items of a buffer, which has them."""
    if isinstance(count, int):
        return buffer[start : start + count]
    place = count.operand()
    size = as_dim(count) or dims.symbol(place.name, 0)
    text = f"{{0}}[{start}:{{1}} + {start}]" if start else "{0}[:{1}]"
    inner = buffer.shape_sizes[1:]
    axes = [Span(0, start), *(Span(k) for k in range(1, buffer.ndim))]
    return make_view(buffer, axes, (size, *inner), [buffer.operand(), place], text)


def grown(buffer: SymbolicArray, place: Operand) -> SymbolicArray:
    """The buffer, or a longer one with the same items, which has room for an item at `place`."""
    builder = current()
    length = builder.fresh("list_length")
    shape = (dims.symbol(length), *buffer.shape_sizes[1:])
    value = Value(builder.fresh(builder.suggest() or "items"), Array(buffer.dtype, shape, "C"))
    builder.sizes[length] = (value, 0)
    builder.append(Node("grow", (buffer.operand(), place), (value,), {}, (), builder.locate()))
    return SymbolicArray(value, "C")
