"""Comparisons.

a < b            stays: the operands decide
a is b           →      ag.is_(a, b)            also is_not, in_, not_in
a < f() <= c     →      ag.compare_chain(a, "<", lambda: f(), "<=", lambda: c)
"""

from __future__ import annotations

from typing import Any

from .context import Context, Converter, constant, thunk

Node = Any
SIGNS = {
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=",
    "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip
OPERATORS = {"Is": "is_", "IsNot": "is_not", "In": "in_", "NotIn": "not_in"}


def convert(function: Node, context: Context) -> Node:
    """Stage chains, and the comparisons that no operand can overload."""
    return _Comparisons(context).visit(function)


class _Comparisons(Converter):
    def visit_Compare(self, node: Node) -> Node:
        self.generic_visit(node)
        kinds = [type(op).__name__ for op in node.ops]
        if len(kinds) > 1:
            links = [
                [constant(SIGNS[kind]), thunk(each)]
                for kind, each in zip(kinds, node.comparators, strict=True)
            ]
            return self.context.call("compare_chain", node.left, *[part for link in links for part in link])
        if kinds[0] in OPERATORS:
            return self.context.call(OPERATORS[kinds[0]], node.left, node.comparators[0])
        return node
