"""Dead nodes."""

from __future__ import annotations

from ..effects import effects_of
from ..ir import ENDINGS, Block, Graph, Node, Value
from ..rewrite import Names, symbols_in, with_body, with_nodes, with_regions
from .options import Options


def drop_dead(graph: Graph, options: Options) -> Graph:
    """Drop every node whose results nobody reads and that has no effect.

    Before::

        graph f(%x: f64[n]) {
          %dead: f64[n] = exp(%x) {loop=('float64',)}
          return %x {text='{0}'}
        }

    After::

        graph f(%x: f64[n]) {
          return %x {text='{0}'}
        }
    """
    names = Names.of(graph)
    needed: set[Value] = set()
    return with_body(graph, _block(graph.body, needed, names))


def _block(block: Block, needed: set[Value], names: Names) -> Block:
    """`block` without its dead nodes; adds what the others use to `needed`."""
    kept: list[Node] = []
    for node in reversed(block.nodes):
        dead = not any(result in needed for result in node.results)
        if dead and node.op not in ENDINGS and effects_of(node).droppable:
            continue
        regions = tuple(_block(region, needed, names) for region in reversed(node.regions))
        node = with_regions(node, regions[::-1])
        needed.update(o for o in node.operands if isinstance(o, Value))
        needed.update(v for s in symbols_in(node) if (v := names.behind(s)) is not None)
        kept.append(node)
    return with_nodes(block, kept[::-1])
