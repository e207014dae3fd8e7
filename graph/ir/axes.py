"""What a view does with each axis of its source: one place of it, or a part of it, as an axis of the result.

`Node.attrs["axes"]` of a `view` has one of these for each source axis. An axis of the result that none of
them names has stride 0: a new axis, or one that is broadcast. One that two of them name is their diagonal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .dims import Size


@dataclass(frozen=True, slots=True)
class Pick:
    """One place of the axis: operand `index` of the view, counted from the one after the array."""

    index: int


@dataclass(frozen=True, slots=True)
class Span:
    """Elements from `start` on, `step` apart, as axis `target` of the result."""

    target: int
    start: Size = 0
    step: int = 1

    def covers(self, size: Size, shape: Sequence[Size]) -> bool:
        """Whether that is all of an axis of `size`, for a result of `shape`."""
        return self.step == 1 and self.start == 0 and shape[self.target] == size


Axis = Pick | Span


def spans(axes: Sequence[Axis]) -> list[Span]:
    """The parts that become axes of the result."""
    return [axis for axis in axes if isinstance(axis, Span)]
