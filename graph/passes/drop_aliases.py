"""Nodes that are there for gradients only."""

from __future__ import annotations

from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import Block, Graph, Node, Operand, Value
from ..ir.rewrite import Substitution, with_body
from ..ir.types import Array, Type
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
    params = replaced.params(block)
    nodes = []
    for node in block.nodes:
        if given := _given(node):
            for result, operand in zip(node.results, given, strict=True):
                operand = replaced.operand(operand)
                replaced.values[result] = operand
                # Sizes may be spoken of by the name of an int.
                if isinstance(operand, Value):
                    replaced.symbols[result.name] = operand.name
                replaced.symbols |= _own_sizes(result.type, replaced.type(operand.type))
            continue
        nodes.append(replaced.node(node, tuple(_block(region, replaced) for region in node.regions)))
    return Block(params, tuple(nodes))


def _own_sizes(own: Type, given: Type) -> dict[str, Size]:
    """The symbols that an array had for its sizes, and what these are called now."""
    shapes = (own.shape, given.shape) if isinstance(own, Array) and isinstance(given, Array) else ((), ())
    named = ((dims.symbol_of(size), new) for size, new in zip(*shapes, strict=True) if size != new)
    return {symbol: new for symbol, new in named if symbol is not None}


def _given(node: Node) -> tuple[Operand, ...]:
    """What the results of `node` are; nothing for a node that does something."""
    if is_gradient_rule(node):
        return node.operands[: node.attrs["outputs"]]
    return node.operands[:1] if node.attrs.get("alias") else ()
