"""Which names a piece of code reads, writes and captures, in the order of Python's evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import gast

Node = Any
READ, WRITE, DELETE, CAPTURE, DECLARE = "read", "write", "delete", "capture", "declare"


@dataclass(frozen=True, slots=True)
class Event:
    """One use of a name. A capture is a read by a function (or generator expression) that runs later."""

    kind: str
    name: str
    node: Node
    by: str = ""
    """Of a capture: the name of the function that captures."""


def events(*nodes: Node) -> list[Event]:
    """The uses of names in `nodes`, seen from the scope they stand in, in order of evaluation."""
    visitor = _Uses()
    for node in nodes:
        visitor.visit(node)
    return visitor.events


def written(statements: Iterable[Node]) -> set[str]:
    """The names that the statements bind or delete."""
    visitor = _Uses(captures=False)
    visitor.each(statements)
    return {event.name for event in visitor.events if event.kind in (WRITE, DELETE)}


def parameters(function: Node) -> list[str]:
    """The names of a function's parameters."""
    args = function.args
    extra = [each for each in (args.vararg, args.kwarg) if each is not None]
    return [each.id for each in [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]]


def body_of(function: Node) -> list[Node]:
    """The statements of a function; of a lambda, its expression."""
    return [function.body] if isinstance(function, gast.Lambda) else function.body


def local_names(function: Node) -> list[str]:
    """The function's own variables in order of appearance, parameters first."""
    visitor = _Uses(captures=False)
    visitor.each(body_of(function))
    return _own(function, visitor.events)


def free_reads(function: Node) -> list[tuple[str, Node]]:
    """Reads, in the function and in those inside it, of names that are not its own."""
    used = events(*body_of(function))
    own = set(_own(function, used))
    return [(e.name, e.node) for e in used if e.kind in (READ, CAPTURE) and e.name not in own]


def _own(function: Node, used: list[Event]) -> list[str]:
    bound = [e.name for e in used if e.kind in (WRITE, DELETE, DECLARE)]
    return list(dict.fromkeys(parameters(function) + bound))


class _Uses(gast.NodeVisitor):
    def __init__(self, captures: bool = True) -> None:
        self.events: list[Event] = []
        self.captures = captures

    def note(self, kind: str, name: str, node: Node, by: str = "") -> None:
        self.events.append(Event(kind, name, node, by))

    def each(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_Name(self, node: Node) -> None:
        kinds = {gast.Load: READ, gast.Store: WRITE, gast.Del: DELETE}
        kind = kinds.get(type(node.ctx))
        if kind is not None:
            self.note(kind, node.id, node)

    def visit_Assign(self, node: Node) -> None:
        self.each([node.value, *node.targets])

    def visit_NamedExpr(self, node: Node) -> None:
        self.each([node.value, node.target])

    def visit_AugAssign(self, node: Node) -> None:
        if isinstance(node.target, gast.Name):
            self.note(READ, node.target.id, node.target)
        self.each([node.value, node.target])

    def visit_AnnAssign(self, node: Node) -> None:
        if node.value is not None:
            self.each([node.value, node.target])
        elif isinstance(node.target, gast.Name):
            self.note(DECLARE, node.target.id, node.target)
        else:
            self.each([node.target])

    def visit_alias(self, node: Node) -> None:
        self.note(WRITE, node.asname or node.name.split(".")[0], node)

    def visit_For(self, node: Node) -> None:
        self.each([node.iter, node.target, *node.body, *node.orelse])

    def visit_FunctionDef(self, node: Node) -> None:
        self.each([*node.decorator_list, *node.args.defaults, *node.args.kw_defaults])
        for name, read in free_reads(node) if self.captures else ():
            self.note(CAPTURE, name, read, by=node.name)
        self.note(WRITE, node.name, node)

    def visit_Lambda(self, node: Node) -> None:
        self.each([*node.args.defaults, *node.args.kw_defaults])
        for name, read in free_reads(node) if self.captures else ():
            self.note(CAPTURE, name, read)

    def visit_ListComp(self, node: Node) -> None:
        self._comprehension(node, [node.elt], READ)

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: Node) -> None:
        self._comprehension(node, [node.key, node.value], READ)

    def visit_GeneratorExp(self, node: Node) -> None:
        self._comprehension(node, [node.elt], CAPTURE)

    def _comprehension(self, node: Node, results: list[Node], kind: str) -> None:
        """The first iterable belongs to the scope outside; all the rest sees the targets."""
        self.visit(node.generators[0].iter)
        inside = _Uses(self.captures)
        for number, generator in enumerate(node.generators):
            inside.each([generator.iter] if number else [])
            inside.each([generator.target, *generator.ifs])
        inside.each(results)
        bound = {e.name for e in inside.events if e.kind == WRITE}
        for event in inside.events:
            if event.kind in (READ, CAPTURE) and event.name not in bound:
                self.note(CAPTURE if CAPTURE in (kind, event.kind) else READ, event.name, event.node)
