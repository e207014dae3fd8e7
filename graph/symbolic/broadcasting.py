"""Shapes and memory layouts of elementwise results, by NumPy's rules."""

from __future__ import annotations

from typing import Any

from ..ir.dims import Size
from ..trace.build import current

STRETCHED = "stretched"
"""The order of views of arrays in C order that have axes with strides of 0: elementwise results are in C
order, but copies and sorted arrays need not be."""


def broadcast(shapes: list[tuple[Size, ...]]) -> tuple[Size, ...] | None:
    """The broadcast shape; sizes are made equal by guards where the example says so.

    None when that is not known before the run (then NumPy has to do it); TraceError comes from the
    caller's example where NumPy itself refuses.
    """
    ndim = max((len(shape) for shape in shapes), default=0)
    result: list[Size] = []
    for axis in range(-ndim, 0):
        sizes = [shape[axis] for shape in shapes if len(shape) >= -axis]
        size = _one_size(sizes)
        if size is None:
            return None
        result.append(size)
    return tuple(result)


def _one_size(sizes: list[Size]) -> Size | None:
    builder = current()
    settled = [builder.settle(size) for size in sizes]
    distinct: list[Size] = []
    for size in settled:
        if size != 1 and size not in distinct:
            distinct.append(size)
    if len(distinct) > 1:  # a size that is 1 in the example is specialised to 1
        distinct = [size for size in distinct if not _becomes_one(size)]
    if not distinct:
        return 1
    first = distinct[0]
    for other in distinct[1:]:
        if not builder.same_size(first, other):
            return None
    return builder.settle(first)


def _becomes_one(size: Size) -> bool:
    """Whether `size` is 1 in the example, and from now on where it stands: ``a * b // 2`` can't be solved."""
    builder = current()
    return builder.hint(size) == 1 and builder.known(size, 1) and builder.settle(size) == 1


def result_layout(arrays: list[Any], shape: tuple[Size, ...]) -> tuple[str | None, str | None]:
    """(layout, order) of a fresh elementwise result: NumPy keeps the operands' order of strides ("K").

    `order` is ``C`` or ``F`` (axes from slowest to fastest ascending or descending), None if not known. A
    `STRETCHED` operand has no say where others are in C order, and a stretched axis none in the order of its
    operand: of two axes that none has, the first one is slower.
    """
    if len(shape) <= 1:
        return "C", "C"
    orders = {"C" if a.order == STRETCHED else a.order for a in arrays if a.ndim > 1}
    if orders == {"F"} and all(a.ndim == len(shape) for a in arrays):
        if any(not _is_stretched(a.shape_sizes, shape) for a in arrays):
            return "F", "F"
        return ("C", "C") if len(shape) == 2 else (None, None)
    return ("C", "C") if orders == {"C"} else (None, None)


def _is_stretched(sizes: tuple[Size, ...], shape: tuple[Size, ...]) -> bool:
    """Whether an axis of one element is repeated."""
    builder = current()
    pairs = [(builder.settle(a), builder.settle(b)) for a, b in zip(sizes, shape, strict=True)]
    return any(a != b and builder.is_one(a) is not False for a, b in pairs)
