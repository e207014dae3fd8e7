"""Arrays as sections of memory: what is read through one, and what a write to one makes of the memory.

A `Section` says for each axis of an `OwnMemory` which part of it an array has; views of views are joined.
The relation of a memory (`relations.py`) is in terms of its own axes, that of a read in terms of the array's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..graph.ir.nodes import Loc, Node, Value
from ..graph.ir.types import Array
from .places import END, Place, Places, known, plus
from .relations import UNIFORM, Along, Ends, Everywhere, Relation, Uniform, merged

_ELSEWHERE = "it reads or writes at places that only the run says"


@dataclass(frozen=True, slots=True, eq=False)
class OwnMemory:
    """The memory of one array, or of one of several that nobody knows (then nothing may be written to it).

    `shape` has None for sizes that nobody knows.
    """

    shape: tuple[Place | None, ...]
    is_known: bool = True

    def goes_along(self, axis: int) -> bool:
        """Whether an axis grows with the one that is cut."""
        return _is_long(self.shape[axis])

    @property
    def long_axes(self) -> list[int]:
        """The axes that grow with the one that is cut."""
        return [axis for axis in range(len(self.shape)) if self.goes_along(axis)]


def _is_long(size: Place | None) -> bool:
    return size is not None and size.is_long


@dataclass(frozen=True, slots=True)
class Picked:
    """One place of the axis."""

    place: Place | None


@dataclass(frozen=True, slots=True)
class Spanned:
    """Elements from `start` on, `step` apart, as axis `target` of the array."""

    target: int
    start: Place | None
    step: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """An array: some elements of a memory. `axes` has one entry for each axis of the memory."""

    buffer: OwnMemory
    axes: tuple[Picked | Spanned, ...]
    shape: tuple[Place | None, ...]


def whole(memory: OwnMemory) -> Section:
    """All of a memory."""
    return Section(memory, tuple(Spanned(k, known(0)) for k in range(len(memory.shape))), memory.shape)


def through(section: Section, node: Node, indices: Sequence[Place | None], places: Places) -> Section:
    """A `view` of an array; `indices` are its operands behind the array."""
    shape = shape_of(node.results[0], places)
    axes: list[Picked | Spanned] = []
    for axis in section.axes:
        if isinstance(axis, Picked):
            axes.append(axis)
            continue
        inner = node.attrs["axes"][axis.target]
        if hasattr(inner, "index"):
            place = _wrapped(indices[inner.index], section.shape[axis.target], places)
            axes.append(Picked(_at(axis, place)))
        else:
            start = _at(axis, places.of(inner.start))
            axes.append(Spanned(inner.target, start, axis.step * inner.step))
    return Section(section.buffer, tuple(axes), shape)


def element(section: Section, indices: Sequence[Place | None], places: Places) -> Section:
    """One element."""
    axes = list(section.axes)
    for k, axis in enumerate(axes):
        if isinstance(axis, Spanned):
            place = _wrapped(indices[axis.target], section.shape[axis.target], places)
            axes[k] = Picked(_at(axis, place))
    return Section(section.buffer, tuple(axes), ())


def shape_of(value: Value, places: Places) -> tuple[Place | None, ...]:
    """The sizes of an array."""
    assert isinstance(value.type, Array)
    return tuple(places.of(size) for size in value.type.shape)


def shape_of_both(one: Section, other: Section) -> tuple[Place | None, ...]:
    """The shape of what is one of two arrays."""
    return one.shape if one.shape == other.shape else (None,) * len(one.shape)


def _at(axis: Spanned, place: Place | None) -> Place | None:
    """The place in memory of a place of the array's axis."""
    if axis.step == 1:
        return plus(axis.start, place)
    if place is None or place.number is None:
        return None
    return plus(axis.start, known(place.number * axis.step))


def is_whole_axis(section: Section, axis: int) -> bool:
    """Whether an axis of an array is all of the axis that is cut."""
    whole = Place(END, 0, 0)
    return section.shape[axis] == whole and any(
        isinstance(one, Spanned) and one.target == axis and one.start == known(0) and one.step == 1
        for one, size in zip(section.axes, section.buffer.shape, strict=True)
        if size == whole
    )


def is_told_by(section: Section, index: Value) -> bool:
    """Whether a loop along the axis comes upon each of these elements in one iteration."""
    return any(
        isinstance(axis, Picked) and axis.place is not None and axis.place.base is index
        for number, axis in enumerate(section.axes)
        if section.buffer.goes_along(number)
    )


def _wrapped(index: Place | None, size: Place | None, places: Places) -> Place | None:
    """The place that an index is: negative constants are counted from the end; the axis has that place."""
    if index is not None and index.base is None and size is not None and size.base == END:
        places.asks(max(index.high + 1, -index.low) - size.low)
    if index is None or index.base is not None or index.low >= 0:
        return index
    return plus(size, index) if index.high < 0 else None


