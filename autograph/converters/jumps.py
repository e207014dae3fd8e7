"""`break`, `continue` and `return` inside a block that becomes a function.

break          →      raise ag.Break()
continue       →      raise ag.Continue()
return v       →      raise ag.Return(v)      in a block; a function with one is decorated `@ag.returns`
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, constant
from .dead_code import JUMPS

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Turn jumps into exceptions that the operators catch."""
    return _Jumps(context).visit(function)


class _Jumps(Converter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.depth = 0
        self.returns = False

    def block(self, statements: list[Node]) -> list[Node]:
        """Convert the statements up to the first jump."""
        end = next((i + 1 for i, node in enumerate(statements) if isinstance(node, JUMPS)), len(statements))
        return super().block(statements[:end])

    def _blocks(self, node: Node) -> Node:
        self.depth += 1
        node.body = self.block(node.body)
        node.orelse = self.block(node.orelse)
        self.depth -= 1
        return node

    visit_If = visit_While = visit_For = _blocks

    def visit_With(self, node: Node) -> Node:
        node.body = self.block(node.body)
        return node

    def visit_FunctionDef(self, node: Node) -> Node:
        outer = self.depth, self.returns
        self.depth, self.returns = 0, False
        node.body = self.block(node.body)
        if self.returns:
            node.decorator_list.append(self.context.operator("returns"))
        self.depth, self.returns = outer
        return node

    def visit_Return(self, node: Node) -> Node:
        if not self.depth:
            return node
        self.returns = True
        return gast.Raise(self.context.call("Return", node.value or constant(None)), None)

    def visit_Break(self, node: Node) -> Node:
        return gast.Raise(self.context.call("Break"), None)

    def visit_Continue(self, node: Node) -> Node:
        return gast.Raise(self.context.call("Continue"), None)
