"""What programs say that is no NumPy: elements at places looked at before, counts, an order of numbers.

The types are those that programs see; while they are traced, all of these are symbols.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from ...graph.ir import dims
from ...graph.ir.nodes import Value
from ...graph.ir.types import INT, Scalar
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.elements import load_at, store_at
from ...graph.symbolic.symbols import SymbolicScalar


def element(x: np.ndarray, place: int | np.integer) -> float:
    """``x[place]``, where `place` is known to lie in the axis."""
    return cast(float, load_at(cast(SymbolicArray, x), place))


def set_element(x: np.ndarray, place: int | np.integer, value: float) -> None:
    """``x[place] = value``, where `place` is known to lie in the axis."""
    store_at(cast(SymbolicArray, x), place, value)


def natural(number: int) -> int:
    """A count, which is never negative: a size, then."""
    if not isinstance(number, SymbolicScalar) or number.dim is not None:
        return number
    value = number.operand()
    assert isinstance(value, Value)
    return cast(int, SymbolicScalar(value, INT, dims.symbol(value.name)))


def goes_on(one: np.number, other: np.number, strictly: bool) -> np.bool_:
    """Whether `other` belongs behind `one`: what is equal belongs before it if `strictly`."""
    if strictly:
        return comes_before(one, other)
    return ~comes_before(other, one)


def comes_before(one: np.number, other: np.number) -> np.bool_:
    """NumPy's order of two numbers of one type: NaN comes last."""
    kind = type_of(one)
    if isinstance(kind, Scalar) and kind.dtype.kind == "f":
        return (one < other) | ((other != other) & (one == one))
    return one < other
