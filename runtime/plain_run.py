"""A run without a plan: the recorded calls one after another, on the arrays themselves.

This is what a plan has to agree with. It serves where none can be made, so that NumPy says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..graph.explicit.selection import Fetched
from ..graph.explicit.steps import GRADIENTS, Step, mapped, picked
from ..graph.explicit.symbol import Dimension, GraphSymbol
from ..graph.explicit.variable import Variable


def can_run(steps: Sequence[Step]) -> bool:
    """Whether all of them work on arrays: gradients are made of operations, not of values."""
    return not any(step.kind == GRADIENTS for step in steps)


@dataclass
class PlainRun:
    """One run. `read` gives the value of a variable; `updates` are the new ones."""

    fed: Mapping[GraphSymbol, Any]
    read: Callable[[Variable], Any]
    values: dict[GraphSymbol, Any] = field(default_factory=dict)
    updates: dict[Variable, Any] = field(default_factory=dict)

    def run(self, steps: Sequence[Step], fetches: Sequence[Fetched]) -> tuple[Any, ...]:
        """The values of `fetches`.

        Raises:
            KeyError: a placeholder isn't fed.
        """
        for step in steps:
            if step.source is None:
                args = mapped(step.args, self.value_of)
                result = step.call(*args, **mapped(dict(step.kwargs), self.value_of))
                step.check_count(result)
                for symbol in step.outputs:
                    if symbol.path is not None:
                        self.values[symbol] = picked(result, symbol.path)
                if step.assigns is not None:
                    self.updates[step.assigns] = result
        return tuple(self.value_of(fetch) for fetch in fetches)

    def value_of(self, leaf: Any) -> Any:
        """The value of an argument of a step."""
        if isinstance(leaf, Dimension):
            return self.value_of(leaf.symbol).shape[leaf.axis]
        if isinstance(leaf, Variable):
            if leaf in self.updates:
                return self.updates[leaf]
            symbol = leaf.op.outputs[0]
            return self.fed[symbol] if symbol in self.fed else self.read(leaf)
        if not isinstance(leaf, GraphSymbol):
            return leaf
        if leaf.step.variable is not None:
            return self.value_of(leaf.step.variable)
        if leaf in self.fed:
            return self.fed[leaf]
        if leaf.step.source is not None and leaf.step.source.value is not None:
            return leaf.step.source.value
        return self.values[leaf]
