"""Rebuilding graphs: substitution of values and size symbols, and what a node uses. For all passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from . import dims
from .axes import Span, spans
from .dims import Size
from .nodes import Block, Graph, Node, Operand, Value, walk
from .types import Array, Type


def sizes_in(node: Node) -> Iterator[Size]:
    """Every size that `node` mentions: in result types, block parameters and attributes."""
    for value in (*node.results, *(p for region in node.regions for p in region.params)):
        if isinstance(value.type, Array):
            yield from value.type.shape
    if "size" in node.attrs:
        yield node.attrs["size"]
    yield from (span.start for span in spans(node.attrs.get("axes", ())))


def symbols_in(node: Node) -> set[str]:
    """The size symbols that `node` (not its regions) mentions."""
    return {name for size in sizes_in(node) for name in dims.symbols(size)}


@dataclass(slots=True)
class ValuesByName:
    """Values of a graph by name, and the values behind its size symbols."""

    values: dict[str, Value]
    sizes: dict[str, tuple[Value, int]]

    @classmethod
    def of(cls, graph: Graph) -> ValuesByName:
        """The names of `graph`."""
        names = cls({}, dict(graph.sizes))
        for value in (*graph.params, *(v for node in walk(graph.body) for v in defined_by(node))):
            names.values[value.name] = value
        return names

    def behind(self, symbol: str) -> Value | None:
        """The value that a size symbol needs: the array it is an axis of, or the int that it names."""
        return self.sizes[symbol][0] if symbol in self.sizes else self.values.get(symbol)

    def fresh(self, name: str) -> str:
        """A name made from `name` that is new in the graph (and taken from now on)."""
        stem = re.sub(r"\.\d+$", "", name)
        count = 1
        while f"{stem}.{count}" in self.values or f"{stem}.{count}" in self.sizes:
            count += 1
        return f"{stem}.{count}"


def defined_by(node: Node) -> tuple[Value, ...]:
    """The results of `node` and the parameters of its regions."""
    return (*node.results, *(param for region in node.regions for param in region.params))


def used_by(node: Node, names: ValuesByName) -> set[Value]:
    """The outer values that `node` and its regions need: as operands and through size symbols."""
    used: set[Value] = set()
    own: set[Value] = set()
    for inner in (node, *(n for region in node.regions for n in walk(region))):
        own.update(defined_by(inner))
        used.update(o for o in inner.operands if isinstance(o, Value))
        used.update(v for s in symbols_in(inner) if (v := names.behind(s)) is not None)
    return used - own


@dataclass(slots=True)
class Substitution:
    """Replaces values and size symbols (by names or sizes); what doesn't change stays the same object."""

    values: dict[Value, Operand] = field(default_factory=dict)
    symbols: dict[str, str | Size] = field(default_factory=dict)

    def operand(self, operand: Operand) -> Operand:
        """What stands in place of `operand`."""
        while isinstance(operand, Value) and operand in self.values:
            operand = self.values[operand]
        return operand

    def size(self, size: Size) -> Size:
        """`size` with its symbols replaced; a renamed symbol keeps its lower bound."""
        known: dict[str, Size] = {}
        for symbol in dims.atoms(size):
            new = self.symbols.get(symbol.name)
            if new is not None:
                known[symbol.name] = dims.symbol(new, symbol.low) if isinstance(new, str) else new
        return dims.substitute(size, known) if known else size

    def type(self, type_: Type) -> Type:
        """`type_` with its sizes rewritten."""
        if not self.symbols or not isinstance(type_, Array):
            return type_
        shape = tuple(self.size(size) for size in type_.shape)
        return type_ if shape == type_.shape else replace(type_, shape=shape)

    def define(self, value: Value) -> Value:
        """`value` where it is defined: a new one (known from now on) if its type changed."""
        type_ = self.type(value.type)
        if type_ is value.type:
            return value
        new = Value(value.name, type_)
        self.values[value] = new
        return new

    def node(self, node: Node, regions: tuple[Block, ...] | None = None) -> Node:
        """`node` rewritten, with its regions (or with these, which are taken as they are)."""
        operands = tuple(self.operand(operand) for operand in node.operands)
        if regions is None:
            regions = tuple(self.block(region) for region in node.regions)
        results = tuple(self.define(value) for value in node.results)
        attrs = self.attrs(node) if self.symbols else node.attrs
        if (
            _same(operands, node.operands)
            and _same(regions, node.regions)
            and _same(results, node.results)
            and attrs is node.attrs
        ):
            return node
        return Node(node.op, operands, results, attrs, regions, node.loc)

    def params(self, block: Block) -> tuple[Value, ...]:
        """The parameters of `block` rewritten, which comes before its nodes: they use them."""
        return tuple(self.define(value) for value in block.params)

    def block(self, block: Block) -> Block:
        """`block` rewritten."""
        params = self.params(block)
        nodes = tuple(self.node(node) for node in block.nodes)
        return block if _same(nodes, block.nodes) and _same(params, block.params) else Block(params, nodes)

    def attrs(self, node: Node) -> Mapping[str, Any]:
        """The attributes of `node` with their sizes rewritten."""
        changed: dict[str, Any] = {}
        if "axes" in node.attrs:
            axes = tuple(
                replace(axis, start=self.size(axis.start)) if isinstance(axis, Span) else axis
                for axis in node.attrs["axes"]
            )
            if axes != node.attrs["axes"]:
                changed["axes"] = axes
        if "size" in node.attrs:
            size = self.size(node.attrs["size"])
            if size != node.attrs["size"]:
                changed |= {"size": size, "text": dims.text(size)}
        return {**node.attrs, **changed} if changed else node.attrs


def _same(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    return len(left) == len(right) and all(a is b for a, b in zip(left, right, strict=True))


def with_regions(node: Node, regions: tuple[Block, ...]) -> Node:
    """`node` with other bodies; itself if they are the same objects."""
    return node if _same(regions, node.regions) else replace(node, regions=regions)


def with_attrs(node: Node, **attrs: Any) -> Node:
    """`node` with some attributes set."""
    return replace(node, attrs={**node.attrs, **attrs})


def with_nodes(block: Block, nodes: list[Node]) -> Block:
    """`block` with other nodes; itself if they are the same objects."""
    return block if _same(tuple(nodes), block.nodes) else Block(block.params, tuple(nodes))


def with_body(graph: Graph, body: Block) -> Graph:
    """`graph` with another body, and its sizes taken from the values that are there now."""
    if body is graph.body:
        return graph
    values = ValuesByName.of(replace(graph, body=body)).values
    sizes = {s: (values[v.name], axis) for s, (v, axis) in graph.sizes.items() if v.name in values}
    return replace(graph, body=body, sizes=sizes)


def map_nodes(block: Block, rewrite: Callable[[Node], Node]) -> Block:
    """`block` with every node rewritten, inner ones first."""
    nodes = [
        rewrite(with_regions(node, tuple(map_nodes(region, rewrite) for region in node.regions)))
        for node in block.nodes
    ]
    return with_nodes(block, nodes)
