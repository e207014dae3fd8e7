"""Attributes.

    o.k = v      →      ag.setattr_(o, "k", v)
    o.value      →      ag.attribute(o, "value")

Other reads stay: only what symbols have under a name of their own has to be asked for in another way, as
``o.__doc__``. As with subscripts, `v` is evaluated before `o`.
"""

from __future__ import annotations

from typing import Any

import gast

from ..own_names import is_special, own_names
from .context import Context, Converter, constant
from .subscripts import store_before

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every store to an attribute, and reads of those that are called like something of ours."""
    return _Attributes(context).visit(function)


class _Attributes(Converter):
    def visit_Attribute(self, node: Node) -> Node:
        self.generic_visit(node)
        is_ours = isinstance(node.value, gast.Name) and node.value.id == self.context.operators
        asked = node.attr in own_names() or is_special(node.attr)
        if not asked or is_ours or not isinstance(node.ctx, gast.Load):
            return node
        return self.context.call("attribute", node.value, constant(node.attr))

    def visit_Assign(self, node: Node) -> Node:
        self.generic_visit(node)
        target = node.targets[0]
        if not isinstance(target, gast.Attribute):
            return node
        before, value = store_before(self.context, [target.value], node.value)
        return [*before, gast.Expr(self.context.call("setattr_", target.value, constant(target.attr), value))]
