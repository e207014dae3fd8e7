"""Constants as operands, with the types that the graph gives them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .nodes import Literal
from .types import BOOL, COMPLEX, FLOAT, INT, OBJECT, Object, numpy_scalar


def literal(value: Any) -> Literal:
    """A constant operand with its type."""
    if type(value) is bool:
        return Literal(value, BOOL)
    if type(value) is int:
        return Literal(value, INT if -(2**63) <= value < 2**63 else OBJECT)
    if type(value) is float:
        return Literal(value, FLOAT)
    if type(value) is complex:
        return Literal(value, COMPLEX)
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return Literal(value, numpy_scalar(value.dtype))
    return Literal(value, OBJECT)


def is_number(value: Any) -> bool:
    """A Python or NumPy number (not a symbol)."""
    return not isinstance(literal(value).type, Object)
