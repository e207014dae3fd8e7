"""Buffers that keep what the way back needs: one place for each trip of a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import dims
from ..build import current, literal
from ..dims import Size
from ..ir import Literal, Operand, Value
from ..numpy_creation import creation
from ..scalar_methods import convert
from ..symbolic_array import SymbolicArray
from ..symbols import SymbolicScalar, size_symbol, symbol_for
from ..types import Array, Scalar, Type, numpy_scalar

_EMPTY = creation("empty")


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A buffer whose first axis counts trips; in each place a value of `type`, `turned` arrays transposed."""

    buffer: Value
    type: Type
    turned: bool = False

    def write(self, trip: Operand, value: Operand) -> None:
        """Keep `value` in the place of `trip`."""
        if isinstance(self.type, Scalar):
            attrs = {"check": (False,), "text": "{0}[{2}] = {1}"}
            current().emit("store", (self.buffer, value, trip), (), attrs)
        else:
            current().emit("assign", (self._place(trip), value), (), {"text": "{0}[...] = {1}"})

    def read(self, trip: Operand) -> Operand:
        """What was kept in the place of `trip`; an array is the place itself."""
        if not isinstance(self.type, Scalar):
            return self._place(trip)
        dtype = self.type.dtype
        kind = numpy_scalar(dtype)
        attrs = {"check": (False,), "text": "{0}[{1}]"}
        value = current().emit("load", (self.buffer, trip), (kind,), attrs)[0]
        if not self.type.is_python:
            return value
        found = convert(SymbolicScalar(value, kind), self.type)
        operand = found.operand()
        assert isinstance(operand, Value)
        return operand

    def _place(self, trip: Operand) -> Value:
        assert isinstance(self.buffer.type, Array)
        shape = self.buffer.type.shape[1:]
        order = range(len(shape))[::-1] if self.turned else range(len(shape))
        axes = (("at", 0), *(("range", k, 0, 1) for k in order))
        attrs = {"axes": axes, "check": (False,), "text": "{0}[{1}].T" if self.turned else "{0}[{1}]"}
        type_ = (
            Array(self.buffer.type.dtype, shape[::-1], "F")
            if self.turned
            else Array(self.buffer.type.dtype, shape)
        )
        return current().emit("view", (self.buffer, trip), (type_,), attrs)[0]


def new_slot(trips: Size, type_: Type, shape: Sequence[Size] = ()) -> Slot:
    """A slot for values of `type_`, arrays of them with `shape`; made in the open block."""
    assert isinstance(type_, Scalar | Array)
    turned = isinstance(type_, Array) and type_.layout == "F" and type_.ndim > 1
    sizes = tuple(size_symbol(size) for size in (trips, *(shape[::-1] if turned else shape)))
    made: Any = _EMPTY(sizes, type_.dtype)
    assert isinstance(made, SymbolicArray)
    return Slot(made.operand(), type_, turned)


def size_operand(size: Size) -> Operand:
    """A size as an operand."""
    if isinstance(size, int):
        return literal(size)
    operand: Operand = size_symbol(size).operand()
    return operand


def as_size(operand: Operand) -> Size:
    """An int of the graph as a size."""
    if isinstance(operand, Literal):
        return int(operand.value)
    symbol = symbol_for(operand)
    return symbol.dim if symbol.dim is not None else dims.symbol(operand.name, None)
