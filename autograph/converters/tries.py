"""`try` statements whose exceptions the trace can follow.

    try:                          failed = 0
        body                      for failed in ag.trying(E, F):
    except E:                         body
        first              →      if failed == 1:
    except F:                         first
        second                    elif failed == 2:
    else:                             second
        third                     else:
                                      third

``ag.trying`` is gone through once. What the body raises by `raise` ends it with the number of the first
handler that takes it; what an operation raises starts the call again, as plain Python.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gast

from .context import Context, Converter, assign, constant, load, place, store

Node = Any
_JUMPS = (gast.Return, gast.Break, gast.Continue)


def may_be_followed(node: Node, own: Collection[str]) -> bool:
    """Whether a `try` has a staged form; `own` are the function's own variables.

    Nothing leaves its body, nothing is done on every way out, and the classes that its handlers take are
    known before; no handler gives the exception a name.
    """
    if _leaves(node.body, False) or node.finalbody:
        return False
    return all(handler.name is None and _are_known(handler.type, own) for handler in node.handlers)


def _are_known(classes: Node, own: Collection[str]) -> bool:
    if isinstance(classes, gast.Tuple):
        return all(_are_known(one, own) for one in classes.elts)
    while isinstance(classes, gast.Attribute):
        classes = classes.value
    return isinstance(classes, gast.Name) and classes.id not in own


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


def convert(function: Node, context: Context) -> Node:
    """Stage every `try`."""
    return _Tries(context).visit(function)


class _Tries(Converter):
    def visit_Try(self, node: Node) -> list[Node]:
        self.generic_visit(node)
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
        return [begin, loop, *rest]
