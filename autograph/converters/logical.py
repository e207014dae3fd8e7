"""`and`, `or`, `not`.

a and b      →      ag.and_(lambda: a, lambda: b)
a or b       →      ag.or_(lambda: a, lambda: b)
not a        →      ag.not_(a)
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, thunk

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every logical expression."""
    return _Logical(context).visit(function)


class _Logical(Converter):
    def visit_BoolOp(self, node: Node) -> Node:
        self.generic_visit(node)
        operator = "and_" if isinstance(node.op, gast.And) else "or_"
        return self.context.call(operator, *[thunk(each) for each in node.values])

    def visit_UnaryOp(self, node: Node) -> Node:
        self.generic_visit(node)
        return self.context.call("not_", node.operand) if isinstance(node.op, gast.Not) else node
