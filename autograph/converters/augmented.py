"""Augmented assignments.

x += v           →      x = ag.augment("+=", x, v)
a[i] += v        →      ag.update_item(a, i, "+=", lambda: v)
o.k += v         →      ag.update_attr(o, "k", "+=", lambda: v)
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, assign, constant, load, thunk
from .subscripts import index_value

Node = Any
SIGNS = {
    "Add": "+=", "Sub": "-=", "Mult": "*=", "Div": "/=", "FloorDiv": "//=", "Mod": "%=", "Pow": "**=",
    "MatMult": "@=", "LShift": "<<=", "RShift": ">>=", "BitAnd": "&=", "BitOr": "|=", "BitXor": "^=",
}  # fmt: skip


def convert(function: Node, context: Context) -> Node:
    """Stage every augmented assignment."""
    return _Augmented(context).visit(function)


class _Augmented(Converter):
    def visit_AugAssign(self, node: Node) -> Node:
        call, target, sign = self.context.call, node.target, constant(SIGNS[type(node.op).__name__])
        if isinstance(target, gast.Name):
            old = load(target.id)
            if target in self.context.facts.unbound:
                old = call("ld", old)
            return assign(target, call("augment", sign, old, node.value))
        value = thunk(node.value)
        if isinstance(target, gast.Subscript):
            index = index_value(target.slice, self.context)
            return gast.Expr(call("update_item", target.value, index, sign, value))
        return gast.Expr(call("update_attr", target.value, constant(target.attr), sign, value))
