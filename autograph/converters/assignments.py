"""Assignments with several targets, annotations, unpacking.

    a = b = f(x)             →      value = f(x); a = value; b = value
    n: int = 3               →      n = 3
    a, (b, *c) = v           →      a, value = ag.unpack(v, 2); b, c = ag.unpack_star(value, 1, 0)
    a[i], a[j] = a[j], a[i]  →      value, value_1 = (a[j], a[i]); a[i] = value; a[j] = value_1

What is left has one target: a name, a subscript, an attribute, or a tuple of names.
"""

from __future__ import annotations

from typing import Any

import gast

from .comprehensions import unpacked
from .context import Context, Converter, assign, load, place, store

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Take assignments apart."""
    return _Assignments(context).visit(function)


class _Assignments(Converter):
    def visit_AnnAssign(self, node: Node) -> Node:
        if node.value is not None:
            return self._assign([node.target], node.value)
        if isinstance(node.target, gast.Name):
            return gast.Pass()
        return gast.Expr(node.target.value)

    def visit_Assign(self, node: Node) -> Node:
        return self._assign(node.targets, node.value)

    def _assign(self, targets: list[Node], value: Node) -> list[Node]:
        if len(targets) == 1:
            return self._to_target(targets[0], value)
        statements = []
        if not isinstance(value, gast.Constant):
            name = self.context.fresh("value")
            statements.append(self._at(assign(store(name), value), value))
            value = load(name)
        for target in targets:
            again = load(value.id) if isinstance(value, gast.Name) else gast.Constant(value.value, value.kind)
            statements += self._to_target(target, again)
        return statements

    def _to_target(self, target: Node, value: Node) -> list[Node]:
        """Statements for one target."""
        if not isinstance(target, (gast.Tuple, gast.List)):
            return [self._at(assign(target, value), target)]
        if not _same_length(target, value):
            value = self._at(unpacked(self.context, target, value), target)
        elif isinstance(value, gast.List):
            value = self._at(gast.Tuple(value.elts, gast.Load()), value)
        if not target.elts:
            return [self._at(gast.Expr(value), target)]
        names: list[Node] = []
        later: list[tuple[Node, str]] = []
        for element in target.elts:
            inner = element.value if isinstance(element, gast.Starred) else element
            if isinstance(inner, gast.Name) and not later:
                names.append(inner)
                continue
            temporary = self.context.fresh("value")
            names.append(store(temporary))
            later.append((inner, temporary))
        first = self._at(assign(gast.Tuple(names, gast.Store()), value), target)
        rest = [statement for inner, name in later for statement in self._to_target(inner, load(name))]
        return [first, *rest]

    def _at(self, new: Node, old: Node) -> Node:
        place(new, old)
        return new


def _same_length(target: Node, value: Node) -> bool:
    """Is the right side a display of just the values that are asked for?"""
    if not isinstance(value, (gast.Tuple, gast.List)) or len(value.elts) != len(target.elts):
        return False
    return not any(isinstance(each, gast.Starred) for each in [*value.elts, *target.elts])
