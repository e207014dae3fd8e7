"""Clusters that can't be lowered become what they were: nodes of the driver."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ..graph.ir.nodes import Block, Graph, Literal, Node, Value
from ..graph.ir.rewrite import Substitution
from ..graph.ops.facts import falls_through, is_cluster


def unclustered(graph: Graph, clusters: Collection[Node]) -> Graph:
    """`graph` with the nodes of these clusters in their place.

    Before::

        %y.1: f64[n] = cluster(%x) {
          %y: f64[n] = exp(%x)
          yield %y
        }

    After::

        %y: f64[n] = exp(%x)
    """
    known = Substitution()
    body = known.block(_opened(graph.body, clusters, known))
    sizes = {
        symbol: (array, axis)
        for symbol, (given, axis) in graph.sizes.items()
        if isinstance(array := known.operand(given), Value)
    }
    return replace(graph, body=body, sizes=sizes)


def _opened(block: Block, clusters: Collection[Node], known: Substitution) -> Block:
    nodes: list[Node] = []
    for node in block.nodes:
        if node not in clusters:
            regions = node.regions
            if not is_cluster(node):
                regions = tuple(_opened(region, clusters, known) for region in regions)
            nodes.append(replace(node, regions=regions) if regions else node)
            continue
        (region,) = node.regions
        if not falls_through(region):
            nodes += region.nodes  # nothing behind it runs
            break
        nodes += region.nodes[:-1]
        for result, operand in zip(node.results, region.ending.operands, strict=True):
            known.values[result] = operand
            if isinstance(operand, Value):
                known.symbols[result.name] = operand.name
            elif isinstance(operand, Literal) and isinstance(operand.value, int):
                known.symbols[result.name] = int(operand.value)
    return Block(block.params, tuple(nodes))
