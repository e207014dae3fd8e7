"""What one call of `gradients` knows: its name, the forward computation, the marks of what it makes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ..ir.nodes import Node, Operand, Value
from ..trace.build import Builder
from ..trace.quiet import QUIET, as_quiet_as
from ..trace.scopes import gradient_scope
from .activity import Activity
from .exits import ExitRewriter
from .storage import MemoryRoots

_MARKS = ("_Jit", "_Device", QUIET)


def stem(name: str) -> str | None:
    """The user's name in a value's name; None for temporaries."""
    found = re.sub(r"\.\d+$", "", name)
    return None if re.fullmatch(r"t\d+", found) else found


def called(value: Value) -> str:
    """How an error speaks of `value`: by the user's name for it."""
    name = stem(value.name)
    return f"'{name}'" if name else "an array"


def adjoint_name(value: Value) -> str | None:
    """A name for the adjoint of `value`, not yet made unique; None for temporaries."""
    known = stem(value.name)
    return None if known is None else f"d_{known}"


class GradientCall:
    """One call of `gradients`."""

    def __init__(
        self,
        builder: Builder,
        name: str,
        storage: MemoryRoots,
        activity: Activity,
        exits: ExitRewriter,
        prepare: Mapping[str, Callable[[Any, Node], None]],
    ) -> None:
        self.builder = builder
        self.name = name
        self.storage = storage
        self.activity = activity
        self.exits = exits
        self.prepare = prepare
        """By operation: what nodes with regions keep for their reverse pass as they run."""
        self.node: Node | None = None
        self.sizes_of: dict[Value, list[tuple[str, int]]] = {}
        for symbol, (value, axis) in builder.sizes.items():
            self.sizes_of.setdefault(value, []).append((symbol, axis))

    @contextmanager
    def back(self, node: Node | None) -> Iterator[None]:
        """What is made inside is the gradient of `node`: its scope, its device, its line."""
        if node is None:
            yield
            return
        before, self.node = self.node, node
        try:
            with self._located(node), gradient_scope(node, self.name), as_quiet_as(node):
                yield
        finally:
            self.node = before

    def name_after(self, operands: Sequence[Operand]) -> None:
        """What is made from here on, for this node, is named after the one operand whose adjoint it makes."""
        if len(operands) == 1 and isinstance(operands[0], Value):
            name = adjoint_name(operands[0])
            self.builder.suggest = lambda: name

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
        line = replace(node.loc, column=0, end=0)  # what is made is not what the user wrote there
        builder.locate, builder.suggest = lambda: line, lambda: None
        try:
            yield
        finally:
            builder.locate, builder.suggest = locate, suggest