def is_all(section: Section) -> bool:
    """Whether the array is all of its memory."""
    return all(
        isinstance(axis, Spanned)
        and axis.start == known(0)
        and axis.step == 1
        and size is not None
        and section.shape[axis.target] == size
        for axis, size in zip(section.axes, section.buffer.shape, strict=True)
    )


def read(section: Section, relation: Relation, loc: Loc, places: Places) -> Relation:
    """The relation of what the array holds, where `relation` is that of its memory."""
    along = relation.axis if isinstance(relation, Along) and isinstance(relation.axis, int) else None
    for number, axis in enumerate(section.axes):
        if number != along and (why := _by_place(section, number, axis)):
            return Everywhere(why, loc)
    if along is None or not isinstance(relation, Along):
        return relation
    axis = section.axes[along]
    size = section.buffer.shape[along]
    if size is None or size.base != END:
        return Everywhere(_ELSEWHERE, loc)
    if isinstance(axis, Picked):
        return _picked(relation, axis.place, size.low, loc, places)
    return _spanned(relation, axis, section, size.low, loc, places)


def _by_place(section: Section, number: int, axis: Picked | Spanned) -> str:
    """Why elements that don't go along the axis differ with the place, if they do."""
    if section.buffer.goes_along(number):
        return ""  # uniform along it
    if isinstance(axis, Picked):
        return "it looks into a table by the place along the axis" if _is_long(axis.place) else ""
    long = _is_long(section.shape[axis.target]) or _is_long(axis.start)
    return "it takes a part of an array by the axis' length" if long else ""


def _picked(relation: Along, place: Place | None, size: int, loc: Loc, places: Places) -> Relation:
    """Element `place` of an axis of n + `size` places."""
    if place is None:
        return Everywhere(_ELSEWHERE, loc)
    if place.base is None or place.base == END:
        return _end(relation, place, place, size, loc, places)
    if isinstance(place.base, str):
        return Everywhere(_ELSEWHERE, loc)
    if (
        places.goes_round
        and (relation.left or relation.right)
        and (place.low or place.high or place.is_round)
    ):
        return Everywhere("it goes round, and has ends", loc)
    return Along(
        place.base,
        relation.low + place.low,
        relation.high + place.high,
        max(relation.left - place.low if relation.left else 0, place.left, 0),
        max(relation.right + place.high - size if relation.right else 0, place.right, 0),
        max(relation.first, place.first + max(relation.high, 0) if place.left else 0),
        max(relation.last, place.last - min(relation.low, 0) if place.right else 0),
    )


def _end(relation: Along, low: Place, high: Place, size: int, loc: Loc, places: Places) -> Relation:
    """The elements from place `low` to place `high` of an axis of n + `size` places."""
    if low.base is None and high.base is None:
        if low.low < 0:
            return Everywhere(_ELSEWHERE, loc)
        first = max(high.high + relation.high + 1, relation.first if low.low < relation.left else 0)
        places.asks(high.high + 1 - size + relation.right)
        return Ends(first=max(first, 1))
    if low.base == END and high.base == END:
        special = high.high >= size - relation.right
        last = max(-(low.low + relation.low), relation.last if special else 0)
        places.asks(relation.left - low.low)
        return Ends(last=max(last, 1))
    return Everywhere(_ELSEWHERE, loc)


def _spanned(
    relation: Along, axis: Spanned, section: Section, size: int, loc: Loc, places: Places
) -> Relation:
    """A part of an axis of n + `size` places, as an axis of the array."""
    start, length = axis.start, section.shape[axis.target]
    if start is None or length is None:
        return Everywhere(_ELSEWHERE, loc)
    if length.base is None:
        ends = (plus(start, known(k)) for k in (0, axis.step * max(length.high - 1, 0)))
        low, high = sorted(ends, key=lambda place: place.low if place else 0)
        if low is None or high is None:
            return Everywhere(_ELSEWHERE, loc)
        if low.base is not None and low.base != END:
            window = replace(low, low=low.low, high=high.high)
            return _picked(relation, window, size, loc, places)
        return _end(relation, low, high, size, loc, places)
    if axis.step != 1:
        return Everywhere("it takes every other place, or goes backwards", loc)
    if length.base != END or not length.is_plain or start.number is None:
        return Everywhere(_ELSEWHERE, loc)
    cut = size - start.low - length.low
    return replace(
        relation,
        axis=axis.target,
        low=relation.low + start.low,
        high=relation.high + start.low,
        left=max(0, relation.left - start.low),
        right=max(0, relation.right - cut),
    )


