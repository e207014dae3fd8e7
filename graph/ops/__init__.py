"""The operations, one record each. A file is a group, and all groups are listed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import (
    arithmetic,
    bitwise,
    comparison,
    control,
    drawing,
    exponential,
    math_functions,
    memory,
    ordering,
    products,
    python_scalars,
    reductions,
    rounding,
    solving,
    tables,
    trigonometric,
)
from .define import OpDef

GROUPS = (
    arithmetic,
    exponential,
    trigonometric,
    comparison,
    bitwise,
    rounding,
    reductions,
    products,
    memory,
    ordering,
    solving,
    tables,
    python_scalars,
    math_functions,
    control,
    drawing,
)

OPS: dict[str, OpDef] = {op.name: op for group in GROUPS for op in group.RECORDS}

_LOWERED: dict[int, OpDef] = {id(function): op for op in OPS.values() for function in op.lowers}


def lookup(function: Callable[..., Any]) -> OpDef | None:
    """The op that a NumPy or math function stands for, or None."""
    op = _LOWERED.get(id(function))
    return op if op is not None and any(function is known for known in op.lowers) else None
