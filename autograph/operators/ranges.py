"""A variable that is one of several ranges: start, stop and step of the one that it is."""

from __future__ import annotations

from ...graph.ir.types import INT
from ..descriptions import parts_of_range
from .specs import RANGE, NumberType, Spec, StaticType, TupleType

_BOUND = NumberType(INT)


def join_ranges(a: Spec, b: Spec) -> TupleType | None:
    """One of two ranges, whose step stays known where it is that of both; None if there are no two."""
    one, other = _items(a), _items(b)
    if one is None or other is None or a == b:
        return None
    step = one[2] if one[2] == other[2] else _BOUND
    return TupleType((_BOUND, _BOUND, step), RANGE)


def _items(spec: Spec) -> tuple[Spec, ...] | None:
    if isinstance(spec, TupleType):
        return spec.items if spec.made == RANGE else None
    parts = parts_of_range(spec.value) if isinstance(spec, StaticType) else None
    if parts is None:
        return None
    return _BOUND, _BOUND, StaticType(parts[2]) if type(parts[2]) is int else _BOUND
