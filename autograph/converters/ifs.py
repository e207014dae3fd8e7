"""`if` statements.

    if test:            def if_body():
        x = a               nonlocal x
    else:                   x = a
        x = b           def else_body():
                 →          nonlocal x
                            x = b
                        ag.if_stmt(test, if_body, else_body, get_state, set_state, ("x",))

The state is what a branch rebinds and something after the statement still reads.
"""

from __future__ import annotations

from typing import Any

import gast

from .carried import Blocks
from .context import Context, Converter
from .logical import condition

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every `if`."""
    return _Ifs(context).visit(function)


class _Ifs(Converter):
    def visit_If(self, node: Node) -> list[Node]:
        self.generic_visit(node)
        blocks = Blocks(self.context, node)
        carry = blocks.carry
        body = blocks.define("if_body", [], node.body, carry.body_copies)
        if node.orelse:
            orelse = blocks.define("else_body", [], node.orelse, carry.else_copies)
        else:
            orelse = self.context.operator("nothing")
        call = self.context.call("if_stmt", condition(node.test, self.context), body, orelse, *blocks.state())
        return [*blocks.functions, gast.Expr(call)]
