"""Subscripts, read and written.

    a[1:-1, 0]           stays: nothing in it depends on the run (but of np.mgrid and the like)
    a[i, ::2]     →      ag.getitem(a, (i, slice(None, None, 2)))
    a[i] = v      →      ag.setitem(a, i, v)

Python evaluates `v` before `a` and `i`: where somebody could tell, `v` goes to a temporary first.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context, Converter, assign, constant, load, place, store

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Stage reads that depend on the run, and all writes."""
    return _Subscripts(context).visit(function)


def index_value(index: Node, context: Context) -> Node:
    """The index as an expression: slices become calls of `slice`."""
    if isinstance(index, gast.Slice):
        parts = [index.lower, index.upper] + ([index.step] if index.step is not None else [])
        values = [constant(None) if each is None else each for each in parts]
        new = gast.Call(load(context.slice), values, [])
        place(new, index)
        return new
    if isinstance(index, gast.Tuple):
        index.elts = [index_value(each, context) for each in index.elts]
    return index


def store_before(context: Context, owners: list[Node], value: Node) -> tuple[list[Node], Node]:
    """A statement that evaluates `value` before `owners`, if the order can be seen; and what to store."""
    if context.is_settled(value) or all(context.is_settled(each) for each in owners):
        return [], value
    name = context.fresh("value")
    return [assign(store(name), value)], load(name)


class _Subscripts(Converter):
    def visit_Subscript(self, node: Node) -> Node:
        self.generic_visit(node)
        if not isinstance(node.ctx, gast.Load) or (_is_fixed(node.slice) and not _makes_arrays(node.value)):
            return node
        return self.context.call("getitem", node.value, index_value(node.slice, self.context))

    def visit_Assign(self, node: Node) -> Node:
        self.generic_visit(node)
        target = node.targets[0]
        if not isinstance(target, gast.Subscript):
            return node
        index = index_value(target.slice, self.context)
        before, value = store_before(self.context, [target.value, index], node.value)
        return [*before, gast.Expr(self.context.call("setitem", target.value, index, value))]


def _makes_arrays(value: Node) -> bool:
    """Is it called like what makes arrays of constants between brackets, as `np.mgrid` does?"""
    name = value.attr if isinstance(value, gast.Attribute) else getattr(value, "id", "")
    return name in ("mgrid", "ogrid", "r_", "c_")


def _is_fixed(index: Node) -> bool:
    """Does the index consist of constants and slices of constants?"""
    if index is None or isinstance(index, gast.Constant):
        return True
    if isinstance(index, gast.UnaryOp):
        return isinstance(index.operand, gast.Constant) and not isinstance(index.op, gast.Not)
    if isinstance(index, gast.Tuple):
        return all(_is_fixed(each) for each in index.elts)
    if isinstance(index, gast.Slice):
        return all(_is_fixed(each) for each in (index.lower, index.upper, index.step))
    return False
