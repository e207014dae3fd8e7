"""Heaps of numbers and of tuples of numbers: `heapq` on lists that grow, item by item as it does.

Items go where Python's own functions put them, so that the list is the same at each point.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Any

from ...graph.symbolic.elements import load_at, store_at
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import SymbolicObject
from ..array_lists import GrowingArrays
from ..callers_lists import AppendedList
from ..growing_lists import GrowingList
from ..growing_rows import GrowingRows
from ..number_lists import NumberList, refuse
from ..tracer import TracedList, tracer
from .callers_lists import changes, changes_of_object
from .control import all_true, any_true, if_exp, if_stmt
from .exits import STATELESS, fail, nothing
from .folds import NAN, less, require
from .growing import append, grow_from
from .iterables import SymbolicRange
from .list_methods import as_growing
from .loops import while_stmt

Numbers = tuple[Any, ...]
"""Those of one item."""


def _push(heap: object, item: object) -> object:
    """``heappush(heap, item)``."""
    if (owner := _growing(heap, (item,))) is None:
        return NotImplemented
    append(owner, item)
    place = binary("sub", owner.filled, 1)
    numbers = _at(owner, place)
    _check_order(owner, numbers)
    _settle_up(owner, numbers, 0, place)
    return None


def _pop(heap: object) -> object:
    """``heappop(heap)``."""
    if (owner := _growing(heap, ())) is None:
        return NotImplemented
    is_empty = binary("eq", owner.filled, 0)
    if_stmt(is_empty, lambda: fail(IndexError("index out of range")), nothing, *STATELESS)
    first = owner.item(0)
    last = binary("sub", owner.filled, 1)
    numbers = _at(owner, last)
    _check_order(owner, numbers)
    owner.changes()
    owner.state = (*owner.state[:-1], last)
    if_stmt(binary("gt", last, 0), lambda: _settle_down(owner, numbers, 0), nothing, *STATELESS)
    return first


def _heapify(heap: object) -> object:
    """``heapify(heap)``."""
    if (owner := _growing(heap, ())) is None:
        return NotImplemented
    owner.changes()

    def check(place: object) -> None:
        _check_order(owner, _at(owner, place))

    def settle(place: object) -> None:
        _settle_down(owner, _at(owner, place), place)

    go_through = tracer().operators.go_through
    go_through(SymbolicRange(0, owner.filled), check, *STATELESS)
    half = binary("floordiv", owner.filled, 2)
    go_through(SymbolicRange(binary("sub", half, 1), -1, -1), settle, *STATELESS)
    return None


HEAPS: dict[Any, Callable[..., object]] = {
    heapq.heappush: _push,
    heapq.heappop: _pop,
    heapq.heapify: _heapify,
}


def _growing(heap: object, more: Sequence[object]) -> GrowingList | None:
    """The list, which is known to grow; where it was not, but can be, the trace starts again."""
    if isinstance(heap, TracedList):
        changes(heap.path, heap.given, "append", *more)
        grow_from(heap.site, *heap, *more)
        return None
    if isinstance(heap, SymbolicObject):
        display = tracer().displays.get(heap.operand())
        if display is not None and display[0][0] == "list" and tracer().takes_lists():
            grow_from(display[0], *display[1], *more)
        changes_of_object(heap.operand(), "append", more)
        return None
    if not isinstance(heap, NumberList):
        return None
    if isinstance(heap, AppendedList):
        heap.look()
    owner = as_growing(heap, "append", *more)
    rows = isinstance(owner, GrowingRows) and (owner.form.either or owner.form.container is list)
    if rows or isinstance(owner, GrowingArrays) or any(b.dtype.kind == "c" for b in owner.state[:-1]):
        refuse("a heap of these items")
    return owner


def _at(owner: GrowingList, place: object) -> Numbers:
    return tuple(load_at(buffer, place) for buffer in owner.state[:-1])


def _put(owner: GrowingList, place: object, numbers: Numbers) -> None:
    for buffer, number in zip(owner.state[:-1], numbers, strict=True):
        store_at(buffer, place, number)


def _check_order(owner: GrowingList, numbers: Numbers) -> None:
    """With NaN in both, which tuple is less hangs on whether it is the same object."""
    for buffer, number in zip(owner.state[:-1], numbers, strict=True):
        if buffer.dtype.kind == "f" and len(numbers) > 1:
            require(binary("eq", number, number), NAN)


def _settle_up(owner: GrowingList, numbers: Numbers, top: object, place: object) -> None:
    """Put an item where none above it is greater, from a place that is free (`heapq._siftdown`)."""
    box: list[Any] = [place]

    def above() -> object:
        return binary("rshift", binary("sub", box[0], 1), 1)

    def test() -> object:
        return all_true(lambda: binary("gt", box[0], top), lambda: less(numbers, _at(owner, above())))

    def body() -> None:
        parent = above()
        _put(owner, box[0], _at(owner, parent))
        box[0] = parent

    while_stmt(test, body, lambda: (box[0],), lambda values: box.__setitem__(0, values[0]), ("place",))
    _put(owner, box[0], numbers)


def _settle_down(owner: GrowingList, numbers: Numbers, top: object) -> None:
    """Put an item where none below it is less, from a place that is free (`heapq._siftup`)."""
    box: list[Any] = [top]

    def child() -> object:
        return binary("add", binary("mul", box[0], 2), 1)

    def body() -> None:
        left = child()
        right = binary("add", left, 1)
        is_left = any_true(lambda: binary("ge", right, owner.filled), lambda: _is_before(owner, left, right))
        lesser = if_exp(is_left, lambda: left, lambda: right)
        _put(owner, box[0], _at(owner, lesser))
        box[0] = lesser

    while_stmt(
        lambda: binary("lt", child(), owner.filled),
        body,
        lambda: (box[0],),
        lambda values: box.__setitem__(0, values[0]),
        ("place",),
    )
    _settle_up(owner, numbers, top, box[0])


def _is_before(owner: GrowingList, left: object, right: object) -> object:
    numbers = _at(owner, left)
    _check_order(owner, numbers)
    return less(numbers, _at(owner, right))
