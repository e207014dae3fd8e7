"""Python's deques of numbers, or of tuples of numbers, that are filled at their end and emptied at both.

All that was put in is a list that grows; what was taken from its beginning stands before `head`.
"""

from __future__ import annotations

import collections
from typing import Any

from ..graph.ir.nodes import Node
from ..graph.symbolic.operators import binary
from .growing_lists import GrowingList
from .number_dicts import HeldTable, stub


class NumberDeque(HeldTable):
    """A deque in buffers.

    Attributes:
        items: what was put in, as far as `head` has not moved up to it and it was not moved down.
        head: where the first item stands.
        block: the block in which it was made.
    """

    __slots__ = ("items", "head", "site", "block")
    python_type: type = collections.deque

    def __init__(self, items: GrowingList, site: object, block: list[Node]) -> None:
        self.items, self.site, self.block = items, site, block
        self.head: Any = 0

    @property
    def state(self) -> tuple[Any, ...]:
        """What changes."""
        return (*self.items.state, self.head)

    @state.setter
    def state(self, found: tuple[Any, ...]) -> None:
        *items, self.head = found
        self.items.state = tuple(items)

    def names(self, number: int) -> list[str]:
        """What they are called."""
        return [*self.items.buffer_names("queue", number), f"end_{number}", f"head_{number}"]

    def content(self) -> tuple[Any, ...]:
        """All that it holds, for `put_back`."""
        return self.state

    def put_back(self, content: tuple[Any, ...]) -> None:
        """Hold this again."""
        self.state = content

    def length(self) -> object:
        """How many items it has."""
        return binary("sub", self.items.filled, self.head)

    append, popleft, pop, extend, clear = map(stub, "append popleft pop extend clear".split())
