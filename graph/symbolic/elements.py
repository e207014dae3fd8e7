"""Elements at places that are known to lie in the axis: nothing looks at bounds."""

from __future__ import annotations

from ..ir.types import numpy_scalar
from ..trace.build import current
from .arith import operand
from .arrays import SymbolicArray
from .symbols import SymbolicScalar


def load_at(array: SymbolicArray, place: object) -> SymbolicScalar:
    """``array[place]``."""
    kind = numpy_scalar(array.dtype)
    operands = (array.operand(), operand(place))
    return SymbolicScalar(current().one("load", operands, kind, check=(False,), text="{0}[{1}]"), kind)


def store_at(array: SymbolicArray, place: object, number: object) -> None:
    """``array[place] = number``."""
    attrs = {"check": (False,), "text": "{0}[{2}] = {1}"}
    current().emit("store", (array.operand(), operand(number), operand(place)), (), attrs)
