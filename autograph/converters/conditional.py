"""Conditional expressions.

x if test else y      →      ag.if_exp(test, lambda: x, lambda: y)
"""

from __future__ import annotations

from typing import Any

from .context import Context, Converter, thunk
from .logical import condition

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every conditional expression."""
    return _Conditional(context).visit(function)


class _Conditional(Converter):
    def visit_IfExp(self, node: Node) -> Node:
        node.test = condition(node.test, self.context)
        self.generic_visit(node)
        return self.context.call("if_exp", node.test, thunk(node.body), thunk(node.orelse))
