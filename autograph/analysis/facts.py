"""The facts that converters ask for: what `if`, `while` and `for` carry, which reads may find nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from .activity import CAPTURE, body_of, events, local_names
from .assigned import assigned_names
from .carry import Carry, carry_of
from .liveness import live_names

Node = Any


@dataclass
class Facts:
    """Facts on one user function and on all functions inside it."""

    carries: dict[Node, Carry] = field(default_factory=dict)
    numbers: dict[Node, int] = field(default_factory=dict)
    """Of each `if`, `while` and `for`: how many start before it."""
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
    statements = sorted(facts.carries, key=lambda node: (node.lineno, node.col_offset))
    facts.numbers = {node: number for number, node in enumerate(statements)}
    return facts


def _add(facts: Facts, function: Node) -> None:
    live, order = live_names(function), local_names(function)
    facts.owned[function] = frozenset(order)
    captured = {e.name for e in events(*body_of(function)) if e.kind == CAPTURE}
    statements = list(_compound(body_of(function)))
    carries: dict[Node, Carry] = {}
    for each in reversed(statements):  # the inner ones first
        carries[each] = carry_of(each, order, captured, live, carries)
    bound = assigned_names(function, carries)
    facts.unbound |= bound.unbound
    facts.unbound_free |= bound.unbound_free
    for each, carry in carries.items():
        facts.carries[each] = replace(carry, unset=carry.outlive - bound.entry.get(each, frozenset()))


def _compound(statements: list[Node]) -> Iterator[Node]:
    """Every `if`, `while` and `for` of one function."""
    for node in statements:
        if isinstance(node, (gast.If, gast.While, gast.For)):
            yield node
            yield from _compound(node.body + node.orelse)
        elif isinstance(node, gast.With):
            yield from _compound(node.body)
