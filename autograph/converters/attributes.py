"""Attributes written.

    o.k = v      →      ag.setattr_(o, "k", v)

Reads stay. As with subscripts, `v` is evaluated before `o`.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, constant
from .subscripts import store_before

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every store to an attribute."""
    return _Attributes(context).visit(function)


class _Attributes(Converter):
    def visit_Assign(self, node: Node) -> Node:
        target = node.targets[0]
        if not isinstance(target, gast.Attribute):
            return node
        before, value = store_before(self.context, [target.value], node.value)
        return [*before, gast.Expr(self.context.call("setattr_", target.value, constant(target.attr), value))]
