"""What the converters of one function share: fresh names, facts on its names, the way to say "not this"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from ...graph.trace.running import line_of, within
from ..analysis.carry import Carry
from ..analysis.facts import Facts
from ..source import Unsupported

Node = Any
"""A gast node; gast makes its classes at run time, a type checker can't see them."""


@dataclass
class Context:
    """The state of one conversion."""

    filename: str
    used: set[str]
    class_name: str = ""
    free: frozenset[str] = frozenset()
    """The function's own free variables."""
    facts: Facts = field(default_factory=Facts)
    generated: dict[Node, Carry] = field(default_factory=dict)
    """Functions that a converter made of a user's block, with the names that the block carries."""
    free_loads: set[Node] = field(default_factory=set)
    """Calls of `ag.ld` on a variable of an enclosing user function."""
    plain: set[Node] = field(default_factory=set)
    """Generated nodes that no later converter may touch."""
    direct: set[Node] = field(default_factory=set)
    """Generated calls that stay calls."""
    made: set[str] = field(default_factory=set)
    """Names that `fresh` gave out."""

    def __post_init__(self) -> None:
        self.operators = self.fresh("ag")
        self.slice = self.fresh("slice")
        self.values = self.fresh("values")

    def fresh(self, base: str) -> str:
        """A name that the function doesn't use: `base`, `base_1`, `base_2`, ..."""
        name, number = base, 0
        while name in self.used:
            number += 1
            name = f"{base}_{number}"
        self.used.add(name)
        self.made.add(name)
        return name

    def is_local(self, name: str) -> bool:
        """Is it a variable of one of the functions (and no global, which a call may change)?"""
        return name in self.made or any(name in names for names in self.facts.owned.values())

    def is_settled(self, node: Node) -> bool:
        """Can nothing that runs in between tell when `node` is evaluated?"""
        if node is None or isinstance(node, gast.Constant):
            return True
        if isinstance(node, gast.Name):
            return self.is_local(node.id)
        if isinstance(node, gast.Tuple):
            return all(self.is_settled(each) for each in node.elts)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == self.slice:
            return all(self.is_settled(each) for each in node.args)
        return isinstance(node, gast.UnaryOp) and isinstance(node.operand, gast.Constant)

    def unsupported(self, reason: str, node: Node, attempt: str = "") -> Unsupported:
        """The exception to raise for a construct that can't be staged."""
        where = line_of(self.filename, getattr(node, "lineno", 0))
        if where.line:
            where = within(where, node.end_lineno, node.col_offset, node.end_col_offset)
        return Unsupported(reason, where, attempt)

    def operator(self, name: str) -> Node:
        """`ag.name`."""
        return gast.Attribute(load(self.operators), name, gast.Load())

    def call(self, name: str, *args: Node, **keywords: Node) -> Node:
        """`ag.name(*args, **keywords)`."""
        named = [gast.keyword(key, value) for key, value in keywords.items()]
        return gast.Call(self.operator(name), list(args), named)

    def is_operator_call(self, node: Node, name: str = "") -> bool:
        """Is `node` a call of an operator (of this one)?"""
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
            return False
        owner = node.func.value
        ours = isinstance(owner, gast.Name) and owner.id == self.operators
        return ours and (not name or node.func.attr == name)


class Converter(gast.NodeTransformer):
    """A transformer whose new nodes stand where the old ones stood."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def visit(self, node: Node) -> Node:
        """Convert `node`; what comes out gets its position."""
        if node in self.context.plain:
            return node
        result = super().visit(node)
        for new in result if isinstance(result, list) else [result]:
            place(new, node)
        return result

    def block(self, statements: list[Node]) -> list[Node]:
        """Convert a list of statements, each of which may become several."""
        return list(self._each(statements))

    def _each(self, statements: list[Node]) -> Iterator[Node]:
        for statement in statements:
            result = self.visit(statement)
            if isinstance(result, list):
                yield from result
            elif result is not None:
                yield result


def place(new: Node, old: Node) -> None:
    """Give `new` and all below it that has no position yet the position of `old`."""
    if new is None or new is old or not hasattr(old, "lineno"):
        return
    todo = [new]
    while todo:
        node = todo.pop()
        if hasattr(node, "lineno"):
            continue
        if "lineno" in node._attributes:
            gast.copy_location(node, old)
            if isinstance(node, gast.Attribute):  # CPython gives a call of `a.b` the last line of `a.b`
                node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
        todo += list(gast.iter_child_nodes(node))


def load(name: str) -> Node:
    """A read of `name`."""
    return gast.Name(name, gast.Load(), None, None)


def store(name: str) -> Node:
    """A target `name`."""
    return gast.Name(name, gast.Store(), None, None)


def constant(value: object) -> Node:
    """A literal."""
    return gast.Constant(value, None)


def names_tuple(names: tuple[str, ...], make: Any = load) -> Node:
    """`(x, y)` of reads, targets (`make=store`) or strings (`make=constant`)."""
    context = gast.Store() if make is store else gast.Load()
    return gast.Tuple([make(name) for name in names], context)


def assign(target: Node, value: Node) -> Node:
    """`target = value`."""
    return gast.Assign([target], value, None)


def function(parameters: list[str], body: Node, name: str = "", defaults: list[Node] | None = None) -> Node:
    """`lambda parameters: body`, or `def name(parameters): body` where a name is given."""
    params = [gast.Name(each, gast.Param(), None, None) for each in parameters]
    arguments = gast.arguments(params, [], None, [], [], None, defaults or [])
    if not name:
        return gast.Lambda(arguments, body)
    return gast.FunctionDef(name, arguments, body or [gast.Pass()], [], None, None, [])


def thunk(body: Node) -> Node:
    """`lambda: body`."""
    return function([], body)
