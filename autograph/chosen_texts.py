"""Texts that are one of several, or None: ``mode = "call" if k < s else "put"``. An int says which."""

from __future__ import annotations

from ..graph.ir.literals import literal
from ..graph.ir.nodes import Operand, Value
from ..graph.ir.types import INT, OBJECT
from ..graph.symbolic.operators import binary
from ..graph.symbolic.symbols import SymbolicObject, SymbolicScalar, template
from ..graph.trace.build import current
from .tracer import tracer

Options = frozenset[str | None]
MOST = 16
"""Of more texts a variable is an object."""


class ChosenText(SymbolicObject):
    """One of the texts in `options`; `number` is its number among all such texts of the trace."""

    __slots__ = ("number", "options")
    is_assembled = True

    def __init__(self, number: SymbolicScalar, options: Options) -> None:
        self.number, self.options = number, options

    def operand(self) -> Operand:
        """The text itself, for Python's own code."""
        if not self._left():
            tracer().operators.fail(AssertionError("no run comes here"))
        under = template()
        known = {number_of(text): text for text in sorted(self.options, key=number_of)}
        source = f"{under.write(known)}[{under.write(self.number)}]"
        return current().one("python", under.operands, OBJECT, text=source, harmless=True)

    def is_none(self) -> object:
        """Whether it is None."""
        return self._compared("eq", None)

    def __eq__(self, other: object) -> object:  # type: ignore[override]
        return self._compared("eq", other)

    def __ne__(self, other: object) -> object:  # type: ignore[override]
        return self._compared("ne", other)

    def _compared(self, name: str, other: object) -> object:
        if isinstance(other, ChosenText):
            return binary(name, self.number, other.number)
        if other is not None and type(other) is not str:
            return binary(name, self, other)
        left = self._left()
        if other not in left or len(left) == 1:
            return (other in left) is (name == "eq")
        found = binary(name, self.number, number_of(other))
        if isinstance(mine := self.number.operand(), Value):
            current().chosen[found.operand().name] = mine.name, number_of(other), name == "eq"
        return found

    def _left(self) -> Options:
        """The texts that it may be here, by the comparisons on the way."""
        left, builder, mine = self.options, current(), self.number.operand()
        for condition, (name, number, is_it) in builder.chosen.items():
            if isinstance(mine, Value) and name == mine.name:
                holds = builder.truth_of(condition)
                if holds is not None:
                    left = frozenset(text for text in left if (number_of(text) == number) is (holds is is_it))
        return left

    __hash__ = SymbolicObject.__hash__


def number_of(text: str | None) -> int:
    """Its number in this trace."""
    return tracer().texts.setdefault(text, len(tracer().texts))


def number_operand(value: object) -> Operand:
    """The number of a text, or of the one that `value` is."""
    if isinstance(value, ChosenText):
        return value.number.operand()
    assert value is None or type(value) is str
    return literal(number_of(value))


def chosen_text(number: Operand, options: Options) -> ChosenText:
    """What is decoded."""
    return ChosenText(SymbolicScalar(number, INT), options)
