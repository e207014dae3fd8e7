"""Lists and dicts that the trace holds, whose items are variables: statements hand them on as the user's own.

``d = {"a": 0}`` before a loop and ``d["a"] += 1`` in it. Which items there are doesn't change in between.
"""

from __future__ import annotations

from ..graph.ir.nodes import Node
from .tracer import TracedDict, TracedList

MOST = 64
"""Of so many items, and of so many lists and dicts at once, the trace keeps account."""


class HeldItems:
    """The items of a list or dict that was made in `block`."""

    __slots__ = ("container", "block", "outside", "first")

    def __init__(self, container: TracedList | TracedDict, block: list[Node]) -> None:
        self.container, self.block = container, block
        self.first = self.content()
        self.outside = 0
        """How many functions are open that are compiled apart, and can't hand it on."""

    @property
    def state(self) -> tuple[object, ...]:
        """The items, as they are now."""
        held = self.container
        return tuple(held.values() if isinstance(held, TracedDict) else held)

    @state.setter
    def state(self, items: tuple[object, ...]) -> None:
        held = self.container
        if isinstance(held, TracedDict):
            held.update(zip(tuple(held), items, strict=True))
        else:
            held[:] = items

    def assigned(self) -> dict[object, object]:
        """Of a dict, the items that are others than at first."""
        assert isinstance(self.container, TracedDict)
        assert isinstance(self.first, dict)
        first = self.first
        return {k: value for k, value in self.container.items() if k not in first or value is not first[k]}

    def names(self, number: int) -> list[str]:
        """What the items are called."""
        keys = self.container if isinstance(self.container, TracedDict) else range(len(self.container))
        return [
            key if type(key) is str and key.isidentifier() else f"item_{number}_{k}"
            for k, key in enumerate(keys)
        ]

    def content(self) -> dict[object, object] | list[object]:
        """All that it holds, for `put_back`."""
        return dict(self.container) if isinstance(self.container, TracedDict) else list(self.container)

    def put_back(self, content: dict[object, object] | list[object]) -> None:
        """Hold this again, whatever has been put into it."""
        held = self.container
        held.clear()
        if isinstance(held, TracedDict):
            held.update(dict(content))  # type: ignore[arg-type]
        else:
            held.extend(content)
