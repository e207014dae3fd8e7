"""Ints of NumPy wrap around: compiled functions in which a signed overflow is no undefined behaviour.

Numba marks each signed addition, subtraction and product with LLVM's ``nsw``, which promises that it never
overflows. NumPy's ints do, by its definition: ``a + 1 > a`` is false for the largest. With the promise LLVM
makes such comparisons constants, and loops that end by an overflow endless.

The promise stays on places in arrays, as in ``a[i + 1]``: generated code writes sums and products there only
of what is known to lie inside, and without it LLVM doesn't see that ``i + 1`` is never negative.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from typing import Any

from numba.core import ir
from numba.core.lowering import Lower
from numba.cpython import numbers as python_numbers
from numba.np.math import numbers as numpy_numbers

_SUMS = (operator.add, operator.sub, operator.mul)
_wraps: ContextVar[bool] = ContextVar("wraps", default=False)


class Wrapping(Lower):
    """Numba's writer of machine code for one function, in which ints wrap around but for places in arrays."""

    def lower_function_body(self) -> Any:
        """The whole function."""
        _install()
        self._places = places(self.blocks)
        return super().lower_function_body()

    def lower_assign(self, kind: Any, statement: Any) -> Any:
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


def _unless_wrapping(marks: Any) -> Any:
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


def _uses(statement: Any) -> Iterator[tuple[str, str]]:
    """The values that a statement reads, and each one's role."""
    roles = {}
    if isinstance(statement, ir.SetItem | ir.StaticSetItem):
        index = statement.index_var if isinstance(statement, ir.StaticSetItem) else statement.index
        roles = {} if index is None else {index.name: _PLACE}
    elif isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
        roles = _roles(statement.value, statement.target.name)
    defined = statement.target.name if isinstance(statement, ir.Assign) else None
    others = [value.name for value in statement.list_vars() if value.name != defined]
    for name in others:
        yield name, roles.get(name, _OTHER)


def _roles(value: Any, target: str) -> dict[str, str]:
    if value.op == "getitem":
        return {value.index.name: _PLACE}
    if value.op == "static_getitem" and value.index_var is not None:
        return {value.index_var.name: _PLACE}
    if value.op == "build_tuple" or (value.op == "binop" and value.fn in _SUMS):
        return {part.name: target for part in value.list_vars()}
    return {}
