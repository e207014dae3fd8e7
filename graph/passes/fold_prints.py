"""Prints that are done now and then in a loop: kernels do them, too, where they show numbers."""

from __future__ import annotations

from ..analysis.effects import effects_of
from ..ir.nodes import Block, Graph, Node, walk
from ..ir.rewrite import with_body, with_nodes, with_regions
from ..ops.facts import PRINTS, is_branch, is_loop, is_python
from .fold_messages import of_numbers
from .options import Options


def fold_prints(graph: Graph, options: Options) -> Graph:
    """Print under a condition in a loop by the numbers that are shown.

    A loop that prints each time stays in the driver, which does that faster.

    Before::

        graph f(%x: float, %n: int) {
          for(0, %n, 1) {names=('i',)} (%i: int) {
            %t0: bool = py.eq(%i, 7) {loop=('int', 'int')}
            if(%t0) {names=()} {
              %t1: object = python(%i, %x) {repeatable=True, text="'{{}}: {{:.2f}}'.format({0}, {1})"}
              %t2: object = python(%t1) {prints=True, text='print({0})'}
              yield
            } {
              yield
            }
            yield
          }
          return {text=''}
        }

    After::

        graph f(%x: float, %n: int) {
          for(0, %n, 1) {names=('i',)} (%i: int) {
            %t0: bool = py.eq(%i, 7) {loop=('int', 'int')}
            if(%t0) {names=()} {
              print(%i, %x) {prints=True, text="print(('{{}}: {{:.2f}}'.format({0}, {1})))"}
              yield
            } {
              yield
            }
            yield
          }
          return {text=''}
        }
    """
    if not any(PRINTS in node.attrs for node in walk(graph.body)):
        return graph
    return with_body(graph, _block(graph.body, False, False))


def _block(block: Block, in_loop: bool, now_and_then: bool) -> Block:
    nodes: list[Node] = []
    for node in block.nodes:
        inner = (
            in_loop or is_loop(node),
            not is_loop(node) and (now_and_then or (in_loop and is_branch(node))),
        )
        nodes.append(with_regions(node, tuple(_block(region, *inner) for region in node.regions)))
    if now_and_then:
        for node in [node for node in nodes if PRINTS in node.attrs and is_python(node)]:
            _fold(nodes, node, block)
    return with_nodes(block, nodes)


def _fold(nodes: list[Node], node: Node, block: Block) -> None:
    """Replace a print, and what makes its texts, by one of numbers."""
    place = nodes.index(node)
    found = of_numbers(node, nodes[:place])
    uses = [operand for inner in walk(block) for operand in inner.operands]
    if found is None or any(result in uses for result in node.results):
        return
    template, operands, gone = found
    if any(uses.count(maker.results[0]) > 1 for maker in gone):
        return
    first = min((nodes.index(maker) for maker in gone), default=place)
    if not all(other in gone or effects_of(other).droppable for other in nodes[first:place]):
        return
    made = Node("print", tuple(operands), (), {**node.attrs, "text": template}, (), node.loc)
    nodes[first : place + 1] = [other for other in nodes[first:place] if other not in gone] + [made]
