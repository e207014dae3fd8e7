"""Loop invariants."""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis.effects import effects_of
from ..ir.nodes import Block, Graph, Node, Value
from ..ir.rewrite import ValuesByName, used_by, with_body, with_nodes, with_regions
from ..ir.types import Scalar
from ..ops import OPS
from ..ops.define import PYTHON
from ..ops.facts import is_ending, is_loop
from .options import Options


def hoist(graph: Graph, options: Options) -> Graph:
    """Move Python scalars that are the same in every iteration, and can't raise, out of loops.

    NumPy's stay: they may warn, and a loop of no iterations doesn't.

    Before::

        graph f(%x: float, %n: int, %s: float) {
          %r: float = for(0, %n, 1, %s) {names=('i', 's')} (%i: int, %s.1: float) {
            %a: float = py.mul(%x, 2.0) {loop=('float', 'float')}
            %b: float = py.add(%s.1, %a) {loop=('float', 'float')}
            yield %b
          }
          return %r {text='{0}'}
        }

    After::

        graph f(%x: float, %n: int, %s: float) {
          %a: float = py.mul(%x, 2.0) {loop=('float', 'float')}
          %r: float = for(0, %n, 1, %s) {names=('i', 's')} (%i: int, %s.1: float) {
            %b: float = py.add(%s.1, %a) {loop=('float', 'float')}
            yield %b
          }
          return %r {text='{0}'}
        }
    """
    return with_body(graph, _block(graph.body, ValuesByName.of(graph)))


def _block(block: Block, names: ValuesByName) -> Block:
    nodes: list[Node] = []
    for node in block.nodes:
        regions = tuple(_block(region, names) for region in node.regions)
        if is_loop(node):
            moved: list[Node] = []
            regions = tuple(_without_invariants(region, regions, moved, names) for region in regions)
            nodes += moved
        nodes.append(with_regions(node, regions))
    return with_nodes(block, nodes)


def _without_invariants(
    region: Block, regions: Iterable[Block], moved: list[Node], names: ValuesByName
) -> Block:
    """`region` without the nodes that use nothing made in the loop; those are added to `moved`."""
    inner: set[Value] = {v for r in regions for v in r.params}
    inner |= {v for r in regions for node in r.nodes for v in node.results}
    inner -= {v for node in moved for v in node.results}
    kept = []
    for node in region.nodes:
        if _is_movable(node) and inner.isdisjoint(used_by(node, names)):
            moved.append(node)
            inner -= set(node.results)
        else:
            kept.append(node)
    return with_nodes(region, kept)


def _is_movable(node: Node) -> bool:
    op = OPS.get(node.op)
    if op is None or op.kind != PYTHON or node.regions or is_ending(node):
        return False
    if "_JitScope" in node.attrs or not all(
        isinstance(v.type, Scalar) for v in (*node.operands, *node.results)
    ):
        return False
    return effects_of(node).pure
