"""Buffers that keep what the reverse pass needs: one place for each iteration of a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.axes import Pick, Span
from ..ir.dims import Size
from ..ir.literals import literal
from ..ir.nodes import Literal, Operand, Value
from ..ir.types import Array, Scalar, Type, numpy_scalar
from ..symbolic.arrays import SymbolicArray, symbol_for
from ..symbolic.symbols import size_symbol
from ..trace.build import current
from ..trace.template import dtype_text


@dataclass(frozen=True, slots=True, eq=False)
class TapeSlot:
    """A buffer whose first axis counts iterations; each place holds a value, `turned` arrays transposed."""

    buffer: Value
    type: Type
    turned: bool = False
    name: str | None = None

    def write(self, iteration: Operand, value: Operand) -> None:
        """Keep `value` in the place of `iteration`."""
        if isinstance(self.type, Scalar):
            attrs = {"check": (False,), "text": "{0}[{2}] = {1}"}
            current().emit("store", (self.buffer, value, iteration), (), attrs)
        else:
            current().emit("assign", (self._place(iteration), value), (), {"text": "{0}[...] = {1}"})

    def read(self, iteration: Operand) -> Operand:
        """What was kept in the place of `iteration`; an array is the place itself."""
        if not isinstance(self.type, Scalar):
            return self._place(iteration)
        dtype = self.type.dtype
        kind = numpy_scalar(dtype)
        attrs: dict[str, Any] = {"check": (False,), "text": "{0}[{1}]"}
        name = None if self.type.is_python else self.name
        value = current().emit("load", (self.buffer, iteration), (kind,), attrs, names=(name,))[0]
        if not self.type.is_python:
            return value
        attrs = {"loop": (kind.kind,), "text": f"{self.type.kind}({{0}})"}
        return current().emit(f"py.{self.type.kind}", (value,), (self.type,), attrs, names=(self.name,))[0]

    def _place(self, iteration: Operand) -> Value:
        assert isinstance(self.buffer.type, Array)
        shape = self.buffer.type.shape[1:]
        order = range(len(shape))[::-1] if self.turned else range(len(shape))
        axes = (Pick(0), *map(Span, order))
        index = "{1}" if shape else "{1}, ..."  # else Python would get the number
        text = f"{{0}}[{index}]{'.T' if self.turned else ''}"
        attrs = {"axes": axes, "check": (False,), "text": text}
        type_ = (
            Array(self.buffer.type.dtype, shape[::-1], "F")
            if self.turned
            else Array(self.buffer.type.dtype, shape)
        )
        return current().emit("view", (self.buffer, iteration), (type_,), attrs)[0]


def new_slot(iterations: Size, type_: Type, shape: Sequence[Size] = (), name: str | None = None) -> TapeSlot:
    """A slot for values of `type_`, arrays of them with `shape`; made in the open block."""
    assert isinstance(type_, Scalar | Array)
    turned = isinstance(type_, Array) and type_.layout == "F" and type_.ndim > 1
    sizes = (iterations, *(shape[::-1] if turned else shape))
    label = f"kept_{name}" if name else None
    return TapeSlot(allocate("empty", sizes, type_.dtype, label, tape=True).operand(), type_, turned, name)


def allocate(
    op: str, shape: Sequence[Size], dtype: np.dtype, name: str | None, tape: bool = False
) -> SymbolicArray:
    """A new array of ``empty`` or ``zeros`` with this shape, which is known not to be negative.

    A `tape` is an array of which places may stay as they are: those of iterations that kept nothing.
    """
    operands: list[Operand] = []
    parts = []
    for size in (current().settle(size) for size in shape):
        if isinstance(size, int):
            parts.append(str(size))
        else:
            parts.append(f"{{{len(operands)}}}")
            operands.append(size_operand(size))
    inner = ", ".join(parts) + ("," if len(parts) == 1 else "")
    extra = "" if dtype == np.float64 else f", dtype={dtype_text(dtype)}"
    attrs: dict[str, Any] = {"text": f"np.{op}(({inner}){extra})"}
    if tape:
        attrs["tape"] = True
    type_ = Array(dtype, tuple(shape), "C")
    return SymbolicArray(current().emit(op, operands, (type_,), attrs, names=(name,))[0])


def size_operand(size: Size) -> Operand:
    """A size as an operand."""
    found = size_symbol(size)  # a number where the size is known by now
    operand: Operand = literal(found) if isinstance(found, int) else found.operand()
    return operand


def as_size(operand: Operand) -> Size:
    """An int of the graph as a size."""
    if isinstance(operand, Literal):
        return int(operand.value)
    symbol = symbol_for(operand)
    return symbol.dim if symbol.dim is not None else dims.symbol(operand.name, None)
