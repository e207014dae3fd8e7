"""Ints of a graph as places along the axis that is cut: constants, places from its end, loop indices.

`Places` evaluates the size expressions of a graph (`graph.ir.dims`) for an axis of n places, where n is only
known to be large: ``max(n - 2, 0)`` is ``n - 2``, and `need` is then at least 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ..graph.ir.dims import Atom, Size, Sym
from ..graph.ir.nodes import Value

END: Final = "end"
"""The base of places that are counted from the axis' end."""


@dataclass(frozen=True, slots=True)
class Place:
    """An int: `base` plus something from `low` to `high`.

    Attributes:
        base: None for zero, `END` for n, the index of a loop along the axis, or the name of another size.
        left, right: where the index is among so many first or last places, the int is another one,
        first, last: of the `first` places of the axis, or of the `last` ones.
        least: what it is there at least, where `left` isn't 0.
        is_round: it is meant as a place of an axis that goes round: behind the last one comes the first.
    """

    base: str | Value | None
    low: int
    high: int
    left: int = 0
    right: int = 0
    first: int = 0
    last: int = 0
    least: int = 0
    is_round: bool = False

    @property
    def number(self) -> int | None:
        """The int, if it is known."""
        return self.low if self.base is None and self.low == self.high else None

    @property
    def is_long(self) -> bool:
        """It grows with n."""
        return self.base == END or isinstance(self.base, Value)

    @property
    def is_special(self) -> bool:
        """At some places it isn't the base and what is added."""
        return bool(self.left or self.right or self.is_round)

    @property
    def is_plain(self) -> bool:
        """It is the base and one known number more."""
        return self.low == self.high and not self.is_special


def known(number: int) -> Place:
    """The place of a constant."""
    return Place(None, number, number)


def plus(one: Place | None, other: Place | None) -> Place | None:
    """The sum; None if it isn't a place."""
    if one is None or other is None or (one.base is not None and other.base is not None):
        return None
    based, rest = (one, other) if one.base is not None else (other, one)
    if based.is_round and rest != known(0):
        return None
    low, high = based.low + rest.low, based.high + rest.high
    first = max(based.first + rest.high, 1) if based.left else 0
    last = max(based.last - rest.low, 1) if based.right else 0
    return replace(based, low=low, high=high, first=first, last=last, least=based.least + rest.low)


def times(place: Place | None, factor: int) -> Place | None:
    """The product with a constant; None if it isn't a place."""
    if place is None or factor == 1:
        return place
    if place.base is not None or not factor:
        return known(0) if not factor else None
    ends = (place.low * factor, place.high * factor)
    return Place(None, min(ends), max(ends))


def minus(one: Place | None, other: Place | None) -> Place | None:
    """The difference; None if it isn't a place."""
    if one is not None and other is not None and one.base is other.base is not None:
        if one.is_special or other.is_special:
            return None
        return Place(None, one.low - other.high, one.high - other.low)
    return plus(one, times(other, -1))


class Places:
    """What the ints of a graph are.

    Attributes:
        of_name: by the name of a size symbol or of an int value.
        goes_round: places before the first one and behind the last one are those at the other end.
        need: n is at least this, or the answers don't hold.
    """

    def __init__(self, of_name: Mapping[str, Place | None], goes_round: bool = False) -> None:
        self.of_name = dict(of_name)
        self.goes_round = goes_round
        self.need = 1

    def asks(self, least: int) -> None:
        """From now on n is at least `least`."""
        self.need = max(self.need, least)

    def of(self, size: Size) -> Place | None:
        """The place that a size expression is; None if it is none."""
        if isinstance(size, int):
            return known(size)
        found: Place | None = known(size.const)
        ordered = sorted(size.terms, key=lambda term: term[1])
        pending = [(self._atom(atom), factor) for atom, factor in ordered]
        plain = [(place, factor) for place, factor in pending if place is None or place.base is None]
        based = [(place, factor) for place, factor in pending if place is not None and place.base is not None]
        for place, factor in plain:
            found = plus(found, times(place, factor))
        return self._with_based(found, based)

    def _with_based(self, found: Place | None, based: list[tuple[Place, int]]) -> Place | None:
        if len(based) == 2 and {factor for _, factor in based} == {1, -1}:
            more, less = sorted(based, key=lambda one: -one[1])
            return plus(found, minus(more[0], less[0]))
        for place, factor in based:
            found = plus(found, times(place, factor))
        return found

    def _atom(self, atom: Atom) -> Place | None:
        if isinstance(atom, Sym):
            return self.of_name.get(atom.name)
        left, right = self.of(atom.left), self.of(atom.right)
        if left is None or right is None:
            return None
        if atom.function == "max":
            return self.most(left, right)
        if atom.function == "min":
            return self.least(left, right)
        if left.number is None or right.number is None:
            return None
        if atom.function == "//":
            return known(left.number // right.number) if right.number else None
        return known(left.number * right.number)

    def most(self, one: Place, other: Place) -> Place | None:
        """``max(one, other)``."""
        if one.base == other.base:
            return _extreme(one, other, max)
        one, other = _ordered(one, other)
        if one.base is None and isinstance(other.base, str):
            self._exceeds(other, one)
            return other
        return _held_up(other, one) if one.base is None else None

    def least(self, one: Place, other: Place) -> Place | None:
        """``min(one, other)``."""
        if one.base == other.base:
            return _extreme(one, other, min)
        one, other = _ordered(one, other)
        if one.base is None and isinstance(other.base, str):
            self._exceeds(other, one)
            return one
        return _held_down(one, other) if other.base == END and isinstance(one.base, Value) else None

    def remainder(self, one: Place, other: Place) -> Place | None:
        """``one % other``: the place itself, where the axis goes round."""
        along = isinstance(one.base, Value) and one.is_plain and other == Place(END, 0, 0)
        return replace(one, is_round=True) if along and self.goes_round else None

    def _exceeds(self, size: Place, constant: Place) -> None:
        """`size` is at least `constant`; what is asked of other sizes is asked when their axes are cut."""
        if size.base == END:
            self.asks(constant.high - size.low)


def _ordered(one: Place, other: Place) -> tuple[Place, Place]:
    """Constants first, then loop indices, then sizes."""

    def rank(place: Place) -> int:
        return 0 if place.base is None else 2 if isinstance(place.base, str) else 1

    return (one, other) if rank(one) <= rank(other) else (other, one)


def _extreme(one: Place, other: Place, chosen: Callable[[int, int], int]) -> Place | None:
    if one.is_special or other.is_special:
        return one if one == other else None
    return Place(one.base, chosen(one.low, other.low), chosen(one.high, other.high))


def _held_up(index: Place, least: Place) -> Place | None:
    """``max(i + low, least)``: the first places are other ones."""
    if index.is_round or index.low != index.high or index.left or least.number is None or least.number < 0:
        return None
    left = least.number - index.low
    return replace(index, left=left, first=least.number + 1, least=least.number) if left > 0 else index


def _held_down(index: Place, most: Place) -> Place | None:
    """``min(i + low, n + most)``: the last places are other ones."""
    if index.is_round or index.low != index.high or index.right or not most.is_plain or most.low >= 0:
        return None
    right = index.low - most.low - 1
    return replace(index, right=right, last=-most.low) if right > 0 else index


def hull(one: Place | None, other: Place | None) -> Place | None:
    """What is one of two places."""
    if one is None or other is None or one.base != other.base or not (one.is_plain and other.is_plain):
        return None
    return replace(one, low=min(one.low, other.low), high=max(one.high, other.high))
