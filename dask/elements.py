"""What one operation does to relations: of numbers, of arrays element by element, of reductions, products."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph.ir import dims
from ..graph.ir.nodes import Loc, Node, Value
from ..graph.ir.types import Array
from ..graph.ops.define import (
    CREATION,
    ELEMENTWISE,
    MATH,
    MEMORY_ONLY,
    PRODUCT,
    PYTHON,
    REDUCTION,
    ROUTINE,
    OpDef,
)
from ..graph.ops.facts import is_copy
from .places import END, Place, Places, known, minus, plus, times
from .relations import UNIFORM, Along, Everywhere, Relation, Uniform, moved, united

BY_ELEMENT = (ELEMENTWISE, MATH, PYTHON)


@dataclass(frozen=True, slots=True)
class Number:
    """What is known of a number.

    Attributes:
        relation: what it is made of.
        place: which place it is, if it is known.
        truth: whether it is true, if that is known.
        beyond: an index is at least so much wherever the number is true; and wherever it is false.
    """

    relation: Relation = UNIFORM
    place: Place | None = None
    truth: bool | None = None
    beyond: tuple[tuple[Value, int] | None, tuple[Value, int] | None] = (None, None)


def constant(value: object) -> Number:
    """A literal."""
    if isinstance(value, bool) or not isinstance(value, int):
        return Number(truth=value if isinstance(value, bool) else None)
    return Number(place=known(value))


def used(number: Number, loc: Loc) -> Relation:
    """The relation of what is computed from a number."""
    if number.place is None or not number.place.is_long:
        return number.relation
    if number.place.base == END:
        return Everywhere("it computes with the length of the axis", loc)
    return Everywhere("it computes with the place along the axis", loc)


def number_of(op: OpDef, numbers: Sequence[Number], places: Places, loc: Loc) -> Number:
    """What an operation makes of numbers."""
    given = [number.place for number in numbers]
    if op.kind == PYTHON and given and all(place is not None for place in given):
        if (found := _exactly(op, given)) is not None:  # type: ignore[arg-type]
            return found
        if op.compares and len(given) == 2:
            return _compared(op, numbers[0], numbers[1], places, loc)
        if (place := _moved_place(op, given, places)) is not None:  # type: ignore[arg-type]
            return Number(place=place)
    if op.evaluate in (bool, operator.not_) and len(numbers) == 1:
        return _of_truth(op, numbers[0], loc)
    return Number(united([used(number, loc) for number in numbers], loc))


def _of_truth(op: OpDef, number: Number, loc: Loc) -> Number:
    turns = op.evaluate is operator.not_
    truth = number.truth if number.truth is None else number.truth != turns
    beyond = number.beyond[::-1] if turns else number.beyond
    return Number(used(number, loc), truth=truth, beyond=beyond)


def _exactly(op: OpDef, places: Sequence[Place]) -> Number | None:
    """What known ints give."""
    numbers = [place.number for place in places]
    if op.evaluate is None or any(number is None for number in numbers):
        return None
    try:
        return constant(op.evaluate(*numbers))
    except ArithmeticError:
        return None


def _moved_place(op: OpDef, given: Sequence[Place], places: Places) -> Place | None:
    one = given[0]
    if len(given) == 1:
        return one if op.evaluate in (int, operator.pos) else None
    rules: dict[object, Callable[[Place, Place], Place | None]] = {
        operator.add: plus,
        operator.sub: minus,
        max: places.most,
        min: places.least,
        operator.mod: places.remainder,
    }
    if op.evaluate is operator.mul:
        constants = [place.number for place in given]
        other = given[1] if constants[0] is not None else one
        factor = constants[0] if constants[0] is not None else constants[1]
        return None if factor is None else times(other, factor)
    rule = rules.get(op.evaluate)
    return rule(*given) if rule and len(given) == 2 else None


_STRICT = {operator.gt: 1, operator.le: 1, operator.ge: 0, operator.lt: 0, operator.eq: 1, operator.ne: 1}
_HOLDS_LATER = (operator.gt, operator.ge)
_MIRRORED: dict[Any, Any] = {
    operator.gt: operator.lt,
    operator.lt: operator.gt,
    operator.ge: operator.le,
    operator.le: operator.ge,
}


def _compared(op: OpDef, one: Number, other: Number, places: Places, loc: Loc) -> Number:
    """A comparison of two places: true from some place on, or up to one."""
    test, left, right = op.evaluate, one.place, other.place
    assert left is not None
    assert right is not None
    if not isinstance(left.base, Value):
        test, left, right = _MIRRORED.get(test, test), right, left
    if isinstance(left.base, Value) and left.is_plain and right.is_plain and right.base in (None, END):
        return _index_compared(left.base, test, left.low, right, loc)
    difference = minus(one.place, other.place)
    truths = set() if difference is None else _truths(op, difference, places)
    if len(truths) == 1:
        return Number(truth=truths.pop())
    return Number(united([used(one, loc), used(other, loc)], loc))


def _truths(op: OpDef, difference: Place, places: Places) -> set[bool]:
    """What the comparison with zero of a difference may be."""
    assert op.evaluate is not None
    if difference.base is None:
        ends = {difference.low, difference.high, min(max(0, difference.low), difference.high)}
        if difference.high - difference.low > 1:
            ends |= {difference.low + 1, difference.high - 1}
        return {bool(op.evaluate(end, 0)) for end in ends}
    if difference.base == END and difference.is_plain:  # n is large
        places.asks(1 - difference.low)
        return {bool(op.evaluate(1, 0))}
    return set()


def _index_compared(index: Value, test: Any, offset: int, with_: Place, loc: Loc) -> Number:
    """``index + offset`` compared with a constant, or with a place from the end."""
    if test not in _STRICT:
        return Number(Everywhere("it computes with the place along the axis", loc))
    if with_.base is None:
        turn = with_.low - offset + _STRICT[test]
        relation = Along(index, left=max(turn, 0))
        later, sooner = (index, turn), None
        if test in (operator.eq, operator.ne):
            return Number(relation)
        return Number(relation, beyond=(later, sooner) if test in _HOLDS_LATER else (sooner, later))
    turn = offset - with_.low - _STRICT[test] + (test in (operator.eq, operator.ne))
    return Number(Along(index, right=max(turn, 0)))


def relation_of(
    node: Node, op: OpDef, relations: Sequence[Relation], shape: tuple[Place | None, ...], places: Places
) -> Relation:
    """The relation of what a node computes of arrays, in `shape`; `relations` are those of its operands."""
    loc = node.loc
    if op.kind in BY_ELEMENT:
        return _by_element(node, relations, len(shape), loc)
    if op.kind == REDUCTION:
        return _reduced(node, relations[0], places, loc)
    if op.kind == PRODUCT:
        return _product(node, relations, places, loc)
    if op.kind == ROUTINE:
        return _along_last_axes(op, node, relations, places, loc)
    if op.kind == CREATION:
        return _created(op, node, relations, shape, loc)
    long = any(size is None or size.is_long for size in shape)
    for operand in node.operands:
        long = long or any(is_long_axis(operand, axis, places) for axis in range(rank(operand)))
    if not long and all(isinstance(one, Uniform) for one in relations):
        return UNIFORM
    return Everywhere(f"`{loc.source or op.name}` may look at any place of the axis", loc)


def rank(operand: object) -> int:
    """The number of axes."""
    type_ = getattr(operand, "type", None)
    return type_.ndim if isinstance(type_, Array) else 0


def _by_element(node: Node, relations: Sequence[Relation], ndim: int, loc: Loc) -> Relation:
    aligned = []
    for operand, relation in zip(node.operands, relations, strict=True):
        new = ndim - rank(operand)
        aligned.append(moved(relation, [k + new for k in range(rank(operand))], loc))
    return united(aligned, loc)


def is_long_axis(operand: object, axis: int, places: Places) -> bool:
    """Whether an axis of an operand goes along the axis that is cut, or may do so."""
    if not isinstance(operand, Value) or not isinstance(operand.type, Array):
        return False
    size = places.of(operand.type.shape[axis])
    if size is not None and size.base == END:
        places.asks(1 - size.low)  # of nothing, many functions raise
    return size is None or size.is_long


def _reduced(node: Node, relation: Relation, places: Places, loc: Loc) -> Relation:
    """The relation of a reduction."""
    ndim, axis = rank(node.operands[0]), node.attrs.get("axis")
    gone = set(range(ndim)) if axis is None else {int(k) % ndim for k in axis}
    if any(is_long_axis(node.operands[0], k, places) for k in gone):
        return Everywhere("it joins all elements along the axis", loc)
    if node.attrs.get("keepdims"):
        return relation
    left = [k for k in range(ndim) if k not in gone]
    return moved(relation, [left.index(k) if k in left else None for k in range(ndim)], loc)


def _product(node: Node, relations: Sequence[Relation], places: Places, loc: Loc) -> Relation:
    first, second = node.operands
    one, other = rank(first), rank(second)
    if is_long_axis(first, one - 1, places) or is_long_axis(second, max(other - 2, 0), places):
        return Everywhere("it adds up products along the axis", loc)
    stack = max(one, other, 2) - 2
    rows, columns = one > 1, other > 1
    axes_one: list[int | None] = [k + stack - (one - 2) for k in range(max(one - 2, 0))]
    axes_one += [stack, None] if rows else [None]
    axes_other: list[int | None] = [k + stack - (other - 2) for k in range(max(other - 2, 0))]
    axes_other += [None, stack + rows] if columns else [None]
    return united([moved(relations[0], axes_one, loc), moved(relations[1], axes_other, loc)], loc)


def _along_last_axes(
    op: OpDef, node: Node, relations: Sequence[Relation], places: Places, loc: Loc
) -> Relation:
    """Orders along the last axis; systems of equations of the last two."""
    axes = 1 if op.module == "sorting" else 2
    for operand in node.operands:
        last = range(max(rank(operand) - axes, 0), rank(operand))
        if any(is_long_axis(operand, k, places) for k in last):
            return Everywhere("it orders elements along the axis, or solves equations with it", loc)
    if len(node.operands) == 1 or all(isinstance(one, Uniform) for one in relations):
        return relations[0]
    return Everywhere("it solves several systems of equations along the axis", loc)


def _created(
    op: OpDef, node: Node, relations: Sequence[Relation], shape: tuple[Place | None, ...], loc: Loc
) -> Relation:
    """Arrays of one value are the same everywhere; others are numbered."""
    if is_copy(node):
        return relations[0]
    if op.work == MEMORY_ONLY:
        sizes = of_sizes(node, op)
        values = [k for k, operand in enumerate(node.operands) if not rank(operand) and k not in sizes]
        return united([relations[k] for k in values], loc)
    if any(place is None or place.is_long for place in shape):
        return Everywhere("its elements are numbered along the axis", loc)
    return united(relations, loc)


def of_sizes(node: Node, op: OpDef) -> set[int]:
    """The operands of a node that makes an array which only say how large it is."""
    if op.kind != CREATION or op.work != MEMORY_ONLY or not isinstance(node.results[0].type, Array):
        return set()
    numbers = [k for k, operand in enumerate(node.operands) if not rank(operand)]
    if op.evaluate is np.full:
        return set() if node.attrs.get("like") else set(numbers[1:])
    return set(numbers)


def in_other_shape(node: Node, relation: Relation, places: Places, loc: Loc) -> Relation:
    """The relation of a `reshape`: axes that are long stay, if what stands before them does."""
    source, target = node.operands[0].type, node.results[0].type
    assert isinstance(source, Array)
    assert isinstance(target, Array)
    axes = [axis for axis in range(len(source.shape)) if is_long_axis(node.operands[0], axis, places)]
    if isinstance(relation, Along) and isinstance(relation.axis, int):
        axes = [*axes, relation.axis]
    found = {axis: _same_axis(source, axis, target) for axis in axes}
    if None in found.values():
        return Everywhere("it puts the axis together with another one", loc)
    if isinstance(relation, Along) and isinstance(relation.axis, int):
        stands = found[relation.axis]
        assert stands is not None
        return replace(relation, axis=stands)
    return relation


def _same_axis(source: Array, axis: int, target: Array) -> int | None:
    """Where an axis stands in another shape of the same elements; None if it isn't there."""
    before = dims.product(source.shape[:axis])
    for k, size in enumerate(target.shape):
        if size == source.shape[axis] and dims.product(target.shape[:k]) == before:
            return k
    return None
