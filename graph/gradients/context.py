"""What one call of `gradients` knows: its name, the forward computation, the marks of what it makes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..build import Builder
from ..ir import Node, Value
from ..scopes import gradient_scope
from .activity import Activity
from .exits import Exits
from .storage import Storage

_MARKS = ("_Jit", "_Device")


class Context:
    """One call of `gradients`."""

    def __init__(
        self, builder: Builder, name: str, storage: Storage, activity: Activity, exits: Exits
    ) -> None:
        self.builder = builder
        self.name = name
        self.storage = storage
        self.activity = activity
        self.exits = exits
        self.sizes_of: dict[Value, list[tuple[str, int]]] = {}
        for symbol, (value, axis) in builder.sizes.items():
            self.sizes_of.setdefault(value, []).append((symbol, axis))

    @contextmanager
    def back(self, node: Node) -> Iterator[None]:
        """What is made inside is the gradient of `node`: its scope, its device, its line."""
        with self._located(node), gradient_scope(node, self.name):
            yield

    @contextmanager
    def forward(self, node: Node) -> Iterator[None]:
        """What is made inside belongs to `node` itself: exactly its marks."""
        builder = self.builder
        hook = builder.node_hook
        marks = {key: value for key, value in node.attrs.items() if key.startswith(_MARKS)}
        builder.node_hook = lambda made: marks
        try:
            with self._located(node):
                yield
        finally:
            builder.node_hook = hook

    @contextmanager
    def _located(self, node: Node) -> Iterator[None]:
        builder = self.builder
        locate, suggest = builder.locate, builder.suggest
        builder.locate, builder.suggest = lambda: node.loc, lambda: None
        try:
            yield
        finally:
            builder.locate, builder.suggest = locate, suggest
