"""`and`, `or`, `not`.

a and b            →      ag.and_(lambda: a, lambda: b)
a or b             →      ag.or_(lambda: a, lambda: b)
not a              →      ag.not_(a)
if a and b: ...    →      ag.if_stmt(ag.all_true(lambda: a, lambda: b), ...)

Where only the truth of ``a or b`` is asked, ``ag.any_true`` gives that, whatever two types a and b are of.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, thunk

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every logical expression."""
    return _Logical(context).visit(function)


def condition(test: Node, context: Context) -> Node:
    """`test` where only its truth is asked; other converters call this for the tests of what they convert."""
    if isinstance(test, gast.BoolOp):
        operator = "all_true" if isinstance(test.op, gast.And) else "any_true"
        parts = [thunk(condition(each, context)) for each in test.values]
        return context.call(operator, *parts)
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        test.operand = condition(test.operand, context)
    return test


class _Logical(Converter):
    def visit_BoolOp(self, node: Node) -> Node:
        self.generic_visit(node)
        operator = "and_" if isinstance(node.op, gast.And) else "or_"
        return self.context.call(operator, *[thunk(each) for each in node.values])

    def visit_UnaryOp(self, node: Node) -> Node:
        self.generic_visit(condition(node, self.context))
        return self.context.call("not_", node.operand) if isinstance(node.op, gast.Not) else node
