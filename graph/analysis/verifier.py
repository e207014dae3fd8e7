"""Is a graph well formed? Run after every pass in tests, and by whoever writes graphs by hand."""

from __future__ import annotations

from dataclasses import replace

from ..ir import dims
from ..ir.nodes import ENDINGS, Block, Graph, Node, Value
from ..ir.rewrite import sizes_in
from ..ir.types import Array, Scalar, Type
from ..ops import OPS
from ..ops.define import ELEMENTWISE, MATH, PYTHON, REDUCTION
from ..ops.facts import (
    control_of,
    ends_test,
    hands_on,
    head_of,
    is_ending,
    is_gradient_rule,
    is_loop,
    is_tested,
    is_yield,
    leaves_function,
)
from .around import Around, body_of, else_of


class GraphError(ValueError):
    """The graph breaks a rule; the message says which, and at which node."""


class UnseenSize(GraphError):
    """A size is read where it isn't known: at `node`."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.node = node


def verify(graph: Graph) -> Graph:
    """`graph` itself; raises `GraphError` if it is not well formed."""
    _Verifier(graph).run()
    return graph


class _Verifier:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.names: dict[str, Value] = {}
        self.visible: set[Value] = set()
        self.symbols: set[str] = set()

    def run(self) -> None:
        graph = self.graph
        for param in graph.params:
            self.define(param, None)
        self.block(graph.body, Around(), top=True)
        for name in sorted(self.symbols):
            if name not in graph.sizes:
                continue
            array, axis = graph.sizes[name]
            if self.names.get(array.name) is not array:
                raise GraphError(f"size {name} comes from %{array.name}, which isn't in the graph")
            if not isinstance(array.type, Array) or not 0 <= axis < array.type.ndim:
                raise GraphError(f"size {name}: %{array.name} has no axis {axis}")

    def define(self, value: Value, node: Node | None) -> None:
        if value.name in self.names:
            raise self.error(node, f"%{value.name} is defined twice")
        self.names[value.name] = value
        self.visible.add(value)

    def error(self, node: Node | None, message: str) -> GraphError:
        if node is None:
            return GraphError(f"graph {self.graph.name}: {message}")
        results = ", ".join(f"%{value.name}" for value in node.results)
        place = f" (line {node.loc.line})" if node.loc.line else ""
        shown = f"{results} = {node.op}" if results else node.op
        return GraphError(f"graph {self.graph.name}: {shown}{place}: {message}")

    def block(self, block: Block, around: Around, top: bool = False) -> None:
        if not block.nodes or not is_ending(block.ending):
            raise self.error(around.owner, f"a region ends without one of {', '.join(ENDINGS)}")
        if top and not leaves_function(block.ending):
            raise self.error(around.owner, f"the function ends in {block.ending.op}")
        before = set(self.visible)
        for param in block.params:
            self.define(param, around.owner)
        if around.owner is not None:
            self.state_sizes(block, around.owner)
        for place, node in enumerate(block.nodes, 1):
            if is_ending(node) and place < len(block.nodes):
                raise self.error(node, "stands in the middle of a region")
            self.node(node, around)
        self.visible = before

    def node(self, node: Node, around: Around) -> None:
        if node.op not in OPS:
            raise self.error(node, "is no operation")
        for operand in node.operands:
            if isinstance(operand, Value) and operand not in self.visible:
                raise self.error(node, f"%{operand.name} isn't defined where it is used")
        self.counts(node)
        if is_ending(node):
            self.ending(node, around.target(node))
        if is_loop(node):
            self.loop(node)
        for region in node.regions:
            self.block(region, around.inside(node, region))
        for result in node.results:
            self.define(result, node)
        self.sizes(node)

    def counts(self, node: Node) -> None:
        op = OPS[node.op]
        (low, high), kind = op.operands, op.kind
        loop = node.attrs.get("loop")
        if kind in (ELEMENTWISE, PYTHON, MATH) and loop is not None:
            low = high = len(loop)
        if kind == REDUCTION:
            low = high = 1
        if not low <= len(node.operands) <= high:
            raise self.error(node, f"has {len(node.operands)} operands, not {low}")
        regions = len(op.control.regions) if op.control is not None else 0
        if is_loop(node) and else_of(node) is None:
            regions -= 1
        if len(node.regions) != regions:
            raise self.error(node, f"has {len(node.regions)} regions, not {regions}")

    def sizes(self, node: Node) -> None:
        for size in sizes_in(replace(node, regions=())):
            for symbol in dims.symbols(size):
                self.size(symbol, node)

    def size(self, symbol: str, node: Node) -> None:
        """A size is an axis of an array, or an int, that is there."""
        self.symbols.add(symbol)
        if symbol not in self.graph.sizes and symbol not in self.names:
            raise self.error(node, f"the size {symbol} is neither an axis nor an int of the graph")
        value = self.graph.sizes[symbol][0] if symbol in self.graph.sizes else self.names[symbol]
        if self.names.get(value.name) is value and value not in self.visible:
            raise UnseenSize(str(self.error(node, f"the size {symbol} isn't defined where it is used")), node)

    def state_sizes(self, block: Block, owner: Node) -> None:
        """What comes from the last iteration has no size that is an int of this one."""
        own = {param.name for param in block.params}
        for param in block.params:
            for size in param.type.shape if isinstance(param.type, Array) else ():
                for symbol in dims.symbols(size):
                    self.size(symbol, owner)
                    if symbol in own:
                        raise self.error(
                            owner, f"%{param.name} has a size, {symbol}, that each iteration sets anew"
                        )

    def loop(self, node: Node) -> None:
        initial = node.operands[head_of(node) :]
        if len(initial) != len(node.results):
            raise self.error(node, f"takes {len(initial)} values of state and gives {len(node.results)}")
        expected = len(initial) + control_of(node).index
        if len(body_of(node).params) != expected:
            raise self.error(node, f"its body has {len(body_of(node).params)} parameters, not {expected}")
        for operand, param in zip(initial, body_of(node).params[-len(initial) or expected :], strict=True):
            if not _agree(operand.type, param.type):
                raise self.error(node, f"%{param.name}: {param.type} begins as {operand.type}")
        if is_tested(node):
            test = node.regions[0].ending
            if not is_yield(test) or len(test.operands) != 1:
                raise self.error(node, "its test doesn't end in a yield of one condition")

    def ending(self, node: Node, target: Node | None) -> None:
        if not hands_on(node):
            return
        if target is None:
            raise self.error(node, "stands in no region" if is_yield(node) else "stands in no loop")
        if not is_gradient_rule(target) and not ends_test(node, target):
            self.state(node, target)

    def state(self, node: Node, target: Node) -> None:
        if len(node.operands) != len(target.results):
            count = len(node.operands)
            raise self.error(node, f"carries {count} values to {target.op}, which has {len(target.results)}")
        for operand, result in zip(node.operands, target.results, strict=True):
            if not _agree(operand.type, result.type):
                raise self.error(node, f"carries a {operand.type} to %{result.name}: {result.type}")


def _agree(source: Type, target: Type) -> bool:
    """True if a value of one type may become state of the other: sizes may differ, kinds not."""
    if isinstance(source, Array) and isinstance(target, Array):
        return source.dtype == target.dtype and source.ndim == target.ndim
    if isinstance(source, Scalar) and isinstance(target, Scalar):
        return source == target
    return not isinstance(target, Scalar | Array) or source == target
