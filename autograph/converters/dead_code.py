"""Statements that are never reached.

    return x                      return x
    y = 1              →          y: None

A name that only they bind is local all the same: it is declared, until `jumps.py` drops that too.
"""

from __future__ import annotations

from typing import Any

import gast

from ..analysis.activity import written
from .context import Context, Converter, constant, place, store

Node = Any
JUMPS = (gast.Return, gast.Raise, gast.Break, gast.Continue)


def convert(function: Node, context: Context) -> Node:
    """Drop what follows a jump in its block."""
    return _DeadCode(context).visit(function)


class _DeadCode(Converter):
    def _blocks(self, node: Node) -> Node:
        self.generic_visit(node)
        for field in ("body", "orelse"):
            statements = getattr(node, field, [])
            for number, statement in enumerate(statements):
                if _leaves(statement):
                    statements[number + 1 :] = _declarations(statements[number + 1 :])
                    break
        return node

    visit_FunctionDef = visit_If = visit_While = visit_For = visit_With = _blocks


def _leaves(node: Node) -> bool:
    """Does nothing that follows `node` in its block ever run?"""
    if isinstance(node, gast.If):
        return any(map(_leaves, node.body)) and any(map(_leaves, node.orelse))
    return isinstance(node, JUMPS)


def _declarations(dead: list[Node]) -> list[Node]:
    """`name: None` for every name that the statements bind."""
    declared = [gast.AnnAssign(store(name), constant(None), None, 1) for name in sorted(written(dead))]
    for node in declared:
        place(node, dead[0])
    return declared
