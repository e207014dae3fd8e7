"""Common subexpressions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ..analysis.effects import effects_of
from ..ir.nodes import Block, Graph, Literal, Node, Operand, Value
from ..ir.rewrite import Substitution, with_body
from ..ir.types import Scalar
from ..ops import OPS
from ..ops.define import ELEMENTWISE, MATH, PYTHON
from ..ops.facts import is_ending
from .options import Options


def merge_common(graph: Graph, options: Options) -> Graph:
    """Compute equal scalars once.

    Only scalars: an array that is computed twice is two objects, and its operands may change in between.

    Before::

        graph f(%x: float) {
          %a: float = py.mul(%x, 2.0) {loop=('float', 'float')}
          %b: float = py.mul(%x, 2.0) {loop=('float', 'float')}
          return %a, %b {text='({0}, {1})'}
        }

    After::

        graph f(%x: float) {
          %a: float = py.mul(%x, 2.0) {loop=('float', 'float')}
          return %a, %a {text='({0}, {1})'}
        }
    """
    return with_body(graph, _block(graph.body, {}, Substitution()))


def _block(block: Block, outer: dict[Hashable, Value], replaced: Substitution) -> Block:
    """`block` with values that `outer` (or it itself) has already taken from there."""
    known = dict(outer)
    params = replaced.params(block)
    nodes = []
    for node in block.nodes:
        regions = tuple(_block(region, known, replaced) for region in node.regions)
        node = replaced.node(node, regions)
        key = _key(node)
        if key is not None:
            if key in known:
                replaced.values[node.results[0]] = known[key]
                if node.results[0].name != known[key].name:
                    replaced.symbols[node.results[0].name] = known[key].name
                continue
            known[key] = node.results[0]
        nodes.append(node)
    return Block(params, tuple(nodes))


def _key(node: Node) -> Hashable | None:
    """What equal nodes have in common; None for nodes that are more than their result."""
    op = OPS.get(node.op)
    if is_ending(node) or node.regions or op is None or op.kind not in (ELEMENTWISE, PYTHON, MATH):
        return None
    if len(node.results) != 1 or not all(isinstance(v.type, Scalar) for v in (*node.operands, *node.results)):
        return None
    effects = effects_of(node)
    if effects.opaque or effects.reads:
        return None
    attrs = tuple((key, repr(value)) for key, value in sorted(node.attrs.items()) if key != "text")
    return (node.op, node.results[0].type, tuple(_identity(o) for o in node.operands), attrs)


def _identity(operand: Operand) -> Any:
    if isinstance(operand, Literal):
        return ("literal", operand.type, repr(operand.value))
    return operand
