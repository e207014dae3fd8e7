"""Constants as source text that reads back to the same value, bit for bit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .expressions import number_text, quoted


def literal(value: Any) -> str:
    """Source text of a constant operand, in the driver's terms (NumPy scalars keep their type)."""
    if isinstance(value, np.dtype):
        return f"np.dtype({quoted(value.str)})"
    if isinstance(value, type):
        return f"np.{value.__name__}" if issubclass(value, np.generic) else value.__name__
    if isinstance(value, np.generic):
        return numpy_literal(value.item(), value.dtype)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (float, complex)):
        return _number(value)
    return "..." if value is Ellipsis else repr(value)


def numpy_literal(value: Any, dtype: np.dtype) -> str:
    """A NumPy scalar of `dtype`."""
    name = "bool_" if dtype.kind == "b" else dtype.name
    if dtype == np.float32 and math.isfinite(value):
        short = str(np.float32(value)).replace("e+", "e")
        return f"np.float32({short if np.float32(float(short)) == np.float32(value) else _number(value)})"
    return f"np.{name}({_number(value)})"


def held_literal(value: Any, dtype: np.dtype) -> str:
    """The number `value` as compiled code holds it in `dtype`, without a constructor where it needs none."""
    if dtype.kind == "b":
        return "True" if value else "False"
    if dtype == np.int64:
        return repr(int(value))
    if dtype == np.float64:
        return _number(float(value))
    if dtype == np.complex128:
        return _number(complex(value))
    item = dtype.type(value).item()
    return numpy_literal(item, dtype)


def _number(value: Any) -> str:
    if isinstance(value, (bool, int)):
        return repr(value)
    if isinstance(value, complex):
        if math.copysign(1.0, value.real) > 0 and value.real == 0 and math.isfinite(value.imag):
            if math.copysign(1.0, value.imag) > 0:
                return number_text(value)
        return f"complex({_number(value.real)}, {_number(value.imag)})"
    if math.isnan(value):
        return "np.nan"
    if math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    return number_text(value)
