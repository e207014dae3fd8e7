"""What an `if`, `while` or `for` carries: the names that live longer than one run of one of its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from .activity import written
from .liveness import Liveness

Node = Any
Names = frozenset[str]


@dataclass(frozen=True)
class Carry:
    """The names of one statement."""

    state: tuple[str, ...] = ()
    """Rebound by a block and read after it: `nonlocal` in the functions made of the blocks."""
    body_copies: tuple[str, ...] = ()
    """Rebound by the body and read by it before, but by nobody after: parameters with a default."""
    else_copies: tuple[str, ...] = ()
    test_locals: Names = frozenset()
    body_locals: Names = frozenset()
    else_locals: Names = frozenset()
    unset: Names = frozenset()
    """Those of the state and the copies that a path leaves unbound before the statement."""

    @property
    def outlive(self) -> Names:
        """The state and the copies."""
        return frozenset({*self.state, *self.body_copies, *self.else_copies})


def carry_of(
    node: Node, order: list[str], captured: set[str], live: Liveness, inner: dict[Node, Carry]
) -> Carry:
    """What `node` carries.

    `order` are the function's names, `captured` those that inner functions read, `inner` what the statements
    inside `node` carry.
    """
    header: set[str] = set()
    if isinstance(node, gast.For):
        header = written([node.target])
    elif isinstance(node, gast.While):
        header = written([node.test])
    body, orelse = _rebound(node.body, inner), _rebound(node.orelse, inner)
    needed = captured | live.after[node] | live.head.get(node, frozenset())
    if isinstance(node, gast.While):
        # What the test binds, the body and the rest may read.
        needed |= header & (live.body[node] | live.orelse[node])
    state = tuple(name for name in order if name in body | orelse | header and name in needed)
    body_read = live.body[node] if isinstance(node, gast.If) else frozenset()
    body_copies = tuple(n for n in order if n in body & body_read and n not in state)
    else_copies = tuple(n for n in order if n in orelse & live.orelse[node] and n not in state)
    return Carry(
        state=state,
        body_copies=body_copies,
        else_copies=else_copies,
        test_locals=frozenset(header.difference(state)) if isinstance(node, gast.While) else frozenset(),
        body_locals=frozenset((body | header).difference(state, body_copies)),
        else_locals=frozenset(orelse.difference(state, else_copies)),
    )


def _rebound(statements: list[Node], inner: dict[Node, Carry]) -> set[str]:
    """Names that the block rebinds: its own statements do, or it is in the state of a statement inside."""
    names: set[str] = set()
    for node in statements:
        if node in inner:
            names |= set(inner[node].state)
        elif isinstance(node, gast.With):
            names |= written(node.items) | _rebound(node.body, inner)
        else:
            names |= written([node])
    return names
