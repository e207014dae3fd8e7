"""Arrays that go round: `np.roll` is two copies, of most of an array and of what is left at its other end."""

from __future__ import annotations

from dataclasses import dataclass

from .places import END, Place, known, plus
from .relations import Along, Relation
from .sections import OwnMemory, Section, Spanned


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an array that is copied from another one, along the axis that is cut.

    Attributes:
        source: where it comes from, and what that is made of.
        axis: the axis in the memory that is written.
        start, stop: the places that are written.
        by: how much further on they stand there than in the source, going round.
    """

    source: OwnMemory
    relation: Along
    axis: int
    start: Place
    stop: Place
    by: int

    def completes(self, other: Piece, size: Place | None) -> bool:
        """Whether both together are all of the source, moved by one distance."""
        same = (self.source, self.relation, self.by) == (other.source, other.relation, other.by)
        first, second = (self, other) if self.start == known(0) else (other, self)
        return same and first.start == known(0) and first.stop == second.start and second.stop == size

    def rolled(self) -> Along:
        """What the array is made of when all of it is written."""
        return Along(self.axis, self.relation.low - self.by, self.relation.high - self.by)


def piece_of(target: Section, source: Section, relation: Relation) -> Piece | None:
    """The part that a copy writes; None if it is nothing of the kind. `relation` is the source's memory's."""
    if not isinstance(relation, Along) or relation != Along(relation.axis, relation.low, relation.high):
        return None
    own, given = _part(target), _part(source)
    if own is None or given is None or given[0] != relation.axis:
        return None
    axis, start, along = own
    if given[2] - len(source.shape) != along - len(target.shape):
        return None
    stop = plus(start, target.shape[along])
    return (
        None if stop is None else Piece(source.buffer, relation, axis, start, stop, start.low - given[1].low)
    )


def _part(section: Section) -> tuple[int, Place, int] | None:
    """The axis of the memory that goes along the axis, where the array begins there, and its own axis."""
    found = None
    for number, axis in enumerate(section.axes):
        if not isinstance(axis, Spanned) or axis.step != 1 or axis.start is None or not axis.start.is_plain:
            return None
        if not section.buffer.goes_along(number):
            if axis.start != known(0) or section.shape[axis.target] != section.buffer.shape[number]:
                return None
        elif found is not None or axis.start.base not in (None, END):
            return None
        else:
            found = (number, axis.start, axis.target)
    return found
