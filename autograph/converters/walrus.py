"""Assignment expressions.

    if (n := len(a)) > 10:      →      n = len(a)
        body                           if n > 10:
                                           body

What Python evaluates before the assignment is evaluated before it here too: it goes to temporaries.
A walrus that may not be evaluated (right of `and`, in a lambda, ...) has no staged form. A `while` test is
left to `whiles.py`, which hoists inside the test's own function.
"""

from __future__ import annotations

from typing import Any

import gast

from ..source import Unsupported
from .context import Context, Converter, assign, load, place, store

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Hoist every walrus to a statement of its own."""
    return _Statements(context).visit(function)


def hoist(expression: Node, context: Context) -> tuple[list[Node], Node]:
    """The statements to run first, and what is then left of the expression."""
    if not _has_walrus(expression):
        return [], expression
    lift = _Lift(context)
    return lift.statements, lift.lift(expression)


def _has_walrus(node: Node) -> bool:
    return any(isinstance(each, gast.NamedExpr) for each in gast.walk(node))


class _Statements(Converter):
    def _header(self, node: Node, owner: Node, field: str) -> Node:
        """Hoist out of the one expression of a statement that is evaluated first."""
        value = getattr(owner, field)
        before, rest = hoist(value, self.context) if value is not None else ([], None)
        setattr(owner, field, rest)
        self.generic_visit(node)
        return [*before, node] if before else node

    def visit_If(self, node: Node) -> Node:
        return self._header(node, node, "test")

    visit_Assert = visit_If

    def visit_For(self, node: Node) -> Node:
        return self._header(node, node, "iter")

    def visit_Assign(self, node: Node) -> Node:
        return self._header(node, node, "value")

    visit_AnnAssign = visit_Return = visit_Expr = visit_Assign

    def visit_Raise(self, node: Node) -> Node:
        return self._header(node, node, "exc")

    def visit_With(self, node: Node) -> Node:
        return self._header(node, node.items[0], "context_expr")

    def visit_While(self, node: Node) -> Node:
        node.body = self.block(node.body)
        node.orelse = self.block(node.orelse)
        return node

    def visit_NamedExpr(self, node: Node) -> Node:
        raise _conditional(node, self.context)


def _conditional(node: Node, context: Context) -> Unsupported:
    return context.unsupported("it has a `:=` in a place that is not always evaluated first", node)


class _Lift:
    """Takes the assignments out of one expression, in order of evaluation."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.statements: list[Node] = []

    def lift(self, node: Node) -> Node:
        """What is left of `node` after the statements."""
        if not _has_walrus(node):
            return node
        if isinstance(node, gast.NamedExpr):
            value = self.lift(node.value)
            self.emit(node.target.id, value, node)
            return self.at(load(node.target.id), node)
        if isinstance(node, (gast.IfExp, gast.BoolOp, gast.Compare)):
            return self.partly(node)
        if isinstance(node, (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
            raise _conditional(node, self.context)
        slots = _operands(node)
        last = max(k for k, (owner, field, i) in enumerate(slots) if _has_walrus(_get(owner, field, i)))
        for number, (owner, field, index) in enumerate(slots):
            part = _get(owner, field, index)
            if part is None or number > last:
                continue
            part = self.lift(part)
            _set(owner, field, index, self.keep(part) if number < last else part)
        return node

    def partly(self, node: Node) -> Node:
        """Only what is evaluated first is evaluated always."""
        sure = {gast.IfExp: ["test"], gast.BoolOp: ["values"], gast.Compare: ["left", "comparators"]}
        rest: list[Node] = []
        if isinstance(node, gast.IfExp):
            rest = [node.body, node.orelse]
        elif isinstance(node, gast.BoolOp):
            rest = node.values[1:]
        else:
            rest = node.comparators[1:]
        if any(_has_walrus(each) for each in rest):
            raise _conditional(node, self.context)
        for field in sure[type(node)]:
            value = getattr(node, field)
            first = value[0] if isinstance(value, list) else value
            first = self.lift(first)
            if field == "left" and _has_walrus(node.comparators[0]):
                first = self.keep(first)
            if isinstance(value, list):
                value[0] = first
            else:
                setattr(node, field, first)
        return node

    def keep(self, node: Node) -> Node:
        """The value of `node` as it is now."""
        if isinstance(node, gast.Constant):
            return node
        if isinstance(node, (gast.Starred, gast.FormattedValue, gast.Slice)):
            raise _conditional(node, self.context)
        name = self.context.fresh("value")
        self.emit(name, node, node)
        return self.at(load(name), node)

    def emit(self, name: str, value: Node, old: Node) -> None:
        self.statements.append(self.at(assign(store(name), value), old))

    def at(self, new: Node, old: Node) -> Node:
        place(new, old)
        return new


def _operands(node: Node) -> list[tuple[Node, str, int]]:
    """The places of the operands of an expression, in order of evaluation."""
    slots: list[tuple[Node, str, int]] = []
    if isinstance(node, gast.Dict):
        for index in range(len(node.keys)):
            slots += [(node, "keys", index), (node, "values", index)]
        return slots
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, gast.keyword):
                    slots.append((each, "value", -1))
                elif isinstance(each, gast.AST):
                    slots.append((node, field, index))
        elif isinstance(value, (gast.expr, gast.Slice)):
            slots.append((node, field, -1))
    return slots


def _get(owner: Node, field: str, index: int) -> Node:
    value = getattr(owner, field)
    return value[index] if index >= 0 else value


def _set(owner: Node, field: str, index: int, new: Node) -> None:
    if index >= 0:
        getattr(owner, field)[index] = new
    else:
        setattr(owner, field, new)
