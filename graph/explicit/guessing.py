"""The builder of an explicit graph, where sizes have no example yet.

While the graph is built, operations run on it at once: that is what gives symbols their dtypes and shapes,
operations their names and marks. A size that isn't known fits any other; what it really is counts when a
session makes a plan for arrays that it is fed, on a builder of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import dims
from ..ir.dims import Size
from ..trace.build import Builder

EXAMPLE = 8
"""What stands for an unknown size where NumPy is asked by an example: enough for slices of a few elements."""


@dataclass(slots=True)
class GuessingBuilder(Builder):
    """A builder that takes sizes to be equal where that isn't known to be wrong."""

    def hint(self, size: Size) -> int | None:
        """The size, or an example."""
        unknown = dict.fromkeys(dims.symbols(size) - set(self.hints), EXAMPLE)
        return dims.evaluate(size, {**self.hints, **unknown})

    def same_size(self, left: Size, right: Size) -> bool:
        """True unless both are known and differ."""
        left, right = self.settle(left), self.settle(right)
        if left == right:
            return True
        if isinstance(left, int) and isinstance(right, int):
            return False
        self.assume_equal(left, right)
        return True

    def forget_guesses(self) -> None:
        """What one operation took for equal doesn't bind the next one."""
        self.equal.clear()
        self.ordered.clear()
        self.guards.clear()
