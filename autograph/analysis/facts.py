"""The facts that converters ask for: what each `if`, `while` and `for` carries, which reads may find nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from .activity import CAPTURE, body_of, events, local_names, written
from .assigned import Assigned, assigned_names
from .liveness import Liveness, live_names

Node = Any


@dataclass(frozen=True)
class Carry:
    """The names of one `if`, `while` or `for` that outlive a run of its blocks."""

    state: tuple[str, ...] = ()
    """Rebound by a block and read after it: `nonlocal` in the functions made of the blocks."""
    body_copies: tuple[str, ...] = ()
    """Rebound by the body and read by it before, but by nobody after: parameters with a default."""
    else_copies: tuple[str, ...] = ()
    unset: frozenset[str] = frozenset()
    """Those that a path leaves unbound before the statement."""


@dataclass
class Facts:
    """Facts on one user function and on all functions inside it."""

    carries: dict[Node, Carry] = field(default_factory=dict)
    unbound: set[Node] = field(default_factory=set)
    unbound_free: set[Node] = field(default_factory=set)
    owned: dict[Node, frozenset[str]] = field(default_factory=dict)
    """The local names of each user function, before anything was converted."""


def find_facts(function: Node) -> Facts:
    """Look at `function` and at every function inside it."""
    facts = Facts()
    for each in gast.walk(function):
        if isinstance(each, (gast.FunctionDef, gast.Lambda)):
            _add(facts, each)
    return facts


def _add(facts: Facts, function: Node) -> None:
    live, bound = live_names(function), assigned_names(function)
    facts.unbound |= bound.unbound
    facts.unbound_free |= bound.unbound_free
    order = local_names(function)
    facts.owned[function] = frozenset(order)
    captured = {e.name for e in events(*body_of(function)) if e.kind == CAPTURE}
    for statement in _compound(body_of(function)):
        facts.carries[statement] = _carry(statement, order, captured, live, bound)


def _compound(statements: list[Node]) -> Iterator[Node]:
    """Every `if`, `while` and `for` of one function."""
    for node in statements:
        if isinstance(node, (gast.If, gast.While, gast.For)):
            yield node
            yield from _compound(node.body + node.orelse)
        elif isinstance(node, gast.With):
            yield from _compound(node.body)


def _carry(node: Node, order: list[str], captured: set[str], live: Liveness, bound: Assigned) -> Carry:
    body, orelse = written(node.body), written(node.orelse)
    changed, needed = body | orelse, captured | live.after[node]
    if isinstance(node, gast.For):
        changed |= written([node.target])
        needed |= live.head[node]
    elif isinstance(node, gast.While):
        changed |= written([node.test])
        needed |= live.head[node]
        # What the test binds, the body and the rest may read.
        needed |= written([node.test]) & (live.body[node] | live.orelse[node])
    state = tuple(name for name in order if name in changed and name in needed)
    is_if = isinstance(node, gast.If)
    body_read = live.body[node] if is_if else frozenset()
    body_copies = tuple(n for n in order if n in body & body_read and n not in state)
    else_copies = tuple(n for n in order if n in orelse & live.orelse[node] and n not in state)
    outlive = {*state, *body_copies, *else_copies}
    return Carry(state, body_copies, else_copies, frozenset(outlive - bound.entry.get(node, frozenset())))
