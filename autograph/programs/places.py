"""Elements at places that a program has looked at before: no index is checked twice."""

from __future__ import annotations

from ...graph.ir.nodes import Operand
from ...graph.ir.types import numpy_scalar
from ...graph.symbolic.arith import operand
from ...graph.symbolic.arrays import SymbolicArray, symbol_for
from ...graph.trace.build import current


def element(x: SymbolicArray, place: object) -> object:
    """``x[place]``, where `place` is known to lie in the axis."""
    attrs = {"check": (False,), "text": "{0}[{1}]"}
    operands: list[Operand] = [x.operand(), operand(place)]
    return symbol_for(current().emit("load", operands, (numpy_scalar(x.dtype),), attrs)[0])


def set_element(x: SymbolicArray, place: object, value: object) -> None:
    """``x[place] = value``, where `place` is known to lie in the axis."""
    attrs = {"check": (False,), "text": "{0}[{2}] = {1}"}
    current().emit("store", [x.operand(), operand(value), operand(place)], (), attrs)
