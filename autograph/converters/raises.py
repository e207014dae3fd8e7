"""`raise` statements.

raise E(x) from c      →      ag.raise_(lambda: E(x), cause=lambda: c)
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, thunk

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every `raise` of the user's."""
    return _Raises(context).visit(function)


class _Raises(Converter):
    def visit_Raise(self, node: Node) -> Node:
        if self.context.is_operator_call(node.exc):
            return node
        cause = {"cause": thunk(node.cause)} if node.cause is not None else {}
        return gast.Expr(self.context.call("raise_", thunk(node.exc), **cause))
