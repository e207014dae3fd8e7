"""`with` statements.

    with a as x, b as (y, z):           with ag.with_scope(a) as x:
        body                     →          with ag.with_scope(b) as entered:
                                                y, z = entered
                                                body

The body stays where it is: it makes no function of its own.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, assign, load, place, store

Node = Any


def convert(function: Node, context: Context) -> Node:
    """One context manager a statement, each through `ag.with_scope`."""
    return _Withs(context).visit(function)


class _Withs(Converter):
    def visit_With(self, node: Node) -> Node:
        self.generic_visit(node)
        body = node.body
        for item in reversed(node.items):
            target = item.optional_vars
            if target is not None and not isinstance(target, gast.Name):
                entered = self.context.fresh("entered")
                first = assign(target, load(entered))
                place(first, target)
                target, body = store(entered), [first, *body]
            scope = self.context.call("with_scope", item.context_expr)
            place(scope, item.context_expr)
            body = [gast.With([gast.withitem(scope, target)], body, None)]
        return body[0]
