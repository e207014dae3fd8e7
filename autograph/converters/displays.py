"""Displays of lists, sets and dicts.

    [a, b]         →      ag.new_list([a, b], at=12)
    {a, b}         →      ag.new_set([a, b], at=12)
    {k: v}         →      ag.new_dict({k: v}, at=12)

`at` is the line: a list that a loop appends to is known by where it was made. Tuples stay.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, constant

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every display of a mutable container."""
    return _Displays(context).visit(function)


class _Displays(Converter):
    def visit_List(self, node: Node) -> Node:
        self.generic_visit(node)
        if not isinstance(node.ctx, gast.Load):
            return node
        return self.context.call("new_list", node, at=constant(node.lineno))

    def visit_Set(self, node: Node) -> Node:
        self.generic_visit(node)
        items = gast.List(node.elts, gast.Load())
        return self.context.call("new_set", gast.copy_location(items, node), at=constant(node.lineno))

    def visit_Dict(self, node: Node) -> Node:
        self.generic_visit(node)
        return self.context.call("new_dict", node, at=constant(node.lineno))
