"""What `if`, `while` and `for` have in common: functions made of blocks, and the state that they share.

def get_state():
    return (x, y)

def set_state(values):
    nonlocal x, y
    (x, y) = values

A statement without state passes `*ag.STATELESS` instead.
"""

from __future__ import annotations

from typing import Any

import gast

from ..analysis.activity import written
from ..analysis.carry import Carry
from .context import Context, assign, constant, function, load, names_tuple, store

Node = Any


class Blocks:
    """Makes the functions of one statement and puts them in front of the operator's call."""

    def __init__(self, context: Context, node: Node) -> None:
        self.context = context
        self.carry: Carry = context.facts.carries[node]
        number = context.facts.numbers[node]
        self.suffix = f"_{number}" if number else ""
        self.functions: list[Node] = []

    def define(
        self, base: str, parameters: list[str], body: list[Node], copies: tuple[str, ...] = ()
    ) -> Node:
        """A function of the statements, named after its statement; returns a read of that name.

        The state that the statements rebind is `nonlocal`; copies are parameters with a default."""
        name = self.context.fresh(base + self.suffix)
        changed = _rebound(body) - set(parameters)
        shared = [each for each in self.carry.state if each in changed]
        if shared:
            body = [gast.Nonlocal(shared), *body]
        made = function([*parameters, *copies], body, name, [load(each) for each in copies])
        self.context.generated[made] = self.carry
        self.functions.append(made)
        return load(name)

    def state(self) -> list[Node]:
        """The operator's arguments for the state: get_state, set_state, names."""
        names = self.carry.state
        if not names:
            return [gast.Starred(self.context.operator("STATELESS"), gast.Load())]
        getter = self.define("get_state", [], [self._plain(gast.Return(names_tuple(names)))])
        values = self.context.values
        body = [self._plain(assign(names_tuple(names, store), load(values)))]
        setter = self.define("set_state", [values], body)
        return [getter, setter, names_tuple(names, constant)]

    def _plain(self, node: Node) -> Node:
        self.context.plain.add(node)
        return node


def _rebound(body: list[Node]) -> set[str]:
    """Names that the statements bind, or that functions made of blocks inside them bind for them."""
    names = written(body)
    for statement in body:
        for node in gast.walk(statement):
            if isinstance(node, gast.Nonlocal):
                names |= set(node.names)
    return names
