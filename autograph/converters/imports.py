"""`import` statements inside of functions.

import a             →      a = ag.module("a")
import a.b           →      a = ag.module("a", "a.b")
import a.b as c      →      c = ag.module("a.b")
from a import b      →      b = ag.from_module("a", "b")
"""

from __future__ import annotations

from typing import Any

from .context import Context, Converter, assign, constant, store

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every `import`."""
    return _Imports(context).visit(function)


class _Imports(Converter):
    def visit_Import(self, node: Node) -> list[Node]:
        return [self._module(alias.name, alias.asname) for alias in node.names]

    def _module(self, name: str, called: str | None) -> Node:
        first = name.partition(".")[0]
        names = [name] if called or first == name else [first, name]
        return assign(store(called or first), self.context.call("module", *map(constant, names)))

    def visit_ImportFrom(self, node: Node) -> list[Node]:
        return [
            assign(
                store(alias.asname or alias.name),
                self.context.call("from_module", constant(node.module), constant(alias.name)),
            )
            for alias in node.names
        ]