def written(section: Section, relation: Relation, ranges: dict[Value, tuple[int, int]], loc: Loc) -> Relation:
    """The relation of the elements of the memory that a write gives anew, the others being uniform.

    `relation` is that of what is written, by the array's axes; `ranges` says of each index of a loop along
    the axis which first and last places it leaves out.
    """
    if isinstance(relation, Everywhere):
        return relation
    found: Relation = UNIFORM
    told = False
    for number, axis in enumerate(section.axes):
        part, tells = _written_axis(section, number, axis, relation, ranges, loc)
        if isinstance(part, Everywhere):
            return part
        if isinstance(part, Along):
            if isinstance(found, Along):
                return Everywhere("it writes by the place along two axes", loc)
            found = replace(part, axis=number)
        told = told or tells
    if told or isinstance(relation, Uniform):
        return found
    if isinstance(found, Along):
        return Everywhere("it writes one end of the axis at all of its places", loc)
    return relation


def _written_axis(
    section: Section,
    number: int,
    axis: Picked | Spanned,
    relation: Relation,
    ranges: dict[Value, tuple[int, int]],
    loc: Loc,
) -> tuple[Relation, bool]:
    """What an axis of the memory says of a write, and whether `relation` is told by it."""
    size = section.buffer.shape[number]
    if not _is_long(size):
        why = _by_place(section, number, axis)
        return (Everywhere(why, loc), False) if why else (UNIFORM, False)
    if size is None or size.base != END or not size.is_plain:
        return Everywhere(_ELSEWHERE, loc), False
    if isinstance(axis, Picked):
        return _written_place(axis.place, relation, size.low, ranges, loc)
    return _written_part(section, axis, relation, size.low, loc)


def _written_place(
    place: Place | None, relation: Relation, size: int, ranges: dict[Value, tuple[int, int]], loc: Loc
) -> tuple[Relation, bool]:
    if place is None:
        return Everywhere(_ELSEWHERE, loc), False
    if place.base is None or place.base == END:
        return _written_end(place, place, relation, size, loc)
    if not place.is_plain or isinstance(place.base, str):
        return Everywhere(_ELSEWHERE, loc), False
    skipped = ranges[place.base]
    shift = place.low
    own = Along(place.base, 0, 0)
    if isinstance(relation, Along):
        if relation.axis != place.base:
            return Everywhere("it writes by the place along two axes", loc), False
        own = relation
    elif isinstance(relation, Ends):
        return Everywhere("it writes one end of the axis at all of its places", loc), False
    left, right = max(skipped[0], own.left) + shift, max(skipped[1], own.right) + size - shift
    return _moved(own, -shift, left, right), True


def _moved(own: Along, by: int, left: int, right: int) -> Along:
    """`own` along an axis of the memory; the caller says which one."""
    return replace(own, low=own.low + by, high=own.high + by, left=max(left, 0), right=max(right, 0))


def _written_end(low: Place, high: Place, relation: Relation, size: int, loc: Loc) -> tuple[Relation, bool]:
    if isinstance(relation, Along):
        return Everywhere("it writes all places of the axis to one", loc), False
    ends = relation if isinstance(relation, Ends) else Ends()
    if low.base is None and high.base is None and low.low >= 0 and not ends.last:
        return Along(-1, 0, 0, left=high.high + 1, first=ends.first), True
    if low.base == END and high.base == END and not ends.first:
        return Along(-1, 0, 0, right=size - low.low, last=ends.last), True
    return Everywhere("it writes elements of one end of the axis to the other", loc), False


def _written_part(
    section: Section, axis: Spanned, relation: Relation, size: int, loc: Loc
) -> tuple[Relation, bool]:
    start, length = axis.start, section.shape[axis.target]
    if start is None or length is None:
        return Everywhere(_ELSEWHERE, loc), False
    tells = isinstance(relation, Along) and relation.axis == axis.target
    if length.base is None:
        high = plus(start, known(axis.step * max(length.high - 1, 0)))
        if high is None or tells or axis.step < 1:
            return Everywhere(_ELSEWHERE, loc), False
        return _written_end(start, high, relation, size, loc)
    if axis.step != 1 or length.base != END or not length.is_plain or start.number is None:
        return Everywhere("it writes every other place, or goes backwards", loc), False
    cut = size - start.low - length.low
    if not tells:
        if not (start.low or cut):
            return UNIFORM, False
        if isinstance(relation, Ends):
            return Everywhere("it writes one end of the axis at all of its places", loc), False
        return Along(-1, 0, 0, start.low, cut), isinstance(relation, Uniform)
    assert isinstance(relation, Along)
    return _moved(relation, -start.low, relation.left + start.low, relation.right + cut), True


def joined(old: Relation, new: Relation, loc: Loc) -> Relation:
    """What memory holds that had `old`, and has `new` in some of its elements."""
    if isinstance(old, Everywhere) or isinstance(new, Uniform):
        return old
    if isinstance(new, Everywhere) or isinstance(old, Uniform):
        return new
    if isinstance(old, Along) and isinstance(new, Along) and old.axis == new.axis:
        return merged(old, new)
    if isinstance(old, Ends) and isinstance(new, Ends):
        ends = Ends(max(old.first, new.first), max(old.last, new.last))
        if not (ends.first and ends.last):
            return ends
    return Everywhere("it keeps several things of the axis in one array", loc)
