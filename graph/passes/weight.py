"""How long Numba and LLVM take for nodes, more or less: what a kernel may hold is measured in it.

What counts is loops. A chain of elementwise operations becomes one loop nest, in which each more costs
little; each branch, reduction and product has nests of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..analysis.effects import is_array
from ..ir.nodes import Node
from ..ops import OPS
from ..ops.define import ELEMENTWISE, PRODUCT, REDUCTION
from ..ops.facts import is_loop
from ..trace.budget import KERNEL_OPERATIONS, KERNEL_WEIGHT

_OPERATION, _BRANCH, _NEST, _PRODUCT = 2, 5, 30, 60
"""Rough, after what one more of a kind added to programs of that kind: a statement in a chain of elementwise
ones 1 ms, a store 3, a loop 36, a product with a tanh 90, a branch with array work in each arm 140."""


@dataclass(slots=True)
class Weights:
    """The weights of the nodes of one graph; each is found once, with all that is in its regions."""

    known: dict[Node, int] = field(default_factory=dict)

    def of_each(self, nodes: Sequence[Node]) -> list[int]:
        """The weights of nodes that follow each other in one block."""
        found, chained = [], False
        for node in nodes:
            is_chain = _is_elementwise(node)
            found.append(self._of(node) + (_NEST if is_chain and not chained else 0))
            if is_chain or node.regions or _own(node) > _OPERATION:
                chained = is_chain
        return found

    def is_too_large(self, node: Node) -> bool:
        """Whether a node is more than one kernel holds; it can't be cut."""
        return bool(node.regions) and self._of(node) > KERNEL_WEIGHT

    def _of(self, node: Node) -> int:
        if node not in self.known:
            inside = sum(sum(self.of_each(region.nodes)) for region in node.regions)
            self.known[node] = _own(node) + inside
        return self.known[node]


def parts_of(places: list[int], weights: Sequence[int]) -> list[list[int]]:
    """`places` cut into as few runs as kernels have room for, of about equal size."""
    shares = [max(weights[place] / KERNEL_WEIGHT, 1 / KERNEL_OPERATIONS) for place in places]
    whole = sum(shares)
    count = math.ceil(whole - 1e-9)
    if count <= 1:
        return [places]
    parts: list[list[int]] = [[] for _ in range(count)]
    before = 0.0
    for place, share in zip(places, shares, strict=True):
        parts[min(int(before / whole * count), count - 1)].append(place)
        before += share
    return [part for part in parts if part]


def _is_elementwise(node: Node) -> bool:
    op = OPS.get(node.op)
    return op is not None and op.kind == ELEMENTWISE and any(is_array(value) for value in node.results)


def _own(node: Node) -> int:
    """The weight of a node without what is in its regions."""
    if node.regions:
        return _NEST if is_loop(node) else _BRANCH
    op = OPS.get(node.op)
    if op is not None and any(is_array(value) for value in (*node.operands, *node.results)):
        if op.kind in (PRODUCT, REDUCTION):
            return _PRODUCT if op.kind == PRODUCT else _NEST
    return _OPERATION
