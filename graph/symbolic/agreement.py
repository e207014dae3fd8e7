"""Sizes that only the run can tell to be equal, as of what a function that calls itself returns.

    w = u * v       # u: f64[n], v: f64[m]
    py.same_size(n, m);  w = u * v[:n]

Where they are not, plain Python runs in place of compiled code, and knows what to do: it stretches arrays of
one element, or raises NumPy's error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar, cast

from ..ir import dims
from ..ir.axes import Span
from ..ir.dims import Size
from ..ir.literals import literal
from ..ir.types import INT
from ..ops import OPS
from ..ops.define import ELEMENTWISE
from ..trace.build import current
from .arrays import SymbolicArray
from .symbols import size_symbol

_T = TypeVar("_T")
_NEAR = 8
"""So many nodes back an array is sought that is computed where it is used: better that one stays as it is."""


@contextmanager
def sizes_may_agree(allowed: bool) -> Iterator[None]:
    """In here the run may be asked whether sizes are equal."""
    builder = current()
    before, builder.agrees = builder.agrees, allowed
    try:
        yield
    finally:
        builder.agrees = before


def agreed(values: tuple[_T, ...]) -> tuple[_T, ...]:
    """The operands of an elementwise operation, of sizes that are equal then."""
    arrays = [value for value in values if isinstance(value, SymbolicArray)]
    if not current().agrees or len(arrays) < 2:
        return values
    arrays.sort(key=_is_computed, reverse=True)
    for axis in range(-max(array.ndim for array in arrays), 0):
        sizes = [array.shape_sizes[axis] for array in arrays if array.ndim >= -axis]
        wanted = next((size for size in sizes if size != 1), 1)
        values = tuple(_either(value, axis, wanted) for value in values)
    return values


def _either(value: _T, axis: int, wanted: Size) -> _T:
    return cast(_T, with_size(value, axis, wanted)) if isinstance(value, SymbolicArray) else value


def with_size(value: SymbolicArray, axis: int, wanted: Size) -> SymbolicArray:
    """`value`, of which an axis whose size nobody knows is as long as `wanted`, seen to by the run."""
    builder = current()
    if not builder.agrees or value.ndim < -axis:
        return value
    size, wanted = value.shape_sizes[axis], builder.settle(wanted)
    if 1 in (size, wanted) or (builder.guardable(size) and builder.guardable(wanted)):
        return value
    if builder.same_size(wanted, size):
        return value
    _see_to(wanted, size)
    shape = list(value.shape_sizes)
    shape[axis] = wanted
    spans = tuple(map(Span, range(value.ndim)))
    attrs = {"axes": spans, "check": (), "text": "{0}"}
    (view,) = builder.emit("view", (value.operand(),), (replace(value.type, shape=tuple(shape)),), attrs)
    return SymbolicArray(view, value.order, value.ascends)


def natural(size: Size) -> Size:
    """`size`, at least 0: where it is less, plain Python finds out."""
    builder = current()
    if not builder.agrees or builder.guardable(size) or builder.is_natural(size):
        return size
    least = dims.maximum(size, 0)
    _see_to(least, size)
    return least


def _see_to(wanted: Size, size: Size) -> None:
    """The run goes on as plain Python where the two are different."""
    sides = map(size_symbol, (wanted, size))
    given = [literal(side) if isinstance(side, int) else side.operand() for side in sides]
    current().emit("py.same_size", given, (INT,), {"loop": ("int", "int"), "asks": True}, names=("same",))


def _is_computed(array: SymbolicArray) -> bool:
    """Whether an operation has just made the array, which another one can take element by element."""
    made = array.operand()
    near = (node for node in current().blocks[-1][-_NEAR:] if made in node.results)
    return any(OPS[node.op].kind == ELEMENTWISE for node in near)
