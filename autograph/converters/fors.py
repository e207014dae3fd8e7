"""`for` statements.

    for i in values:        def for_body(i):
        x = x + i               nonlocal x
                     →          x = x + i
                            ag.for_stmt(values, for_body, get_state, set_state, ("x",))

Where the target outlives the loop or is no plain name, the body starts with an assignment:
`def for_body(item): nonlocal i; i = item`. An `else` becomes `orelse=for_else`.
"""

from __future__ import annotations

from typing import Any

import gast

from .carried import Blocks
from .context import Context, Converter, assign, load, place

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every `for`."""
    return _Fors(context).visit(function)


class _Fors(Converter):
    def visit_For(self, node: Node) -> list[Node]:
        self.generic_visit(node)
        blocks = Blocks(self.context, node)
        carry = blocks.carry
        target, statements = node.target, node.body
        if isinstance(target, gast.Name) and target.id not in carry.state:
            parameter = target.id
        else:
            parameter = self.context.fresh("item")
            bind = assign(target, load(parameter))
            place(bind, target)
            statements = [bind, *statements]
        body = blocks.define("for_body", [parameter], statements)
        orelse = (
            {"orelse": blocks.define("for_else", [], node.orelse, carry.else_copies)} if node.orelse else {}
        )
        call = self.context.call("for_stmt", node.iter, body, *blocks.state(), **orelse)
        return [*blocks.functions, gast.Expr(call)]
