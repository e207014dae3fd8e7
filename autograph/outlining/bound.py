"""Which names are bound for sure where a loop starts: forwards over statements."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from .liveness import is_try
from .uses import NONE, Names, uses_of

Known = Names | None
"""The names that are bound for sure at a point; None where no way leads."""


def _met(*ways: Known) -> Known:
    """What is bound where ways meet."""
    known = [each for each in ways if each is not None]
    return frozenset.intersection(*known) if known else None


def _without(known: Known, names: Names) -> Known:
    return None if known is None else known - names


@dataclass
class _Leaves:
    """What is bound where `break` and `continue` lead."""

    broken: Known = None
    continued: Known = None


@dataclass
class Bound:
    """By loop, the names that are bound for sure where it starts."""

    before: dict[ast.stmt, Known] = field(default_factory=dict)
    jumps: list[_Leaves] = field(default_factory=lambda: [_Leaves()])

    def block(self, statements: list[ast.stmt], known: Known) -> Known:
        """What is bound after the statements."""
        for statement in statements:
            known = self.statement(statement, known)
        return known

    def statement(self, node: ast.stmt, known: Known) -> Known:
        """What is bound after one statement."""
        if known is None:
            return None  # no loop that can't be reached is looked at
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self._loop(node, known)
        if isinstance(node, ast.If):
            return _met(self.block(node.body, known), self.block(node.orelse, known))
        if is_try(node):
            return self._try(node, known)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self._with(node, known)
        if isinstance(node, ast.Match):
            cases = [self.block(each.body, known | uses_of(each.pattern).bound) for each in node.cases]
            return _met(known, *cases)
        if isinstance(node, (ast.Return, ast.Raise)):
            return None
        if isinstance(node, ast.Break):
            self.jumps[-1].broken = _met(self.jumps[-1].broken, known)
            return None
        if isinstance(node, ast.Continue):
            self.jumps[-1].continued = _met(self.jumps[-1].continued, known)
            return None
        found = uses_of(node)
        return (known | found.bound) - found.deleted

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, known: Names) -> Known:
        head = known
        while True:
            self.before[node] = _met(self.before.get(node), known)
            self.jumps.append(_Leaves())
            target = NONE if isinstance(node, ast.While) else uses_of(node.target).bound
            end = self.block(node.body, head | target)
            jumps = self.jumps.pop()
            new = _met(head, end, jumps.continued)
            if new is None or new == head:
                break
            head = new
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value
        return _met(None if endless else self.block(node.orelse, head), jumps.broken)

    def _try(self, node: ast.Try, known: Names) -> Known:
        lost = _lost(node.body)
        ends = [self.block(node.orelse, self.block(node.body, known))]
        for handler in node.handlers:
            own = frozenset({handler.name} if handler.name else ())
            ends.append(_without(self.block(handler.body, (known - lost) | own), own))
        after = _met(*ends)
        if not node.finalbody:
            return after
        raised = known - _lost([*node.body, *node.handlers, *node.orelse])
        self.block(node.finalbody, raised)  # which may come from anywhere
        return self.block(node.finalbody, after)

    def _with(self, node: ast.With | ast.AsyncWith, known: Names) -> Known:
        targets = [uses_of(item.optional_vars) for item in node.items]
        start = known.union(*(each.bound for each in targets))
        return _met(self.block(node.body, start), known - _lost(node.body))


def _lost(nodes: list[ast.stmt] | list[ast.AST]) -> Names:
    """The names that a block may unbind."""
    return uses_of(*nodes).deleted


def bound_before(body: list[ast.stmt], parameters: Names) -> dict[ast.stmt, Known]:
    """By loop, the names that are bound for sure where it starts.

    A `finally` that unbinds names does so before any jump out of it: such names count as unbound everywhere.
    """
    tries = [node for statement in body for node in ast.walk(statement) if is_try(node)]
    never = frozenset[str]().union(*(_lost(node.finalbody) for node in tries))
    found = Bound()
    found.block(body, parameters)
    return {loop: _without(known, never) for loop, known in found.before.items()}
