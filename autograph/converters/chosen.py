"""Writes of elements that a mask chooses, computed from others that it chooses.

    m = d < best
    best[m] = d[m] * c   →   ag.set_chosen(best, m, lambda part, one: part(d) * one(c), lambda: d[m] * c)
    best[m] += d[m]      →   ag.set_chosen(best, m, lambda part, one: part(d), lambda: d[m], "+=")
    g.x[m] = -g.x[m]     →   ag.set_chosen_of(lambda: g.x, m, lambda part, one: -part(g.x), lambda: -g.x[m])

Only where the mask is plainly one: its text, or what it is assigned, compares.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

import gast
import numpy as np

from .augmented import SIGNS
from .context import Context, Converter, Node, constant, function, load, thunk

_LOGIC = (gast.BitAnd, gast.BitOr, gast.BitXor)


def convert(tree: Node, context: Context) -> Node:
    """Stage what is chosen by masks."""
    return _Chosen(context, set(_masks(tree))).visit(tree)


def _masks(tree: Node) -> Iterator[str]:
    """The variables that are assigned comparisons."""
    for node in gast.walk(tree):
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) and _compares(node.value):
            yield node.targets[0].id


def _compares(node: Node) -> bool:
    if isinstance(node, gast.Call):
        return isinstance(node.func, gast.Attribute) and _asks(node.func.attr)
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.Invert)
    if isinstance(node, gast.BinOp):
        return isinstance(node.op, _LOGIC) and (_compares(node.left) or _compares(node.right))
    return isinstance(node, gast.Compare)


def _is_dotted(node: Node) -> bool:
    """A name, or an attribute of one, and so on."""
    return isinstance(node, gast.Name) or (isinstance(node, gast.Attribute) and _is_dotted(node.value))


def _asks(name: str) -> bool:
    """Whether NumPy's function of this name gives truths."""
    function = getattr(np, name, None)
    return isinstance(function, np.ufunc) and function.types[0].endswith("?")


class _Chosen(Converter):
    def __init__(self, context: Context, masks: set[str]) -> None:
        super().__init__(context)
        self._names = masks
        self._roles: tuple[str, ...] = ()

    def visit_Assign(self, node: Node) -> Node:
        return self._staged(node, node.targets[0]) if len(node.targets) == 1 else node

    def visit_AugAssign(self, node: Node) -> Node:
        if isinstance(node.op, gast.MatMult):  # which works on no single elements
            return node
        return self._staged(node, node.target, constant(SIGNS[type(node.op).__name__]))

    def _staged(self, node: Node, target: Node, *sign: Node) -> Node:
        if not isinstance(target, gast.Subscript):
            return node
        held = isinstance(target.value, gast.Attribute) and _is_dotted(target.value)
        if not held and not self._is_local(target.value):
            return node
        mask = target.slice
        if not self._is_mask(mask):
            return node
        self._roles = self._roles or (self.context.fresh("part"), self.context.fresh("one"))
        part, one = self._roles
        whole = _Whole(self.context, gast.dump(mask), part, one)
        body = whole.of(node.value)
        if body is None or not whole.parts:
            return node
        made = (function([part, one], body), thunk(node.value))
        if held:
            return gast.Expr(self.context.call("set_chosen_of", thunk(target.value), mask, *made, *sign))
        return gast.Expr(self.context.call("set_chosen", target.value, mask, *made, *sign))

    def _is_local(self, node: Node) -> bool:
        return isinstance(node, gast.Name) and self.context.is_local(node.id)

    def _is_mask(self, node: Node) -> bool:
        """Whether it is a mask whose text means the same wherever it stands in the statement."""
        if isinstance(node, gast.Name):
            return node.id in self._names and self._is_local(node)
        return _compares(node) and all(map(self._is_settled, gast.walk(node)))

    def _is_settled(self, node: Node) -> bool:
        if isinstance(node, gast.Name):
            return self.context.is_local(node.id)
        return not isinstance(node, (gast.Call, gast.Attribute, gast.Subscript))


class _Whole:
    """The value for all elements, not only those that the mask chooses."""

    def __init__(self, context: Context, mask: str, part: str, one: str) -> None:
        self._context, self._mask, self._part, self._one = context, mask, part, one
        self.parts = 0

    def of(self, node: Node) -> Node | None:
        """`node` with ``part(x)`` for ``x[mask]``; None where it isn't computed element by element."""
        if isinstance(node, gast.Subscript):
            return self._of_part(node)
        if isinstance(node, gast.BinOp):
            sides = self.of(node.left), self.of(node.right)
            known = None not in sides and not isinstance(node.op, gast.MatMult)
            return gast.BinOp(sides[0], node.op, sides[1]) if known else None
        if isinstance(node, gast.UnaryOp):
            inner = None if isinstance(node.op, gast.Not) else self.of(node.operand)
            return None if inner is None else gast.UnaryOp(node.op, inner)
        if isinstance(node, gast.Call):
            return self._of_call(node)
        if isinstance(node, gast.Constant):
            return copy.copy(node) if type(node.value) in (int, float, complex) else None
        return self._direct(self._one, copy.deepcopy(node)) if _is_dotted(node) else None

    def _of_part(self, node: Node) -> Node | None:
        if not _is_dotted(node.value) or gast.dump(node.slice) != self._mask:
            return None
        self.parts += 1
        return self._direct(self._part, copy.deepcopy(node.value))

    def _of_call(self, node: Node) -> Node | None:
        func = node.func
        if node.keywords or not isinstance(func, gast.Attribute) or not isinstance(func.value, gast.Name):
            return None
        args = [self.of(each) for each in node.args]
        if None in args or not args:
            return None
        named = gast.Attribute(load(func.value.id), func.attr, gast.Load())
        return gast.Call(self._direct(self._one, named), args, [])

    def _direct(self, name: str, inner: Node) -> Node:
        call = gast.Call(load(name), [inner], [])
        self._context.direct.add(call)
        return call
