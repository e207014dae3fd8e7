"""Which operation of `graph/ops/drawing.py` a call of a random number generator's method is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..graph.ir.nodes import Literal, Operand
from ..graph.ir.types import FLOAT, INT
from ..graph.ops.drawing import GENERATOR, PYTHON_RANDOM, REQUIRED, STATE, Draw
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.symbols import SymbolicScalar
from ..graph.trace.template import Template

Wrap = Callable[[object], Operand | None]
METHODS: dict[type, Mapping[str, Draw]] = {
    np.random.Generator: GENERATOR,
    np.random.RandomState: STATE,
    random.Random: PYTHON_RANDOM,
}
"""What kernels can draw, by the class of the generator."""


def makes_own(given: Iterable[object]) -> bool:
    """Whether `default_rng` makes a generator of this: one that it is given is handed back as it is."""
    return all(value is None or isinstance(value, (int, SymbolicArray, SymbolicScalar)) for value in given)


@dataclass(frozen=True, slots=True)
class MethodCall:
    """A call of a generator's method.

    Attributes:
        kind: the class of the generator, if it is one.
        write: writes the call.
        stream: gives the generator itself; None where the graph doesn't have it.
    """

    kind: type
    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    write: Callable[[Template], str]
    stream: Callable[[], Operand | None]

    @property
    def draw(self) -> Draw | None:
        """What kernels draw for it, or for each number that it gives."""
        found = METHODS.get(self.kind, {}).get(self.name)
        return found if found is not None and found.is_known else None

    def of_one(self) -> MethodCall | None:
        """The call for one number of the array that it gives."""
        draw, at = self.draw, len(self.args)
        if draw is None:
            return None
        if self.name in ("rand", "randn"):
            return replace(self, args=())
        others = {key: value for key, value in self.kwargs.items() if key != "size"}
        last = len(draw.parameters)
        has_size = at <= last if "size" in self.kwargs else at == last + 1
        return replace(self, args=self.args[:last], kwargs=others) if has_size else None


class DrawnNumber(NamedTuple):
    """The operation that draws a number, the dtypes of its operands, and those after the generator."""

    op: str
    loop: tuple[str, ...]
    parameters: list[Operand]


def drawn_number(call: MethodCall, wrap: Wrap) -> DrawnNumber | None:
    """The operation that a call is; None if kernels have none. `wrap` gives the operand of a symbol."""
    draw = call.draw
    if draw is None:
        return None
    given = dict(zip(draw.parameters, call.args, strict=False))
    if len(call.args) > len(draw.parameters) or given.keys() & call.kwargs.keys():
        return None
    given |= call.kwargs
    endpoint = given.pop("endpoint", False) if draw.closed else False
    if type(endpoint) is not bool or not given.keys() <= draw.parameters.keys():
        return None
    values = _completed({**draw.parameters, **given})
    operands = [_operand(value, kind, wrap) for value, kind in zip(values, draw.kinds, strict=True)]
    known = [operand for operand in operands if operand is not None]
    op = draw.closed if endpoint else draw.op
    return DrawnNumber(op, draw.loop, known) if len(known) == len(values) else None


def _completed(given: dict[str, object]) -> list[object]:
    """The parameters in order; without an upper bound, the lower one is it."""
    values = list(given.values())
    if "high" in given and given["high"] is None:
        return [0, values[0]]
    return values


def _operand(value: object, kind: str, wrap: Wrap) -> Operand | None:
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
        return dtype.kind in "biu" or dtype.name in ("float32", "float64")
    return dtype.kind in "iu" and dtype != np.uint64
