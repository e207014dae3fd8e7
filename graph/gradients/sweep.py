"""The reverse pass through one frame: for every node, what its results' adjoints mean for its operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..analysis.effects import is_array
from ..ir.nodes import Node, Value, walk
from ..ir.types import COMPLEX, FLOAT
from ..ops import OPS
from ..ops.define import CREATION, ELEMENTWISE, MATH, PRODUCT, PYTHON, REDUCTION, VIEW, NotDifferentiable
from ..ops.facts import is_python
from ..symbolic.arrays import SymbolicArray
from ..symbolic.scalar_methods import to_numpy
from ..symbolic.symbols import SymbolicScalar
from .activity import stops_flow
from .adjoints import Adjoints
from .arrays import contiguous
from .context import called
from .errors import NoGradient
from .frame import Missing, Recomputation
from .memory import MEMORY_RULES
from .numpy_rules import numpy_rule
from .pullback import Lazy, ReverseNode
from .regions import REGION_RULES

_FRESH = (ELEMENTWISE, REDUCTION, CREATION, PRODUCT)


class Sweep:
    """The reverse pass through the nodes of one frame."""

    def __init__(self, frame: Recomputation, adjoints: Adjoints) -> None:
        self.frame = frame
        self.adjoints = adjoints
        self.context = frame.context

    def run(self, after: Callable[[int], None] = lambda place: None) -> None:
        """Go back from the last node to the first; `after` is told how many nodes are left."""
        nodes = self.frame.nodes
        after(len(nodes))
        for place in reversed(range(len(nodes))):
            node = nodes[place]
            if node in self.context.activity.nodes:
                with self.context.back(node):
                    self._refusing(node)
            after(place)

    def _refusing(self, node: Node) -> None:
        """The reverse pass through `node`; what it needs and can't have is an error that says so."""
        try:
            self._node(node)
        except Missing as missing:
            raise NoGradient(missing.node, missing.reason) from None

    def _node(self, node: Node) -> None:
        if node.op in REGION_RULES:
            REGION_RULES[node.op](self, node)
        elif node.op in MEMORY_RULES:
            MEMORY_RULES[node.op](self.frame, self.adjoints, node)
        elif any(self.adjoints.has(result) for result in node.results):
            self._by_rule(node)
        elif is_python(node):
            self._refuse_opaque(node)

    def _by_rule(self, node: Node) -> None:
        cotangents = [self.adjoints.take(result) for result in node.results]
        wanted = self.context.activity.wanted(node)
        if not any(wanted) or stops_flow(node):
            return
        pullback = self.pullback(node, cotangents)
        self.context.name_after([o for o, wants in zip(node.operands, wanted, strict=True) if wants])
        rule = OPS[node.op].gradient
        assert not isinstance(rule, NotDifferentiable)
        if rule is None:
            reason = "it is opaque Python" if node.op in ("python", "pick") else "it has no gradient rule"
            raise NoGradient(node, reason)
        block = self.context.builder.blocks[-1]
        before = len(block)
        contributions = list(rule(pullback))
        fresh = _fresh_values(block[before:])
        for k, (operand, contribution) in enumerate(zip(node.operands, contributions, strict=False)):
            if wanted[k] and contribution is not None:
                alone = sum(c is contribution for c in contributions) == 1
                owned = isinstance(contribution, SymbolicArray) and contribution.operand() in fresh and alone
                self.adjoints.add(operand, contribution, owned)

    def pullback(self, node: Node, cotangents: Sequence[Any]) -> ReverseNode:
        """What a rule sees of `node`."""
        frame, straight = self.frame, OPS[node.op].kind != PRODUCT

        numbers = OPS[node.op].kind in (PYTHON, MATH)

        def array(value: Any) -> Any:
            if numbers and isinstance(value, SymbolicScalar) and value.type in (FLOAT, COMPLEX):
                return to_numpy(value, value.type.dtype)  # NumPy's numbers don't raise
            return (
                contiguous(value)
                if straight and isinstance(value, SymbolicArray) and value.ndim > 1
                else value
            )

        return ReverseNode(
            node,
            Lazy(len(node.operands), lambda k: array(frame.content(node, k))),
            Lazy(len(node.results), lambda k: array(frame.outcome(node, k))),
            [array(c) for c in cotangents],
            self.context.activity.wanted(node),
            Lazy(len(node.operands), lambda k: frame.type(node.operands[k].type)),
            numpy_rule,
        )

    def inner(self, frame: Recomputation, adjoints: Adjoints) -> Sweep:
        """The reverse pass through the nodes of another frame."""
        return Sweep(frame, adjoints)

    def _refuse_opaque(self, node: Node) -> None:
        """Python that is handed an array on the way, or an object that holds it, may write to it."""
        storage, activity = self.context.storage, self.context.activity
        varied = any(activity.wanted(node))
        for array in storage.handed.written(node):
            if self.adjoints.has(array) or (varied and self.adjoints.has_overlapping(array)):
                raise NoGradient(
                    node,
                    f"it is opaque Python, which may write to {called(storage.known_as(array))}",
                    "hand it js.stop_gradient of the array, or a copy",
                )


def _fresh_values(nodes: Sequence[Node]) -> set[Value]:
    """Arrays that `nodes` made and nobody else looks at: there are no views of them."""
    seen = {o for node in nodes if OPS[node.op].kind == VIEW or node.regions for o in node.operands}
    seen |= {v for node in nodes for region in node.regions for n in walk(region) for v in n.operands}
    made = [node for node in nodes if OPS[node.op].kind in _FRESH]
    return {value for node in made for value in node.results if is_array(value) and value not in seen}
