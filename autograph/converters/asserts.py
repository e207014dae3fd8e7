"""`assert` statements.

    assert test, message      →      ag.assert_(test, lambda: message)

Under `python -O` they go, as they do in plain code.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, thunk
from .logical import condition

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every `assert`."""
    return _Asserts(context).visit(function)


class _Asserts(Converter):
    def visit_Assert(self, node: Node) -> Node:
        if not __debug__:
            return gast.Pass()
        self.generic_visit(node)
        message = [thunk(node.msg)] if node.msg is not None else []
        return gast.Expr(self.context.call("assert_", condition(node.test, self.context), *message))
