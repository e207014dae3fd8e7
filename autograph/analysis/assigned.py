"""Which names are surely bound: forwards over the statements; a read of any other name may find nothing.

Blocks of `if`, `while` and `for` will be functions: a name that is local to a block is unbound where the
block starts, and the name outside stays what it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from .activity import CAPTURE, DELETE, READ, WRITE, body_of, events, local_names, parameters
from .carry import Carry
from .liveness import is_tried, never_ends

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
    """What is bound where a jump leaves or restarts the loop; `depth` blocks are outside the loop."""

    depth: int
    at_break: Names = None
    at_continue: Names = None


@dataclass(frozen=True)
class _Block:
    """A block that becomes a function: its own names, and what was bound where it starts."""

    own: frozenset[str]
    start: Names

    def after(self, end: Names) -> Names:
        """What is bound outside when the block ends with `end` bound."""
        if end is None:
            return None
        return (end - self.own) | (self.own & (self.start or frozenset()))


def assigned_names(function: Node, carries: dict[Node, Carry]) -> Assigned:
    """Definite assignment for the names of one function (not of the functions inside it)."""
    walk = _Walk(function, carries)
    walk.statements(body_of(function), frozenset(parameters(function)))
    return walk.found


def join(first: Names, second: Names) -> Names:
    """What is bound where two paths meet."""
    if first is None or second is None:
        return second if first is None else first
    return first & second


class _Walk:
    def __init__(self, function: Node, carries: dict[Node, Carry]) -> None:
        self.found = Assigned()
        self.carries = carries
        self.own = set(local_names(function))
        self.loops: list[_Loop] = []
        self.blocks: list[_Block] = []
        uses = events(*body_of(function))
        self.deleted = {event.name for event in uses if event.kind == DELETE}

    def statements(self, statements: list[Node], bound: Names) -> Names:
        for statement in statements:
            bound = self.statement(statement, bound)
        return bound

    def block(self, header: list[Node], statements: list[Node], bound: Names, own: frozenset[str]) -> Names:
        """A block that becomes a function, `header` evaluated in it first."""
        if bound is None:
            return self.statements(statements, None)
        block = _Block(own, bound)
        self.blocks.append(block)
        end = self.statements(statements, self.simple(header, bound - own))
        self.blocks.pop()
        return block.after(end)

    def statement(self, node: Node, bound: Names) -> Names:
        if isinstance(node, (gast.If, gast.While, gast.For)):
            self.found.entry[node] = bound or frozenset()
        if isinstance(node, gast.If):
            bound, carry = self.simple([node.test], bound), self.carries[node]
            body = self.block([], node.body, bound, carry.body_locals)
            return join(body, self.block([], node.orelse, bound, carry.else_locals))
        if isinstance(node, gast.While):
            return self.loop(node, bound)
        if isinstance(node, gast.For):
            return self.loop(node, self.simple([node.iter], bound))
        if isinstance(node, gast.With):
            return self.scope(node, bound)
        bound = self.simple([node], bound)
        if isinstance(node, (gast.Break, gast.Continue)):
            self.jump(node, bound)
        ends = isinstance(node, (gast.Break, gast.Continue, gast.Return, gast.Raise))
        return None if ends else bound

    def jump(self, node: Node, bound: Names) -> None:
        """Out of all blocks up to the body of the loop."""
        loop = self.loops[-1]
        for block in reversed(self.blocks[loop.depth :]):
            bound = block.after(bound)
        if isinstance(node, gast.Break):
            loop.at_break = join(loop.at_break, bound)
        else:
            loop.at_continue = join(loop.at_continue, bound)

    def loop(self, node: Node, bound: Names) -> Names:
        """Go round until the names bound at the head no longer shrink."""
        head, carry = bound, self.carries[node]
        while True:
            current = _Loop(len(self.blocks))
            self.loops.append(current)
            left = head
            if isinstance(node, gast.While):
                left = self.block([node.test], [], head, carry.test_locals)
            target = [node.target] if isinstance(node, gast.For) else []
            end = self.block(target, node.body, left, carry.body_locals)
            self.loops.pop()
            new = join(head, join(end, current.at_continue))
            if new == head:
                break
            head = new
        if isinstance(node, gast.While) and never_ends(node):
            left = None
        if is_tried(node) and left is not None:
            left -= _deleted(node)
        return join(self.block([], node.orelse, left, carry.else_locals), current.at_break)

    def scope(self, node: Node, bound: Names) -> Names:
        """A context manager may swallow an exception: then only part of the body has run."""
        start = self.simple(node.items, bound)
        end = self.statements(node.body, start)
        if start is None:
            return None
        return join(start - _deleted(node), end)

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


def _deleted(node: Node) -> set[str]:
    """The names that the body may have deleted where an exception ends it."""
    return {event.name for event in events(*node.body) if event.kind == DELETE}
