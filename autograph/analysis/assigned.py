"""Which names are surely bound: forwards over the statements; a read of any other name may find nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from .activity import CAPTURE, DELETE, READ, WRITE, body_of, events, local_names, parameters
from .liveness import never_ends

Node = Any
Names = frozenset[str] | None
"""The names bound for sure at a point of the function; None where no path leads."""


@dataclass
class Assigned:
    """Names bound on entry of every `if`, `while` and `for`, and the reads that may find a name unbound."""

    entry: dict[Node, frozenset[str]] = field(default_factory=dict)
    unbound: set[Node] = field(default_factory=set)
    unbound_free: set[Node] = field(default_factory=set)
    """Such reads by functions inside this one."""


@dataclass
class _Loop:
    """What is bound where the loop is left, and where it starts again."""

    at_break: Names = None
    at_continue: Names = None


def assigned_names(function: Node) -> Assigned:
    """Definite assignment for the names of one function (not of the functions inside it)."""
    walk = _Walk(function)
    walk.block(body_of(function), frozenset(parameters(function)))
    return walk.found


def join(first: Names, second: Names) -> Names:
    """What is bound where two paths meet."""
    if first is None or second is None:
        return second if first is None else first
    return first & second


class _Walk:
    def __init__(self, function: Node) -> None:
        self.found = Assigned()
        self.own = set(local_names(function))
        self.loops: list[_Loop] = []
        uses = events(*body_of(function))
        self.deleted = {event.name for event in uses if event.kind == DELETE}

    def block(self, statements: list[Node], bound: Names) -> Names:
        for statement in statements:
            bound = self.statement(statement, bound)
        return bound

    def statement(self, node: Node, bound: Names) -> Names:
        if isinstance(node, (gast.If, gast.While, gast.For)):
            self.found.entry[node] = bound or frozenset()
        if isinstance(node, gast.If):
            bound = self.simple([node.test], bound)
            return join(self.block(node.body, bound), self.block(node.orelse, bound))
        if isinstance(node, gast.While):
            return self.loop(node, bound)
        if isinstance(node, gast.For):
            return self.loop(node, self.simple([node.iter], bound))
        if isinstance(node, gast.With):
            return self.scope(node, bound)
        bound = self.simple([node], bound)
        if isinstance(node, gast.Break):
            self.loops[-1].at_break = join(self.loops[-1].at_break, bound)
        if isinstance(node, gast.Continue):
            self.loops[-1].at_continue = join(self.loops[-1].at_continue, bound)
        ends = isinstance(node, (gast.Break, gast.Continue, gast.Return, gast.Raise))
        return None if ends else bound

    def loop(self, node: Node, bound: Names) -> Names:
        """Go round until the names bound at the head no longer shrink."""
        head: Names = bound
        while True:
            current = _Loop()
            self.loops.append(current)
            if isinstance(node, gast.While):
                left: Names = self.simple([node.test], head)
                end = self.block(node.body, left)
            else:
                left = head
                end = self.block(node.body, self.simple([node.target], head))
            self.loops.pop()
            new = join(head, join(end, current.at_continue))
            if new == head:
                break
            head = new
        if isinstance(node, gast.While) and never_ends(node):
            left = None
        return join(self.block(node.orelse, left), current.at_break)

    def scope(self, node: Node, bound: Names) -> Names:
        """A context manager may swallow an exception: then only part of the body has run."""
        start = self.simple(node.items, bound)
        end = self.block(node.body, start)
        if start is None:
            return None
        deleted = {event.name for event in events(*node.body) if event.kind == DELETE}
        return join(start - deleted, end)

    def simple(self, nodes: list[Node], bound: Names) -> Names:
        """A statement without blocks, or an expression; marks the reads that may find nothing."""
        if bound is None:
            return None
        names = set(bound)
        for event in events(*nodes):
            if event.name not in self.own:
                continue
            if event.kind == CAPTURE:
                known = event.name in names or event.name == event.by
                if not known or event.name in self.deleted:
                    self.found.unbound_free.add(event.node)
            elif event.kind in (READ, DELETE) and event.name not in names:
                self.found.unbound.add(event.node)
            if event.kind == WRITE:
                names.add(event.name)
            elif event.kind == DELETE:
                names.discard(event.name)
        return frozenset(names)
