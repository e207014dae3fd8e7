"""Comparisons.

a < b            stays: the operands decide
(a, b) == c      →      ag.compare((a, b), "==", c)     also of names that are assigned tuples
a is b           →      ag.is_(a, b)            also is_not, in_, not_in
a < f() <= c     →      ag.compare_chain(a, "<", lambda: f(), "<=", lambda: c)
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, constant, thunk

Node = Any
SIGNS = {
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=",
    "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip
OPERATORS = {"Is": "is_", "IsNot": "is_not", "In": "in_", "NotIn": "not_in"}


def convert(function: Node, context: Context) -> Node:
    """Stage chains, and the comparisons that no operand can overload: tuples ask their items for a truth."""
    converter = _Comparisons(context)
    converter.tuples = _names_of_tuples(function)
    return converter.visit(function)


def _names_of_tuples(function: Node) -> set[str]:
    """The names that are assigned tuples as they are written down."""
    found = [n for n in gast.walk(function) if isinstance(n, gast.Assign) and isinstance(n.value, gast.Tuple)]
    return {target.id for node in found for target in node.targets if isinstance(target, gast.Name)}


class _Comparisons(Converter):
    tuples: set[str]

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
        if self._is_tuple(node.left) or self._is_tuple(node.comparators[0]):
            return self.context.call("compare", node.left, constant(SIGNS[kinds[0]]), node.comparators[0])
        return node

    def _is_tuple(self, node: Node) -> bool:
        return isinstance(node, gast.Tuple) or (isinstance(node, gast.Name) and node.id in self.tuples)
