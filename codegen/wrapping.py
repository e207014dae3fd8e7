"""Ints of NumPy wrap around: compiled functions in which a signed overflow is no undefined behaviour.

Numba marks each signed addition, subtraction and product with LLVM's ``nsw``, which promises that it never
overflows. NumPy's ints do, by its definition: ``a + 1 > a`` is false for the largest. With the promise LLVM
makes such comparisons constants, and loops that end by an overflow endless.

The promise stays on places in arrays, as in ``a[i + 1]``: generated code writes sums and products there only
of what is known to lie inside, and without it LLVM doesn't see that ``i + 1`` is never negative.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from typing import Any

from numba.core import ir, types
from numba.core.lowering import Lower
from numba.cpython import numbers as python_numbers
from numba.np.math import numbers as numpy_numbers

_SUMS = (operator.add, operator.sub, operator.mul)
Marks = Callable[[types.Type], list[str]]
_wraps: ContextVar[bool] = ContextVar("wraps", default=False)


class Wrapping(Lower):
    """Numba's writer of machine code for one function, in which ints wrap around but for places in arrays."""

    def lower_function_body(self) -> object:
        """The whole function."""
        _install()
        self._places = places(self.blocks)
        return super().lower_function_body()

    def lower_assign(self, kind: types.Type, statement: ir.Assign) -> object:
        """The value of a statement ``x = ...``."""
        token = _wraps.set(statement.target.name not in self._places)
        try:
            return super().lower_assign(kind, statement)
        finally:
            _wraps.reset(token)


@cache
def _install() -> None:
    """Numba asks one function for the marks of an operation; what others compile keeps them."""
    for module in (python_numbers, numpy_numbers):
        held: Any = module
        held._int_arith_flags = _unless_wrapping(held._int_arith_flags)


def _unless_wrapping(marks: Marks) -> Marks:
    return lambda kind: [] if _wraps.get() else marks(kind)


def places(blocks: Mapping[int, ir.Block]) -> set[str]:
    """The unnamed values of a function that are nothing but places in arrays, or parts of them."""
    uses: dict[str, list[str]] = {}
    for block in blocks.values():
        for statement in block.body:
            if not isinstance(statement, ir.Del):
                for name, role in _uses(statement):
                    uses.setdefault(name, []).append(role)
    found = {_PLACE}
    while more := {name for name in set(uses) - found if name[0] == "$" and found.issuperset(uses[name])}:
        found |= more
    return found


_PLACE, _OTHER = "place", "other"
"""Roles of a value beside the names of what it is a part of."""


def _uses(statement: ir.Stmt) -> Iterator[tuple[str, str]]:
    """The values that a statement reads, and each one's role."""
    roles: dict[str, str] = {}
    defined = None
    if isinstance(statement, ir.SetItem):
        roles = {statement.index.name: _PLACE}
    elif isinstance(statement, ir.StaticSetItem) and statement.index_var is not None:
        roles = {statement.index_var.name: _PLACE}
    elif isinstance(statement, ir.Assign):
        defined = statement.target.name
        if isinstance(statement.value, ir.Expr):
            roles = _roles(statement.value, defined)
    for value in statement.list_vars():
        if value.name != defined:
            yield value.name, roles.get(value.name, _OTHER)


def _roles(value: ir.Expr, target: str) -> dict[str, str]:
    """What of an expression is a place, or part of `target`, which may be one."""
    match value:
        case ir.Expr(op="getitem"):
            return {value.index.name: _PLACE}
        case ir.Expr(op="static_getitem") if value.index_var is not None:
            return {value.index_var.name: _PLACE}
        case ir.Expr(op="build_tuple"):
            return {part.name: target for part in value.list_vars()}
        case ir.Expr(op="binop") if value.fn in _SUMS:
            return {part.name: target for part in value.list_vars()}
    return {}
