"""Copies of one part of an array to another part of it of which NumPy reads elements that it has written.

NumPy copies along one axis without a look at what overlaps, from that end from which all would be well if
both parts had the same strides (`raw_array_assign_array` in its source, array_assign_array.c):

    a = np.arange(5)
    a[::2] = a[:3]      # 0 1 1 3 1, not 0 1 1 3 2
    m[i] = m[:, j]      # reads m[i, j] after it was written, or before, as i and j are

Compiled code reads all of the source first, so it does something else there.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import dims
from ..ir.axes import Pick
from ..ir.dims import Size
from ..ir.nodes import Literal, Node, Operand, Value
from ..ir.types import Array
from ..ops.facts import is_assign, is_plain_view
from .effects import Aliases

IN_NUMPYS_ORDER = (
    "NumPy copies one part of an array to another part of it here, and may read what it has just written"
)


def reads_what_it_wrote(node: Node, aliases: Aliases) -> bool:
    """Whether a node may be a copy within one array of which NumPy reads elements that it has written."""
    if not is_assign(node):
        return False
    target, source = node.operands
    if not (isinstance(target.type, Array) and isinstance(source.type, Array)):
        return False
    assert isinstance(target, Value)
    assert isinstance(source, Value)
    if target.type.ndim != 1 or source.type.shape in ((), (1,)) or not aliases.may_overlap(target, source):
        return False
    if target.type.layout == source.type.layout == "C" and target.type.dtype == source.type.dtype:
        return source.type.ndim > 1
    first, second = _looked_at(target, aliases), _looked_at(source, aliases)
    if first[0] is not second[0] or source.type.ndim > 1:
        return True
    return not _is_harmless(list(zip(first[1], second[1], strict=True)))


@dataclass(frozen=True, slots=True)
class _Along:
    """What of one axis of an array a view looks at: from `start` on, along its own `axis` if it has one."""

    start: Size
    axis: int | None
    step: int


_Pairs = list[tuple[_Along, _Along]]
"""For each axis of the array: what the target and the source of a copy look at."""


def _looked_at(value: Value, aliases: Aliases) -> tuple[Value, list[_Along]]:
    """The array at which a view looks through all views between them, and what of it, by axis."""
    assert isinstance(value.type, Array)
    node = aliases.flow.definition.get(value)
    if node is None or not is_plain_view(node):
        return value, [_Along(0, k, 1) for k in range(value.type.ndim)]
    source = node.operands[0]
    assert isinstance(source, Value)
    base, found = _looked_at(source, aliases)
    return base, [_through(node, along) for along in found]


def _through(view: Node, along: _Along) -> _Along:
    """What the view of a view looks at along an axis of the first one's source."""
    if along.axis is None:
        return along
    source, axis = view.operands[0].type, view.attrs["axes"][along.axis]
    assert isinstance(source, Array)
    if not isinstance(axis, Pick):
        start = dims.add(along.start, dims.scale(axis.start, along.step))
        return _Along(start, axis.target, along.step * axis.step)
    checks = view.attrs.get("check", ())
    is_inside = axis.index < len(checks) and not checks[axis.index]
    picked = _picked(view.operands[1 + axis.index], source.shape[along.axis], is_inside)
    return _Along(dims.add(along.start, dims.scale(picked, along.step)), None, 0)


def _picked(operand: Operand, size: Size, is_inside: bool) -> Size:
    """The place of an index; of one that may count from the end a symbol for what it is in such an axis."""
    if isinstance(operand, Literal):
        return int(operand.value) if operand.value >= 0 else dims.add(size, int(operand.value))
    return dims.symbol(operand.name if is_inside else f"{operand.name} in {dims.text(size)}")


def _is_harmless(pairs: _Pairs) -> bool:
    """Whether a copy, both sides along one axis, is as if all was read first."""
    moving = [(one, other) for one, other in pairs if one.axis is not None or other.axis is not None]
    if all(other.axis is None for _, other in pairs):
        return True  # one element, which stays as it is
    if all(one.axis == other.axis and one.step == other.step for one, other in moving):
        return True
    if len(moving) == 1:
        ((one, other),) = moving
        return one.step * other.step < 0 or _reads_ahead(one, other)  # it looks whether opposite ones overlap
    return len(moving) == 2 and _crosses_at_itself(*moving)


def _reads_ahead(one: _Along, other: _Along) -> bool:
    """Whether each element is read before it is written, from the first one on: ``a[:4] = a[::2]``."""
    ahead = dims.sub(other.start, one.start)
    return isinstance(ahead, int) and ahead >= 0 and 0 < one.step <= other.step


def _crosses_at_itself(one: tuple[_Along, _Along], other: tuple[_Along, _Along]) -> bool:
    """Whether a row and a column have no element in common but one that is copied to itself."""
    along, across = (one, other) if one[0].axis is not None else (other, one)
    if along[1].axis is not None or across[0].axis is not None or {along[0].step, across[1].step} != {1}:
        return False
    written, read = dims.sub(along[1].start, along[0].start), dims.sub(across[0].start, across[1].start)
    return written == read
