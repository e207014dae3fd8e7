"""`while` statements.

    while test:         def while_test():
        x = f(x)            return test
                 →      def while_body():
                            nonlocal x
                            x = f(x)
                        ag.while_stmt(while_test, while_body, get_state, set_state, ("x",))

An `else` becomes one more function, `orelse=while_else`. The state is what the loop rebinds and reads in the
next round or after it.
"""

from __future__ import annotations

from typing import Any

import gast

from .carried import Blocks
from .context import Context, Converter, place
from .logical import condition
from .walrus import hoist

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every `while`."""
    return _Whiles(context).visit(function)


class _Whiles(Converter):
    def visit_While(self, node: Node) -> list[Node]:
        self.generic_visit(node)
        blocks = Blocks(self.context, node)
        carry = blocks.carry
        before, rest = hoist(node.test, self.context)
        returned = gast.Return(condition(rest, self.context))
        place(returned, node.test)
        test = blocks.define("while_test", [], [*before, returned])
        body = blocks.define("while_body", [], node.body)
        orelse = (
            {"orelse": blocks.define("while_else", [], node.orelse, carry.else_copies)} if node.orelse else {}
        )
        call = self.context.call("while_stmt", test, body, *blocks.state(), **orelse)
        return [*blocks.functions, gast.Expr(call)]
