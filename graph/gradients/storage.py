"""Which memory the values of the forward computation look at, and what is written where.

Every array value has a *root*: the array that it is a view of, by a chain of `view` and `reshape` nodes.
Adjoints are kept per root. Values `apart` are roots of their own: what is differentiated with respect to,
what stops gradients, and broadcast views, whose elements are several in one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..analysis.effects import Aliases, is_array, writes
from ..ir.axes import spans
from ..ir.nodes import Block, Graph, Node, Value, walk
from ..ir.rewrite import defined_by
from ..ir.types import Array
from ..ops.facts import is_gradient_rule, is_plain_view, is_view
from ..symbolic.arrays import SymbolicArray
from ..symbolic.indexing import view_layout
from ..trace.build import Builder
from .handed import Handed


class MemoryRoots:
    """Memory of a straight line of nodes (with regions inside).

    Attributes:
        definition: the node that a value is the result of (not for parameters of regions).
        handed: the arrays that opaque Python gets, and may write.
    """

    def __init__(self, builder: Builder, blocks: Sequence[Sequence[Node]], apart: set[Value]) -> None:
        nodes = _with_unknowns(builder, blocks)
        defined = {value for node in nodes for value in _defined_inside(node)}
        params = tuple(dict.fromkeys(v for v in _used(nodes) if v not in defined))
        body = Block((), (*nodes, Node("return")))
        self.aliases = Aliases(Graph("span", params, body))
        self.flow = self.aliases.flow
        self.definition = self.flow.definition
        self.apart = apart | {v for node in walk(body) for v in node.results if _is_apart(node)}
        self._named = {v for v in apart if (node := self.definition.get(v)) and node.attrs.get("alias")}
        self._orders: dict[Value, str | None] = {}
        self.handed = Handed(self.flow, lambda value: self.flow.head.get(value, value))
        self.handed.run(nodes)

    def root(self, value: Value) -> Value:
        """What `value` is a view of, as far as adjoints go."""
        while value not in self.apart and (source := self.aliases.source(value)) is not None:
            value = source
        return value

    def chain(self, value: Value) -> list[Node]:
        """The views from the root of `value` to `value`."""
        nodes: list[Node] = []
        while value not in self.apart and (source := self.aliases.source(value)) is not None:
            node = self.definition.get(value)
            if node is not None and is_view(node):
                nodes.append(node)
            value = source
        return nodes[::-1]

    def memory_root(self, value: Value) -> Value:
        """The whole memory that `value` looks at, by the name that derivatives know it by.

        What is kept of memory is copied under this name, so that derivatives of the copy find their way.
        """
        while value not in self._named and (source := self.aliases.source(value)) is not None:
            value = source
        return value

    def memory_chain(self, value: Value) -> list[Node]:
        """The views from the memory root of `value` to `value`."""
        nodes: list[Node] = []
        while value not in self._named and (source := self.aliases.source(value)) is not None:
            node = self.definition.get(value)
            if node is not None and is_view(node):
                nodes.append(node)
            value = source
        return nodes[::-1]

    def writes(self, node: Node) -> tuple[Value, ...]:
        """The arrays that `node` itself writes, or may write as opaque Python."""
        return (*writes(node), *self.handed.written(node))

    def all_writes(self, node: Node) -> tuple[Value, ...]:
        """What `node` and the nodes in its regions write."""
        return tuple(dict.fromkeys(v for inner in (node, *running(node)) for v in self.writes(inner)))

    def overlap(self, one: Value, other: Value) -> bool:
        """False where it is proved that no element of one is an element of the other."""
        return self.aliases.may_overlap(one, other)

    def known_as(self, value: Value) -> Value:
        """The value of the user's that `value` is another name of."""
        node = self.definition.get(value)
        while node is not None and node.attrs.get("alias") and isinstance(node.operands[0], Value):
            value = node.operands[0]
            node = self.definition.get(value)
        return value

    def order(self, value: Value) -> str | None:
        """Which way the strides of an array run (see `SymbolicArray`)."""
        if value not in self._orders:
            self._orders[value] = self._order(value)
        return self._orders[value]

    def _order(self, value: Value) -> str | None:
        assert isinstance(value.type, Array)
        if value.type.ndim <= 1 or value.type.layout in ("C", "F"):
            return "C" if value.type.ndim <= 1 else value.type.layout
        node = self.definition.get(value)
        if node is None or not is_plain_view(node):
            return None
        source = node.operands[0]
        assert isinstance(source, Value)
        array = SymbolicArray(source, self.order(source))
        return view_layout(array, list(node.attrs["axes"]), value.type.shape)[1]


def running(node: Node) -> Iterator[Node]:
    """The nodes in the regions of `node` that run when it runs: all but gradient rules."""
    if is_gradient_rule(node):
        return
    for region in node.regions:
        for inner in region.nodes:
            yield inner
            yield from running(inner)


def _used(nodes: Sequence[Node]) -> Iterator[Value]:
    for node in nodes:
        for inner in (node, *(n for region in node.regions for n in walk(region))):
            yield from (o for o in inner.operands if isinstance(o, Value))


def _defined_inside(node: Node) -> Iterator[Value]:
    yield from defined_by(node)
    for region in node.regions:
        for inner in walk(region):
            yield from defined_by(inner)


def _with_unknowns(builder: Builder, blocks: Sequence[Sequence[Node]]) -> list[Node]:
    """The nodes of the open blocks in one line; an array that an open region gets may be any earlier one."""
    known: set[Value] = set()
    nodes: list[Node] = []
    for block in blocks:
        inner = {value for node in block for value in _defined_inside(node)}
        free = dict.fromkeys(v for v in _used(block) if v not in known and v not in inner)
        params = [v for v in free if v.name in builder.params]
        known.update(params)
        earlier = tuple(v for v in known if is_array(v))
        for value in free:
            if value not in params and is_array(value) and earlier:
                nodes.append(Node("numpy", earlier, (value,), {"aliases": True}))
        known.update(free)
        known.update(value for node in block for value in node.results)
        nodes += block
    return nodes


def _is_apart(node: Node) -> bool:
    """True for a view in which one element of the memory stands in several places, or that is a constant."""
    if not is_plain_view(node):
        return False
    if node.attrs.get("stop_gradient"):
        return True
    (value,) = node.results
    assert isinstance(value.type, Array)
    named = {span.target for span in spans(node.attrs["axes"])}
    return any(size != 1 for k, size in enumerate(value.type.shape) if k not in named)
