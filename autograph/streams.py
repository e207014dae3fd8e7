"""Single numbers of NumPy's random number generators, as operations that kernels have (`graph/ops/drawing.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..graph.ir.nodes import Literal, Operand
from ..graph.ir.types import FLOAT, INT
from ..graph.ops.drawing import GENERATOR, REQUIRED, STATE, Draw
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.symbols import SymbolicScalar

METHODS: dict[type, Mapping[str, Draw]] = {np.random.Generator: GENERATOR, np.random.RandomState: STATE}
"""What kernels can draw, by the class of the generator."""

def global_generator() -> Any:
    """The generator whose methods are the functions of `np.random`."""
    return np.random.mtrand._rand


def makes_own(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether `default_rng` makes a generator of these: one that it is given is handed back as it is."""
    given = (*args, *kwargs.values())
    return all(value is None or isinstance(value, (int, SymbolicArray, SymbolicScalar)) for value in given)


class DrawnNumber(NamedTuple):
    """The operation that draws a number, the dtypes of its operands, and those after the generator."""

    op: str
    loop: tuple[str, ...]
    parameters: list[Operand]


def without_size(
    kind: type, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """The arguments of a call for one number of the array that a call gives."""
    draw = METHODS.get(kind, {}).get(name)
    if draw is None:
        return None
    if name in ("rand", "randn"):
        return (), kwargs
    given = {key: value for key, value in kwargs.items() if key != "size"}
    at = len(draw.parameters)
    return (args[:at], given) if len(args) == at + 1 or (len(args) <= at and "size" in kwargs) else None


def draw_of(
    kind: type,
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    wrap: Callable[[Any], Operand | None],
) -> DrawnNumber | None:
    """The operation that a method's call is; None if kernels have none.

    `wrap` gives the operand that stands for a symbol.
    """
    draw = METHODS.get(kind, {}).get(name)
    if draw is None or not draw.is_known:
        return None
    given = dict(zip(draw.parameters, args, strict=False))
    if len(args) > len(draw.parameters) or given.keys() & kwargs.keys():
        return None
    given |= kwargs
    op = draw.op
    if draw.closed and type(endpoint := given.pop("endpoint", False)) is bool:
        op = draw.closed if endpoint else op
    if not given.keys() <= draw.parameters.keys():
        return None
    values = _completed({**draw.parameters, **given})
    operands = [_operand(value, kind, wrap) for value, kind in zip(values, draw.kinds, strict=True)]
    known = [operand for operand in operands if operand is not None]
    return DrawnNumber(op, draw.loop, known) if len(known) == len(values) else None


def _completed(given: dict[str, Any]) -> list[Any]:
    """The parameters in order; without an upper bound, the lower one is it."""
    values = list(given.values())
    if "high" in given and given["high"] is None:
        return [0, values[0]]
    return values


def _operand(value: Any, kind: str, wrap: Callable[[Any], Operand | None]) -> Operand | None:
    """A parameter as kernels take it: a number, and an int that fits where an int is wanted."""
    if isinstance(value, SymbolicScalar):
        return wrap(value) if _fits(value.type.dtype, kind) else None
    if type(value) is bool or value is REQUIRED:
        return None
    if type(value) is float:
        return Literal(value, FLOAT) if kind == "float64" else None
    if type(value) is int and -(2**62) < value < 2**62:
        return Literal(value, INT) if kind == "int64" else Literal(float(value), FLOAT)
    return None


def _fits(dtype: np.dtype, kind: str) -> bool:
    """Whether NumPy makes the same of such a number as kernels do when they convert it."""
    if kind == "float64":
        return dtype.kind in "iu" or dtype.name in ("float32", "float64")
    return dtype.kind in "iu" and dtype != np.uint64
