"""Constants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.literals import literal
from ..ir.nodes import Block, Graph, Literal, Node
from ..ir.rewrite import Substitution, with_body
from ..ir.types import Scalar
from ..ops import OPS
from ..ops.define import PYTHON
from ..ops.facts import is_size
from .options import Options


def fold(graph: Graph, options: Options) -> Graph:
    """Compute operations of constants on Python's own numbers.

    Before::

        graph f(%x: float) {
          %a: float = py.mul(2.0, 3.0) {loop=('float', 'float')}
          %b: float = py.add(%x, %a) {loop=('float', 'float')}
          return %b {text='{0}'}
        }

    After::

        graph f(%x: float) {
          %b: float = py.add(%x, 6.0) {loop=('float', 'float')}
          return %b {text='{0}'}
        }
    """
    return with_body(graph, _block(graph.body, Substitution()))


def _block(block: Block, replaced: Substitution) -> Block:
    params = replaced.params(block)
    nodes = []
    for node in block.nodes:
        node = replaced.node(node, tuple(_block(region, replaced) for region in node.regions))
        constant = _constant(node)
        if constant is None:
            nodes.append(node)
            continue
        (result,) = node.results
        replaced.values[result] = constant
        if type(constant.value) is int:
            replaced.symbols[result.name] = constant.value
    return Block(params, tuple(nodes))


def _constant(node: Node) -> Literal | None:
    """What `node` is for certain, or None."""
    if is_size(node):
        size = dims.substitute(node.attrs["size"], {})
        return literal(size) if isinstance(size, int) else None
    op = OPS.get(node.op)
    if op is None or op.kind != PYTHON or not op.exact or op.evaluate is None:
        return None
    values = [operand.value for operand in node.operands if isinstance(operand, Literal)]
    if len(values) != len(node.operands) or any(isinstance(v, np.generic) for v in values):
        return None
    try:
        found = literal(op.evaluate(*values))
    except (ArithmeticError, TypeError, ValueError):
        return None  # raises when it runs, as it should
    return found if found.type == node.results[0].type and _representable(found) else None


def _representable(found: Literal) -> bool:
    """64-bit ints and finite floats: what reads well as text."""
    value: Any = found.value
    if not isinstance(found.type, Scalar):
        return False
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return type(value) is bool or (type(value) is float and math.isfinite(value))
