"""Calls.

    f(x, *a, k=v)      →      ag.call(f, x, *a, k=v)
    u.copy()           →      ag.call(u.copy)

The operator decides what the callee is. The decorators of an inner function are calls as well, Python's own.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every call of the user's."""
    return _Calls(context).visit(function)


class _Calls(Converter):
    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        context = self.context
        is_slice = isinstance(node.func, gast.Name) and node.func.id == context.slice
        if is_slice or node in context.direct or context.is_operator_call(node):
            return node
        return gast.Call(
            context.operator("call"), [node.func, *map(self._argument, node.args)], node.keywords
        )

    def _argument(self, node: Node) -> Node:
        """An argument; of ``*items`` the items that Python is to go through."""
        if not isinstance(node, gast.Starred):
            return node
        items = gast.Call(self.context.operator("spread"), [node.value], [])
        return gast.copy_location(gast.Starred(items, gast.Load()), node)
