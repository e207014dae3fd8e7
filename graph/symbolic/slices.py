"""Slices by size arithmetic: the first index and the length of ``start:stop:step`` on an axis of any size.

As the language reference has it (slice.indices). Ends whose sign is known only at run time become ints of
the graph.
"""

from __future__ import annotations

from typing import Any

from ..ir import dims
from ..ir.dims import Dim, Size
from ..ir.nodes import Value
from ..ir.types import INT
from ..trace.build import current, rules
from .arith import operand
from .symbols import SymbolicScalar, as_dim


def slice_sizes(start: Any, stop: Any, step: int, size: Size) -> tuple[Size, Size]:
    """(first index, length) of ``start:stop:step`` on an axis of `size` elements."""
    if step > 0:
        first = 0 if start is None else _bound(start, size)
        last = size if stop is None else _bound(stop, size)
        begin = _unclipped(start, first)
        # An end inside the axis clips the start, and a start that is not negative clips the end.
        dim = None if stop is None else as_dim(stop)
        inside = stop is None or (dim is not None and _negative(dim))
        if dim is not None and inside and current().is_natural(begin):
            last = dims.add(size, dim)
        length = _between(begin if inside else first, last)
        first = begin
    else:
        top = dims.sub(size, 1)
        first = top if start is None else dims.minimum(_bound(start, size, low=-1), top)
        last = -1 if stop is None else dims.minimum(_bound(stop, size, low=-1), top)
        length = dims.maximum(dims.sub(first, last), 0)
    if abs(step) != 1:
        length = dims.floordiv(dims.add(length, abs(step) - 1), abs(step))
    return first, length


def rests_on_condition(start: object, stop: object) -> bool:
    """Whether a condition tells the sign of an end: the slice may not be taken before it is asked."""
    ends = [dim for end in (start, stop) if end is not None and (dim := as_dim(end)) is not None]
    return any(current().is_shown(end) or current().is_shown(dims.sub(-1, end)) for end in ends)


def _between(first: Size, last: Size) -> Size:
    """How many elements lie between two ends."""
    length = dims.sub(last, first)
    return length if current().is_ordered(first, last) else dims.maximum(length, 0)


def _unclipped(start: Any, clipped: Size) -> Size:
    dim = 0 if start is None else as_dim(start)
    return dim if dim is not None and _natural(dim) else clipped


def _natural(size: Size) -> bool:
    """True when an end is not negative here; lengths, which may be asked for elsewhere, don't rest on it."""
    return current().is_shown(size) or current().is_natural(size)


def _negative(size: Size) -> bool:
    bound = dims.lower(dims.scale(size, -1))
    return (bound is not None and bound > 0) or current().is_shown(dims.sub(-1, size))


def _bound(value: Any, size: Size, low: int = 0) -> Size:
    """An end of a slice, brought into ``[low, size]``."""
    dim = as_dim(value)
    if dim is not None:
        if _negative(dim):
            return dims.maximum(dims.add(size, dim), low)
        if _natural(dim):
            return dim if current().at_most(dim, size) else dims.minimum(dim, size)
        if current().is_natural(dims.sub(-1, dim)):
            return dims.maximum(dims.add(size, dim), low)
    symbol = _known_bound(value, size, low)
    return dims.symbol(symbol.name, low)


def _known_bound(value: SymbolicScalar, size: Size, low: int) -> Value:
    """`_run_time_bound`, once for slices of axes of one size by the same number: they are of one length."""
    builder = current()
    ends = ("ends", value.operand(), low)
    for key in [key for key in builder.found if key[:3] == ends]:
        known = key[3]
        assert isinstance(known, int | Dim)
        alike = known == size or (
            builder.hint(known) is not None and builder.hint(known) == builder.hint(size)
        )
        if alike and builder.same_size(known, size) and (found := builder.recall(key)) is not None:
            return found
    made = _run_time_bound(value, size, low)
    builder.remember((*ends, size), made)
    return made


def _run_time_bound(value: SymbolicScalar, size: Size, low: int) -> Value:
    """The end of a slice whose sign is known only at run time, as an int of the graph."""
    builder = current()
    plain = (
        value
        if value.type == INT
        else SymbolicScalar(builder.one("py.int", (value.operand(),), INT, loop=(value.type.kind,)), INT)
    )
    whole = SymbolicScalar(None, INT, size) if not isinstance(size, int) else size
    wrapped = select(rules().binary("lt", plain, 0), rules().binary("add", plain, whole), plain)
    made = extreme("min", extreme("max", wrapped, low), whole).operand()
    assert isinstance(made, Value)
    return made


def select(condition: Any, x: Any, y: Any) -> SymbolicScalar:
    """``x if condition else y`` of Python ints that are both computed."""
    node = current().one(
        "py.select", (operand(condition), operand(x), operand(y)), INT, loop=("bool", "int", "int")
    )
    return SymbolicScalar(node, INT)


def extreme(name: str, x: Any, y: Any) -> SymbolicScalar:
    """``min(x, y)`` or ``max(x, y)`` of Python ints."""
    node = current().one(f"py.{name}", (operand(x), operand(y)), INT, loop=("int", "int"))
    return SymbolicScalar(node, INT)
