"""Methods of lists of numbers that search, sort, or change what stands in the middle.

What they move they move in loops of the graph, item by item, as Python moves its references.
"""

from __future__ import annotations

from collections.abc import Callable

from ...graph.ir.types import BOOL, INT
from ...graph.symbolic.elements import load_at, store_at
from ...graph.symbolic.indexing import as_place
from ...graph.symbolic.operators import binary
from ...graph.symbolic.scalar_methods import convert
from ...graph.symbolic.symbols import SymbolicScalar
from ..array_lists import GrowingArrays
from ..growing_lists import GrowingList
from ..number_lists import NumberList, copied, is_index, kind_of_number, refuse
from .control import if_exp, if_stmt
from .exits import STATELESS, Break, fail, nothing
from .folds import NAN, require
from .growing import append
from .iterables import SymbolicRange
from .loops import go_through


def pop_at(owner: GrowingList, index: object) -> object:
    """``list.pop(index)``."""
    _needs_columns(owner)
    place = place_of(index, owner.filled, IndexError("pop index out of range"))
    found = owner.item(place)
    _close_gap(owner, place, 1)
    return found


def delete(owner: GrowingList, index: object) -> None:
    """``del list[index]``, of an item or a slice."""
    _needs_columns(owner)
    if not isinstance(index, slice):
        outside = IndexError("list assignment index out of range")
        _close_gap(owner, place_of(index, owner.filled, outside), 1)
        return
    if index.step not in (None, 1):
        refuse("items deleted with a step")
    start = 0 if index.start is None else _clamped(index.start, owner.filled)
    stop = owner.filled if index.stop is None else _clamped(index.stop, owner.filled)
    width = binary("sub", stop, start)
    _close_gap(owner, start, if_exp(binary("lt", width, 0), lambda: 0, lambda: width))


def insert(owner: GrowingList, index: object, item: object) -> None:
    """``list.insert(index, item)``."""
    _needs_columns(owner)
    append(owner, item)
    last = binary("sub", owner.filled, 1)
    place = _clamped(index, last)
    buffers = owner.state[:-1]
    new = [load_at(buffer, last) for buffer in buffers]

    def move_down(k: object) -> None:
        for buffer in buffers:
            store_at(buffer, k, load_at(buffer, binary("sub", k, 1)))

    go_through(SymbolicRange(last, place, -1), move_down, *STATELESS)
    for buffer, number in zip(buffers, new, strict=True):
        store_at(buffer, place, number)


def clear(owner: GrowingList) -> None:
    """``list.clear()``."""
    owner.changes()
    owner.state = (*owner.state[:-1], 0)


def remove(owner: GrowingList, item: object) -> None:
    """``list.remove(item)``: the first that is equal."""
    _needs_columns(owner)
    place = _first(owner, item)
    missing = binary("eq", place, owner.filled)
    if_stmt(missing, lambda: fail(ValueError("list.remove(x): x not in list")), nothing, *STATELESS)
    _close_gap(owner, place, 1)


def index_of(owner: NumberList, item: object) -> object:
    """``list.index(item)``. Where there is none, the plain function says so in its own words."""
    place = _first(owner, item)
    missing = binary("eq", place, owner.length())
    if_stmt(missing, lambda: fail(ValueError("the item is not in list")), nothing, *STATELESS)
    return place


def count_of(owner: NumberList, item: object) -> object:
    """``list.count(item)``."""
    return _search(owner, item, 0, lambda _, count: binary("add", count, 1), "count")


def reverse(owner: NumberList) -> None:
    """``list.reverse()``."""
    _needs_numbers(owner)
    array = owner.array
    array[...] = copied(array[::-1])


def _first(owner: NumberList, item: object) -> object:
    """Where the first item that is equal stands; the length if there is none."""

    def found(place: object, _: object) -> object:
        return place

    return _search(owner, item, owner.length(), found, "place", once=True)


def _search(
    owner: NumberList,
    item: object,
    start: object,
    join: Callable[[object, object], object],
    name: str,
    once: bool = False,
) -> object:
    """What `join` makes of the places of equal items, from `start` on."""
    _needs_numbers(owner)
    if kind_of_number(item) != owner.kind:
        refuse("a search for a number of another kind than the items")
    if owner.kind.dtype.kind in "fc":
        require(binary("eq", item, item), NAN)
    box, array = [start], owner.array

    def get() -> tuple[object, ...]:
        return (box[0],)

    def put(values: tuple[object, ...]) -> None:
        box[0] = values[0]

    def take(place: object) -> None:
        box[0] = join(place, box[0])
        if once:
            raise Break()

    def look(place: object) -> None:
        equal = convert(binary("eq", array[place], item), BOOL)
        if_stmt(equal, lambda: take(place), nothing, get, put, (name,))

    go_through(SymbolicRange(0, owner.length()), look, get, put, (name,))
    return box[0]


def _has_numbers(owner: NumberList) -> bool:
    return type(owner) in (NumberList, GrowingList) and owner.array.ndim == 1


def _needs_numbers(owner: NumberList) -> None:
    if not _has_numbers(owner):
        refuse("this method of a list")


def _needs_columns(owner: GrowingList) -> None:
    if isinstance(owner, GrowingArrays):
        refuse("a list of arrays that changes in its middle")
    owner.changes()


def _as_int(index: object) -> object:
    index = as_place(index)
    if not is_index(index):
        refuse("an index that is no int")
    return convert(index, INT) if isinstance(index, SymbolicScalar) else index


def place_of(index: object, count: object, error: IndexError) -> object:
    """Where an index of so many items points to; the error if there is nothing."""
    place = _from_the_start(_as_int(index), count)
    for wrong in (binary("lt", place, 0), binary("ge", place, count)):
        if_stmt(wrong, lambda: fail(error), nothing, *STATELESS)
    return place


def _from_the_start(index: object, count: object) -> object:
    if isinstance(index, int):
        return binary("add", count, index) if index < 0 else index
    return if_exp(binary("lt", index, 0), lambda: binary("add", index, count), lambda: index)


def _clamped(index: object, count: object) -> object:
    """Where a bound of a slice is."""
    place = _from_the_start(_as_int(index), count)
    place = if_exp(binary("lt", place, 0), lambda: 0, lambda: place)
    return if_exp(binary("gt", place, count), lambda: count, lambda: place)


def _close_gap(owner: GrowingList, place: object, width: object) -> None:
    """Take out so many items from `place` on."""
    *buffers, count = owner.state
    left = binary("sub", count, width)

    def move_up(k: object) -> None:
        for buffer in buffers:
            store_at(buffer, k, load_at(buffer, binary("add", k, width)))

    go_through(SymbolicRange(place, left), move_up, *STATELESS)
    owner.state = (*buffers, left)
