"""What of a graph is needed for what it returns."""

from __future__ import annotations

from ..analysis.effects import Aliases, effects_of
from ..ir.nodes import Block, Graph, Node, Value
from ..ir.rewrite import ValuesByName, used_by, with_body
from ..ops.facts import is_ending


def needed_only(graph: Graph) -> Graph:
    """`graph` without nodes that neither its results nor opaque code need, even if they might raise.

    Before::

        graph f(%x: f64[n], %h: f64[n]) sizes n=x[0] {
          %unused: f64[n] = exp(%x) {loop=('float64',)}
          %y: f64[n] = sin(%h) {loop=('float64',)}
          return %y {text='{0}'}
        }

    After::

        graph f(%x: f64[n], %h: f64[n]) sizes n=x[0] {
          %y: f64[n] = sin(%h) {loop=('float64',)}
          return %y {text='{0}'}
        }
    """
    names, aliases = ValuesByName.of(graph), Aliases(graph)
    needed: set[Value] = set()
    kept: list[Node] = []
    for node in reversed(graph.body.nodes):
        effects = effects_of(node)
        written = {root for value in effects.writes for root in aliases.roots(value)}
        wanted = any(result in needed for result in node.results) or bool(written & needed)
        if wanted or is_ending(node) or effects.opaque or effects.leaves:
            kept.append(node)
            used = used_by(node, names)
            needed |= used
            for value in used:
                needed |= aliases.roots(value)
    return with_body(graph, Block(graph.body.params, tuple(kept[::-1])))
