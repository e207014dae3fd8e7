"""Which names are still read after a loop, and which where an exception may lead: backwards over statements.

An exception may come at any point of a statement. So what a handler reads is live before each statement of
its `try`; and as a context manager may swallow exceptions, so is what is read after a `with`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TypeGuard

from .uses import NONE, Names, uses_of


def is_try(node: ast.AST) -> TypeGuard[ast.Try]:
    """`try` with `except` or `except*`, which are alike here."""
    return type(node).__name__ in ("Try", "TryStar")


@dataclass(frozen=True)
class Ways:
    """What is live where control may go from a statement, besides the next one."""

    raised: Names = NONE
    returned: Names = NONE
    broken: Names = NONE
    continued: Names = NONE

    @property
    def all(self) -> tuple[Names, Names, Names, Names]:
        """Each of them."""
        return self.raised, self.returned, self.broken, self.continued


@dataclass
class LiveNames:
    """By loop: the names that are live after it, and where an exception in it may lead in this function.

    `swallows` says whether context managers may swallow exceptions.
    """

    swallows: bool = True
    after: dict[ast.stmt, Names] = field(default_factory=lambda: defaultdict(lambda: NONE))
    raised: dict[ast.stmt, Names] = field(default_factory=lambda: defaultdict(lambda: NONE))

    def block(self, statements: list[ast.stmt], after: Names, ways: Ways) -> Names:
        """What is live before the statements if `after` is after them."""
        for statement in reversed(statements):
            after = self.statement(statement, after, ways) | ways.raised
        return after

    def statement(self, node: ast.stmt, after: Names, ways: Ways) -> Names:
        """What is live before one statement, but for the ways of its exceptions."""
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self._loop(node, after, ways)
        if isinstance(node, ast.If):
            branches = self.block(node.body, after, ways) | self.block(node.orelse, after, ways)
            return branches | uses_of(node.test).read
        if is_try(node):
            return self._try(node, after, ways)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self._with(node, after, ways)
        if isinstance(node, ast.Match):
            return self._match(node, after, ways)
        found = uses_of(node)
        leaves = {ast.Return: ways.returned, ast.Raise: ways.raised}
        leaves |= {ast.Break: ways.broken, ast.Continue: ways.continued}
        after = leaves.get(type(node), after)
        return after - found.bound | found.read | found.deleted

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, after: Names, ways: Ways) -> Names:
        self.after[node] |= after
        self.raised[node] |= ways.raised
        orelse = self.block(node.orelse, after, ways)
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value
        head = NONE if endless else orelse
        while True:
            inner = replace(ways, broken=after, continued=head)
            target = uses_of(None if isinstance(node, ast.While) else node.target)
            body = self.block(node.body, head, inner)
            new = head | (body - target.bound) | target.read | ways.raised
            if isinstance(node, ast.While):
                new |= uses_of(node.test).read
            if new == head:
                break
            head = new
        return head if isinstance(node, ast.While) else head | uses_of(node.iter).read

    def _try(self, node: ast.Try, after: Names, ways: Ways) -> Names:
        if node.finalbody:
            after, ways = self._finally(node.finalbody, after, ways)
        met = ways.raised
        for handler in node.handlers:
            own = frozenset({handler.name} if handler.name else ())
            met |= self.block(handler.body, after, ways) - own | uses_of(handler.type).read
        orelse = self.block(node.orelse, after, ways)
        return self.block(node.body, orelse, replace(ways, raised=met)) | met

    def _finally(self, body: list[ast.stmt], after: Names, ways: Ways) -> tuple[Names, Ways]:
        """What is live where a `finally` starts, by the way that is to be gone after it."""
        before = {live: self.block(body, live, ways) for live in {after, *ways.all}}
        return before[after], Ways(*(before[live] for live in ways.all))

    def _with(self, node: ast.With | ast.AsyncWith, after: Names, ways: Ways) -> Names:
        swallowed = after | ways.raised if self.swallows else ways.raised
        live = self.block(node.body, after, replace(ways, raised=swallowed))
        for item in reversed(node.items):
            target = uses_of(item.optional_vars)
            live = live - target.bound | target.read | uses_of(item.context_expr).read | swallowed
        return live

    def _match(self, node: ast.Match, after: Names, ways: Ways) -> Names:
        live = after
        for case in node.cases:
            live |= self.block(case.body, after, ways) | uses_of(case.pattern, case.guard).read
        return live | uses_of(node.subject).read


def live_before(loop: ast.stmt, after: Names) -> Names:
    """The names whose value before `loop` it may read, or leave as it is to be read after it."""
    return LiveNames().statement(loop, after, Ways())
