"""`try` statements whose exceptions the trace can follow.

    try:                          failed = 0
        body                      for failed in ag.trying(E, F):
    except E:                         body
        first              →      if failed == 1:
    except F:                         first
        second                    elif failed == 2:
    else:                             second
        third                     else:
    finally:                          third
        last                      last

``ag.trying`` is gone through once. What the body raises by `raise` ends it with the number of the first
handler that takes it; what an operation raises starts the call again, as plain Python.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, assign, constant, load, place, store

Node = Any
_JUMPS = (gast.Return, gast.Break, gast.Continue)


def may_be_followed(node: Node) -> bool:
    """Whether a `try` has a staged form: nothing leaves its body, and nobody looks at the exception."""
    if _leaves(node.body, False) or (node.finalbody and _leaves([node], False)):
        return False
    return all(handler.type is not None and not _looks(handler) for handler in node.handlers)


def _leaves(statements: list[Node], in_loop: bool) -> bool:
    """Whether one of the statements may leave them, by a jump of their function or loop."""
    for node in statements:
        if isinstance(node, gast.Return) or (isinstance(node, _JUMPS) and not in_loop):
            return True
        if isinstance(node, (gast.FunctionDef, gast.Lambda, gast.ClassDef)):
            continue
        loop = in_loop or isinstance(node, (gast.For, gast.While))
        inner = [
            child
            for child in gast.iter_child_nodes(node)
            if isinstance(child, (gast.stmt, gast.ExceptHandler))
        ]
        if _leaves(inner, loop):
            return True
    return False


def _looks(handler: Node) -> bool:
    """Whether a handler reads what has been raised."""
    if handler.name is None:
        return False
    name = handler.name if isinstance(handler.name, str) else handler.name.id
    uses = (inner for statement in handler.body for inner in gast.walk(statement))
    return any(isinstance(inner, gast.Name) and inner.id == name for inner in uses)


def convert(function: Node, context: Context) -> Node:
    """Stage every `try`."""
    return _Tries(context).visit(function)


class _Tries(Converter):
    def visit_Try(self, node: Node) -> list[Node]:
        self.generic_visit(node)
        if not node.handlers:
            return [*node.body, *node.finalbody]
        failed = self.context.fresh("failed")
        trying = self.context.call("trying", constant(failed), *(handler.type for handler in node.handlers))
        rest = node.orelse
        for number, handler in reversed(list(enumerate(node.handlers, 1))):
            test = gast.Compare(load(failed), [gast.Eq()], [constant(number)])
            rest = [gast.If(test, handler.body, rest)]
            place(rest[0], handler)
        begin = assign(store(failed), constant(0))
        loop = gast.For(store(failed), trying, node.body, [], None)
        place(begin, node)
        place(loop, node)
        return [begin, loop, *rest, *node.finalbody]
