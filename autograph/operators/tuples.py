"""Comparisons of tuples with numbers of the graph.

Python compares the first items that aren't equal, and takes an object for equal to itself: of NaN only the
run would know whether it is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from ...graph.ir.types import BOOL, INT
from ...graph.symbolic.symbols import SymbolicScalar

Compare = Callable[[object, str, object], object]
IfExp = Callable[[object, Callable[[], object], Callable[[], object]], object]
_LENGTHS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le}
_LENGTHS |= {">": operator.gt, ">=": operator.ge}


def may_be_compared(left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    """Whether one has a number of the graph, and all that have a partner are surely equal to themselves."""
    pairs = list(zip(left, right, strict=False))
    return any(map(_has_symbol, (*left, *right))) and all(_is_exact(a) or _is_exact(b) for a, b in pairs)


def _has_symbol(item: object) -> bool:
    return isinstance(item, SymbolicScalar) or (type(item) is tuple and any(map(_has_symbol, item)))


def _is_exact(item: object) -> bool:
    """Whether it is no NaN: an int, a text, or a tuple of such."""
    if isinstance(item, SymbolicScalar):
        return item.type in (INT, BOOL)
    if type(item) is tuple:
        return all(map(_is_exact, item))
    return item is None or type(item) in (bool, int, str) or (type(item) is float and item == item)


def compared(
    left: tuple[object, ...], sign: str, right: tuple[object, ...], compare: Compare, if_exp: IfExp
) -> object:
    """``left <sign> right`` of two tuples that `may_be_compared`."""
    if not left or not right:
        return _LENGTHS[sign](len(left), len(right))
    if sign in ("==", "!=") and len(left) != len(right):
        return sign == "!="

    def rest() -> object:
        return compared(left[1:], sign, right[1:], compare, if_exp)

    def here() -> object:
        return sign == "!=" if sign in ("==", "!=") else compare(left[0], sign, right[0])

    return if_exp(compare(left[0], "==", right[0]), rest, here)
