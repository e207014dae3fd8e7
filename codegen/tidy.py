"""Clusters as somebody would have written them: short conditions, loops with the user's names.

All of a graph is made tidy before it is analysed: values get other names, and sizes that hang on them other
types, so that what an analysis knows of the values before is nothing to those behind.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from ..graph.analysis.effects import effects_of
from ..graph.ir.literals import literal
from ..graph.ir.nodes import Block, Graph, Literal, Node, Operand, Value, value_operands, walk
from ..graph.ir.rewrite import Substitution, ValuesByName, defined_by, symbols_in
from ..graph.ir.types import BOOL, Scalar, Type
from ..graph.ops.facts import compares, falls_through, is_branch, is_cluster, is_counted, is_load, is_truth


def tidied(graph: Graph) -> Graph:
    """`graph` with clusters that are tidy.

    ``a and b`` stands for an `if` that yields nothing else, and loops over elements have names. Before::

        %chosen: bool = if(%t0) { %t1: bool = py.lt(%k, %m)  yield %t1 } { yield %t0 }

    After::

        %t1: bool = py.lt(%k, %m)
        %t2: bool = py.select(%t0, %t1, False)
    """
    known = ValuesByName.of(graph)
    return replace(graph, body=_with_clusters(graph.body, {*known.values, *known.sizes}, known))


def _with_clusters(block: Block, taken: set[str], known: ValuesByName) -> Block:
    nodes = []
    for node in block.nodes:
        if node.regions:
            made = _tidy if is_cluster(node) else _with_clusters
            node = replace(node, regions=tuple(made(region, taken, known) for region in node.regions))
        nodes.append(node)
    return Block(block.params, tuple(nodes))


def _tidy(region: Block, taken: set[str], known: ValuesByName) -> Block:
    read = {operand for node in walk(region) for operand in value_operands(node)}
    for node in walk(region):  # of an array nothing may be read but how long it is
        behind = map(known.behind, symbols_in(node))
        read |= {value for value in behind if value is not None and value not in defined_by(node)}
    return _Tidy(taken, read).region(region)


@dataclass(slots=True)
class _Tidy:
    taken: set[str]
    read: set[Value]
    truths: dict[Value, Operand] = field(default_factory=dict)
    known: Substitution = field(default_factory=Substitution)

    def region(self, region: Block) -> Block:
        return self.known.block(self._block(region))

    def _block(self, block: Block) -> Block:
        return Block(block.params, tuple(new for node in block.nodes for new in self._node(node)))

    def _node(self, node: Node) -> Iterator[Node]:
        if node.regions:
            node = replace(node, regions=tuple(self._block(region) for region in node.regions))
        if is_counted(node):
            node = self._named(node)
        if is_truth(node):
            self.truths[node.results[0]] = node.operands[0]
        if is_branch(node) and self._is_choice(node):
            yield from self._chosen(node)
        else:
            yield node

    def _wanted(self, node: Node) -> list[tuple[int, Value]]:
        return [(place, value) for place, value in enumerate(node.results) if value in self.read]

    def _is_choice(self, node: Node) -> bool:
        """True for an `if` that only chooses between two truth values that cost nothing."""
        wanted = self._wanted(node)
        if len(wanted) != 1 or not all(map(_is_bool, (wanted[0][1], node.operands[0]))):
            return False
        inner = [n for region in node.regions for n in region.nodes[:-1]]
        if any(not falls_through(region) for region in node.regions) or len(inner) > 6:
            return False
        ends = [region.ending.operands[wanted[0][0]] for region in node.regions]
        return all(map(_is_bool, ends)) and all(map(_is_simple, inner))

    def _chosen(self, node: Node) -> Iterator[Node]:
        condition = node.operands[0]
        same = (condition, self.truths.get(condition) if isinstance(condition, Value) else None)
        ((place, result),) = self._wanted(node)
        for region in node.regions:
            yield from region.nodes[:-1]
        first, second = (region.ending.operands[place] for region in node.regions)
        first = _truth(True, first.type) if any(first is other for other in same) else first
        second = _truth(False, second.type) if any(second is other for other in same) else second
        if result.name.partition(".")[0] == "chosen":
            new = Value(self._fresh("t{}"), result.type)
            self.known.values[result] = new
            result = new
        yield Node("py.select", (condition, first, second), (result,), {}, (), node.loc)

    def _fresh(self, pattern: str) -> str:
        number = 0
        while pattern.format(number) in self.taken:
            number += 1
        self.taken.add(pattern.format(number))
        return pattern.format(number)

    # Loops over elements ----------------------------------------------------------------------------------

    def _named(self, node: Node) -> Node:
        """``for value in x:`` is a loop over indices that begins with ``value = x[i]``."""
        body = node.regions[0]
        index, first = body.params[0], body.nodes[0]
        names = _target_names(node.loc.text)
        if names is None or not is_load(first) or first.loc.line != node.loc.line:
            return node
        element = first.results[0]
        if first.operands[1:2] != (index,) or not re.fullmatch(r"t\d+", element.name):
            return node
        place, name = names
        params = (self._renamed(index, place or self._index()), *body.params[1:])
        first = replace(first, results=(self._renamed(element, name),))
        return replace(node, regions=(Block(params, (first, *body.nodes[1:])), *node.regions[1:]))

    def _index(self) -> str:
        bases = {name.partition(".")[0] for name in self.taken}
        return next((letter for letter in "ijkmnpq" if letter not in bases), "index")

    def _renamed(self, value: Value, name: str) -> Value:
        unique, number = name, 0
        while unique in self.taken:
            number += 1
            unique = f"{name}.{number}"
        self.taken.add(unique)
        self.known.values[value] = new = Value(unique, value.type)
        self.known.symbols[value.name] = unique
        return new


def _is_bool(operand: Operand) -> bool:
    return isinstance(operand.type, Scalar) and operand.type.dtype.kind == "b"


def _truth(value: bool, type_: Type) -> Literal:
    """A truth value of Python's or NumPy's: ``~`` of the one is an int."""
    return literal(value if type_ == BOOL else np.bool_(value))


def _is_simple(node: Node) -> bool:
    scalars = all(isinstance(operand.type, Scalar) for operand in (*node.operands, *node.results))
    known = compares(node) or (node.op in ("cast", "py.select") and all(map(_is_bool, node.operands)))
    return known and scalars and effects_of(node).pure


def _target_names(text: str) -> tuple[str, str] | None:
    """The user's names of the index (maybe none) and the element in the first line of a loop."""
    try:
        (loop,) = ast.parse(f"{text.strip()} pass").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(loop, ast.For):
        return None
    target, items = loop.target, loop.iter
    if isinstance(target, ast.Name) and isinstance(items, (ast.Name, ast.Attribute, ast.Subscript)):
        return "", target.id
    if not (isinstance(target, ast.Tuple) and isinstance(items, ast.Call)):
        return None
    names = [item.id for item in target.elts if isinstance(item, ast.Name)]
    counted = isinstance(items.func, ast.Name) and items.func.id == "enumerate" and len(items.args) == 1
    return (names[0], names[1]) if counted and len(names) == len(target.elts) == 2 else None
