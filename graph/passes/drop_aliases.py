"""Nodes that are there for gradients only."""

from __future__ import annotations

from ..ir.nodes import Block, Graph, Node, Operand, Value
from ..ir.rewrite import Substitution, with_body
from ..ops.facts import is_gradient_rule
from .options import Options


def drop_aliases(graph: Graph, options: Options) -> Graph:
    """Use operands in place of the nodes that give them another name, or a gradient of its own.

    Before::

        graph f(%x: f64[n]) sizes n=x[0] {
          %own: f64[n] = view(%x) {alias=True, axes=(span(0),), check=(), text='{0}[...]'}
          %t0: f64[n] = tanh(%own) {loop=('float64',)}
          %y: f64[n] = custom_gradient(%t0, %own) {outputs=1} (%bar: f64[n]) {
            yield %bar
          }
          return %y {text='{0}'}
        }

    After::

        graph f(%x: f64[n]) sizes n=x[0] {
          %t0: f64[n] = tanh(%x) {loop=('float64',)}
          return %t0 {text='{0}'}
        }
    """
    return with_body(graph, _block(graph.body, Substitution()))


def _block(block: Block, replaced: Substitution) -> Block:
    nodes = []
    for node in block.nodes:
        if given := _given(node):
            for result, operand in zip(node.results, given, strict=True):
                operand = replaced.operand(operand)
                replaced.values[result] = operand
                # Sizes may be spoken of by the name of an int.
                if isinstance(operand, Value):
                    replaced.symbols[result.name] = operand.name
            continue
        nodes.append(replaced.node(node, tuple(_block(region, replaced) for region in node.regions)))
    return Block(tuple(replaced.define(param) for param in block.params), tuple(nodes))


def _given(node: Node) -> tuple[Operand, ...]:
    """What the results of `node` are; nothing for a node that does something."""
    if is_gradient_rule(node):
        return node.operands[: node.attrs["outputs"]]
    return node.operands[:1] if node.attrs.get("alias") else ()
