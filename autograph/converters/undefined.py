"""Reads of names that a path leaves unbound.

    return x         →      return ag.ld(x)

Where `x` holds `ag.Undefined("x")`, the operator raises what Python would. `scopes.py`, the last
converter, takes out those that turn out to be needless because Python raises there itself.
"""

from __future__ import annotations

from typing import Any

from .context import Context, Converter

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Mark the reads that may find nothing."""
    return _Undefined(context).visit(function)


class _Undefined(Converter):
    def visit_Name(self, node: Node) -> Node:
        facts = self.context.facts
        if node in facts.unbound_free:
            call = self.context.call("ld_free", node)
            self.context.free_loads.add(call)
            return call
        if node in facts.unbound and _is_load(node):
            return self.context.call("ld", node)
        return node


def _is_load(node: Node) -> bool:
    return type(node.ctx).__name__ == "Load"
