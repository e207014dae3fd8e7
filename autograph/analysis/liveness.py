"""Which names are still read later: backwards over the statements, with a fixpoint for loops."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast

from .activity import CAPTURE, DELETE, READ, WRITE, body_of, events

Node = Any
Names = frozenset[str]
EMPTY: Names = frozenset()


@dataclass
class Liveness:
    """For every `if`, `while` and `for`: the names alive where it leads to (jumps included), at its head, and
    where its blocks start."""

    after: dict[Node, Names] = field(default_factory=dict)
    head: dict[Node, Names] = field(default_factory=dict)
    body: dict[Node, Names] = field(default_factory=dict)
    orelse: dict[Node, Names] = field(default_factory=dict)


@dataclass(frozen=True)
class _AliveAtJumps:
    """What is alive where a jump goes; `always` holds inside a `with` or `try`, which exceptions may end."""

    after_break: Names = EMPTY
    after_continue: Names = EMPTY
    always: Names = EMPTY


def live_names(function: Node) -> Liveness:
    """Liveness of the names of one function (not of the functions inside it)."""
    found = Liveness()
    _Backwards(found).block(body_of(function), EMPTY, _AliveAtJumps())
    return found


def never_ends(loop: Node) -> bool:
    """`while True`: only a jump leaves it."""
    return isinstance(loop.test, gast.Constant) and bool(loop.test.value)


def is_tried(loop: Node) -> bool:
    """Whether its body is that of a `try` (`converters.tries`), which exceptions leave for what is behind."""
    called = loop.iter.func if isinstance(loop, gast.For) and isinstance(loop.iter, gast.Call) else None
    return isinstance(called, gast.Attribute) and called.attr == "trying"


class _Backwards:
    def __init__(self, found: Liveness) -> None:
        self.found = found

    def block(self, statements: list[Node], live: Names, exits: _AliveAtJumps) -> Names:
        for statement in reversed(statements):
            live = self.statement(statement, live | exits.always, exits) | exits.always
        return live | exits.always

    def statement(self, node: Node, live: Names, exits: _AliveAtJumps) -> Names:
        if isinstance(node, gast.If):
            return self.branch(node, live, exits)
        if isinstance(node, (gast.While, gast.For)):
            return self.loop(node, live, exits)
        if isinstance(node, gast.With):
            inside = replace(exits, always=exits.always | live)
            return _before(node.items, self.block(node.body, live, inside))
        if isinstance(node, gast.Break):
            return exits.after_break
        if isinstance(node, gast.Continue):
            return exits.after_continue
        if isinstance(node, (gast.Return, gast.Raise)):
            return _before([node], EMPTY)
        return _before([node], live)

    def branch(self, node: Node, live: Names, exits: _AliveAtJumps) -> Names:
        self.found.after[node] = live | _at_jumps(node.body + node.orelse, exits)
        self.found.body[node] = self.block(node.body, live, exits)
        self.found.orelse[node] = self.block(node.orelse, live, exits)
        return _before([node.test], self.found.body[node] | self.found.orelse[node])

    def loop(self, node: Node, live: Names, exits: _AliveAtJumps) -> Names:
        self.found.after[node] = live | _at_jumps(node.orelse, exits)
        exit_ = self.found.orelse[node] = self.block(node.orelse, live, exits)
        # Each iteration around a loop outside finds more alive, never less: what was found before still is.
        # From nothing each time, loops in each other would take 2 ** depth rounds.
        head, grown = self.found.head.get(node, EMPTY), True
        always = exits.always | live if is_tried(node) else exits.always
        while grown:
            inside = replace(exits, after_break=live, after_continue=head, always=always)
            body = self.found.body[node] = self.block(node.body, head, inside)
            if isinstance(node, gast.For):
                new = _before([node.target], body) | exit_
            else:
                new = _before([node.test], body if never_ends(node) else body | exit_)
            grown = not new <= head
            head |= new
            self.found.head[node] = head
        return _before([node.iter], head) if isinstance(node, gast.For) else head


def _at_jumps(statements: list[Node], exits: _AliveAtJumps) -> Names:
    """What is alive where the `break` and `continue` of a block lead to, out of the block."""
    live = EMPTY
    for node in statements:
        if isinstance(node, gast.Break):
            live |= exits.after_break
        elif isinstance(node, gast.Continue):
            live |= exits.after_continue
        elif isinstance(node, (gast.If, gast.With)):
            live |= _at_jumps(node.body + getattr(node, "orelse", []), exits)
        elif isinstance(node, (gast.While, gast.For)):
            live |= _at_jumps(node.orelse, exits)
    return live


def _before(nodes: list[Node], live: Names) -> Names:
    """What is alive before simple statements or expressions, given what is alive after them."""
    alive = set(live)
    for event in reversed(events(*nodes)):
        if event.kind in (WRITE, DELETE):
            alive.discard(event.name)
        if event.kind in (READ, CAPTURE, DELETE):
            alive.add(event.name)
    return frozenset(alive)
