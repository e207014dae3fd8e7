"""What a value has to do with one axis that is cut into blocks: which places of it its elements are made of.

The axis has n places, and n is large. A `Relation` says of a value's elements

    UNIFORM        nothing of the axis is in them, and they don't differ along it
    Along          element j is made of the places j + low ... j + high of the axis, but at the ends
    Ends           the value is made of the first places, or of the last ones
    Everywhere     of others, or nobody knows; with the reason

`united` joins relations of what is computed from several values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..graph.ir.nodes import Loc, Value


@dataclass(frozen=True, slots=True)
class Uniform:
    """Nothing of the axis is in the value, and its elements don't differ along it."""


@dataclass(frozen=True, slots=True)
class Along:
    """One axis of the value goes along the axis that is cut.

    Attributes:
        axis: which of the value's axes that is; or the index of a loop that goes along it.
        low, high: element j is made of the places j + `low` ... j + `high`.
        left, right: so many elements at the ends are made in another way.
        first, last: these elements are made of the `first` places of the axis, and of the `last` ones.
    """

    axis: int | Value
    low: int = 0
    high: int = 0
    left: int = 0
    right: int = 0
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Ends:
    """The value is made of the `first` places of the axis, or of the `last` ones."""

    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Everywhere:
    """The value may be made of any place; `why` and `loc` say how it came to that."""

    why: str
    loc: Loc


Relation = Uniform | Along | Ends | Everywhere
UNIFORM = Uniform()


def united(relations: Iterable[Relation], loc: Loc) -> Relation:
    """The relation of what is computed at `loc` from elements of all of these, place by place."""
    found: Relation = UNIFORM
    for relation in relations:
        found = _joined(found, relation, loc)
    return found


def _joined(one: Relation, other: Relation, loc: Loc) -> Relation:
    for first, second in ((one, other), (other, one)):
        if isinstance(first, Everywhere):
            return first
        if isinstance(first, Uniform):
            return second
    if isinstance(one, Along) and isinstance(other, Along):
        if one.axis != other.axis:
            return Everywhere("it joins each place of the axis with each", loc)
        return merged(one, other)
    if isinstance(one, Ends) and isinstance(other, Ends):
        ends = Ends(max(one.first, other.first), max(one.last, other.last))
        return ends if not (ends.first and ends.last) else Everywhere("it joins both ends of the axis", loc)
    return Everywhere("it uses elements of one end of the axis at all of its places", loc)


def merged(one: Along, other: Along) -> Along:
    """What may be the one or the other, or is made of both; their axes are one."""
    return Along(
        one.axis,
        min(one.low, other.low),
        max(one.high, other.high),
        max(one.left, other.left),
        max(one.right, other.right),
        max(one.first, other.first),
        max(one.last, other.last),
    )


def moved(relation: Relation, axes: Iterable[int | None], loc: Loc) -> Relation:
    """The relation in a value whose axes stand elsewhere: `axes` says where each went, None if it is gone."""
    if not isinstance(relation, Along) or not isinstance(relation.axis, int):
        return relation
    target = list(axes)[relation.axis]
    if target is None:
        return Everywhere("it joins elements along the axis", loc)
    return replace(relation, axis=target)
