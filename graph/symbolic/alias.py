"""Values under a name of their own: the same number or memory, which nothing else refers to by this name."""

from __future__ import annotations

from typing import Any

from ..ir.axes import Span
from ..ir.literals import literal
from ..ir.types import Array, Scalar
from ..trace.build import current
from .arrays import SymbolicArray
from .symbols import Symbol, SymbolicScalar


def alias(value: Any, **attrs: Any) -> Any:
    """`value` under a name of its own."""
    builder = current()
    if isinstance(value, SymbolicArray):
        axes = tuple(map(Span, range(value.ndim)))
        kind = Array(value.dtype, value.shape_sizes, value.type.layout, value.type.writeable)
        found = builder.one(
            "view", (value.operand(),), kind, axes=axes, check=(), text="{0}[...]", alias=True, **attrs
        )
        return SymbolicArray(found, value.order)
    operand = value.operand() if isinstance(value, Symbol) else literal(value)
    assert isinstance(operand.type, Scalar)
    op = "py.pos" if operand.type.is_python else "positive"
    name = operand.type.kind if operand.type.is_python else operand.type.dtype.name
    found = builder.one(op, (operand,), operand.type, loop=(name,), text="+{0}", alias=True, **attrs)
    return SymbolicScalar(found, operand.type)
