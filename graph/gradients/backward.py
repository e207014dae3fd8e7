"""What the gradient rule of a NumPy function gets, and what a rule is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..analysis.effects import writes
from ..ops.define import NotDifferentiable
from .pullback import ReverseNode

Rule = Callable[..., Sequence[Any]] | NotDifferentiable
Numbers = Any
"""A parameter that stands for an array, but may be a constant."""


@dataclass(frozen=True, slots=True)
class Backward:
    """The results' side of a call: `g` and `y` of the only result, `gs` and `ys` of several.

    `found`: where contributions are collected, one for each operand.
    `seen`: the results whose cotangents the rule has looked at.
    """

    pullback: ReverseNode
    found: list[Any] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)

    @property
    def g(self) -> Any:
        """The cotangent of the result; of a write, that of the array afterwards."""
        self.seen.add(0)
        return self.pullback.cotangents[0]

    @property
    def y(self) -> Any:
        """The result."""
        return self.pullback.outputs[0]

    @property
    def gs(self) -> Sequence[Any]:
        """The cotangents of the results, None where they are zero."""
        self.seen.update(range(len(self.pullback.cotangents)))
        return self.pullback.cotangents

    @property
    def ys(self) -> Sequence[Any]:
        """The results."""
        return self.pullback.outputs

    @property
    def in_place(self) -> bool:
        """Whether the call writes to its first argument: the rule leaves its answer in the memory `g`."""
        return bool(writes(self.pullback.node))
