"""`del` statements.

del x            →      x = ag.Undefined("x")
del a[i]         →      ag.delitem(a, i)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from .context import Context, Converter, assign, constant, load, store
from .subscripts import index_value

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage every `del`."""
    return _Deletes(context).visit(function)


class _Deletes(Converter):
    def visit_Delete(self, node: Node) -> list[Node]:
        statements: list[Node] = []
        for target in _flat(node.targets):
            if isinstance(target, gast.Name):
                if target in self.context.facts.unbound:
                    statements.append(gast.Expr(self.context.call("ld", load(target.id))))
                gone = self.context.call("Undefined", constant(target.id))
                statements.append(assign(store(target.id), gone))
            else:
                index = index_value(target.slice, self.context)
                statements.append(gast.Expr(self.context.call("delitem", target.value, index)))
        return statements or [gast.Pass()]


def _flat(targets: list[Node]) -> Iterator[Node]:
    for target in targets:
        if isinstance(target, (gast.Tuple, gast.List)):
            yield from _flat(target.elts)
        else:
            yield target
