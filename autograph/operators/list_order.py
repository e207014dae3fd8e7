"""`sorted` and `list.sort`: numbers, tuples of numbers and what has a key of such, in order.

Items that are equal stay in the order that they had, as Python's sort is stable. What has several columns is
ordered by the last one first, then by those before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...graph.ir.nodes import Block, Operand, Value, walk
from ...graph.ir.types import INT, Array
from ...graph.symbolic.arith import operand
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_functions import call as numpy_call
from ...graph.symbolic.operators import binary
from ...graph.symbolic.scalar_methods import convert
from ...graph.trace.build import current
from ..either_items import EitherItems
from ..growing_lists import GrowingList
from ..growing_rows import GrowingRows, rows_of
from ..number_lists import NumberList, TupleRows, copied, refuse
from ..tracer import tracer
from .containers import collected
from .control import if_stmt
from .exits import STATELESS, nothing
from .folds import NAN, require
from .iterables import ListItems, Sequence
from .loops import go_through


def sort(owner: NumberList, key: object, descending: bool) -> None:
    """``list.sort(key=key, reverse=descending)``."""
    if key is None and _has_numbers(owner):
        owner.array[...] = _numbers_in_order(owner.array, descending)
        return
    if not _may_be_sorted(owner):  # a row that is read from others' memory, a tuple
        refuse("a list of these items in order")
    if isinstance(owner, TupleRows) or (owner.path is not None and isinstance(owner, GrowingRows)):
        refuse("tuples of the caller's that change places")  # they stay the same objects
    if isinstance(owner, EitherItems) and owner.is_callers:
        refuse("a list of ints and floats of the caller's in order")
    if key is not None and owner.merged:
        refuse("a list in the order of keys, which another variable may be")
    order = _order(owner, None, descending) if key is None else _by_key(owner, key, descending)
    for held in _held(owner):
        held[...] = copied(held[order])


def in_order(items: NumberList | Sequence, key: object, descending: bool) -> NumberList | None:
    """``sorted(items, key=key, reverse=descending)``; None where Python has to do it."""
    owner = items if isinstance(items, NumberList) else collected(items, lambda item: item, None)
    if not isinstance(owner, NumberList) or not _may_be_sorted(owner):
        return None
    if key is None and _has_numbers(owner):
        return NumberList(_numbers_in_order(owner.array, descending))
    owner = owner if key is None else _as_it_is(owner)
    order = _order(owner, key, descending)
    if isinstance(owner, GrowingRows):
        return rows_of(owner.form, [column[order] for column in owner.columns()])
    (held,) = _held(owner)
    if isinstance(owner, EitherItems):
        return owner.copy_of(held[order])
    kinds: dict[str, Any] = {"kinds": owner.kinds} if isinstance(owner, TupleRows) else {}
    kind: Any = NumberList if isinstance(owner, GrowingList) else type(owner)
    found: NumberList = kind(copied(held[order]), **kinds)
    return found


def _by_key(owner: NumberList, key: object, descending: bool) -> SymbolicArray:
    """The order of a list by a key, for which Python has emptied the list: nothing may look at it."""
    held = _arrays(map(operand, _state(owner)))
    before, sorting = _as_it_is(owner), tracer().sorting
    nodes = current().blocks[-1]
    count, names = len(nodes), len(current().names)
    sorting.append(owner)
    try:
        order = _order(before, key, descending)
    finally:
        sorting.pop()
    if nodes is not current().blocks[-1]:
        refuse("a list that is looked at while it is sorted")
    asked = _arrays(one for node in walk(Block((), tuple(nodes[count:]))) for one in node.operands)
    tracer().keyed.append((asked - current().given_since(names), held))
    return order


def _arrays(operands: Iterable[Operand]) -> frozenset[str]:
    return frozenset(one.name for one in operands if isinstance(one, Value) and isinstance(one.type, Array))


def _state(owner: NumberList) -> tuple[Any, ...]:
    """What a list is made of."""
    return owner.state if isinstance(owner, GrowingList) else (_held(owner)[0],)


def _as_it_is(owner: NumberList) -> NumberList:
    """The list as it is before its keys are asked for."""
    return owner if isinstance(owner, TupleRows) else owner.copy()


def _has_numbers(owner: NumberList) -> bool:
    """Whether it has numbers of one type that have an order."""
    plain = type(owner) in (NumberList, GrowingList)
    return plain and owner.array.ndim == 1 and owner.array.dtype.kind in "if"


def _may_be_sorted(owner: NumberList) -> bool:
    if isinstance(owner, GrowingRows):
        return owner.form.container is not list
    if isinstance(owner, EitherItems):
        return not owner.has_rows
    return type(owner) is TupleRows or (type(owner) in (NumberList, GrowingList) and owner.array.ndim == 1)


def _held(owner: NumberList) -> list[SymbolicArray]:
    """The arrays whose items at one place are the item that stands there."""
    if isinstance(owner, GrowingRows):
        return owner.columns()
    return [owner.pairs if isinstance(owner, EitherItems) else owner.array]


def _columns(owner: NumberList) -> list[SymbolicArray]:
    """The numbers by which items are compared, those that decide first before the others."""
    if isinstance(owner, GrowingRows):
        found = owner.columns()[: len(owner.form.kinds)]
    elif isinstance(owner, EitherItems):
        found = [owner.numbers()]
    elif isinstance(owner, TupleRows):
        width = owner.array.shape_sizes[1]
        assert isinstance(width, int)
        found = [owner.array[:, k] for k in range(width)]
    else:
        found = [owner.array]
    if any(column.dtype.kind not in "bif" for column in found):
        refuse("a list of these items in order")
    return found


def _order(owner: NumberList, key: object, descending: bool) -> SymbolicArray:
    """Which item stands at each place afterwards."""
    if not _may_be_sorted(owner):
        refuse("a list of these items in order")
    keys: Any = owner
    if key is not None:
        call = tracer().operators.call
        keys = collected(ListItems(owner), lambda item: call(key, item), None)
        if not isinstance(keys, NumberList) or not _may_be_sorted(keys):
            refuse("a list in the order of these keys")
    columns = _columns(keys)
    for column in columns:
        if column.dtype.kind == "f":
            is_nan = numpy_call(np.any, (numpy_call(np.isnan, (column,), {}),), {})
            if_stmt(is_nan, lambda: require(False, NAN), nothing, *STATELESS)
    if not descending:
        return _stable_order(columns)
    backwards = _stable_order([column[::-1] for column in columns])
    last = binary("sub", owner.length(), 1)
    found: SymbolicArray = copied((last - backwards)[::-1])
    return found


def _stable_order(columns: list[SymbolicArray]) -> SymbolicArray:
    order: SymbolicArray | None = None
    for column in reversed(columns):
        by_column = column if order is None else column[order]
        found = tracer().operators.call(np.argsort, by_column, kind="stable")
        order = found if order is None else order[found]
    assert order is not None
    return order


def _numbers_in_order(array: SymbolicArray, descending: bool) -> SymbolicArray:
    """The numbers in order; of equal ones, zeros of both signs, the first stays the first."""
    items = array[::-1] if descending else array
    found: SymbolicArray = tracer().operators.call(np.sort, items)
    if array.dtype.kind == "f":
        _zeros_in_order(items, found)
    return copied(found[::-1]) if descending else found


def _zeros_in_order(items: SymbolicArray, found: SymbolicArray) -> None:
    """Zeros of both signs are equal: give them the order that they had. With NaN no order is known."""
    last = binary("sub", items.length(), 1)
    box: list[Any] = [tracer().operators.call(np.searchsorted, found, 0.0)]
    box[0] = convert(box[0], INT)

    def place_it(item: object) -> None:
        found[box[0]] = item
        box[0] = binary("add", box[0], 1)

    def put(values: tuple[object, ...]) -> None:
        box[0] = values[0]

    def get() -> tuple[object, ...]:
        return (box[0],)

    def look(item: object) -> None:
        is_zero = binary("eq", item, 0.0)
        if_stmt(is_zero, lambda: place_it(item), nothing, get, put, ("zero",))

    def check() -> None:
        require(binary("eq", found[last], found[last]), NAN)  # NaN is what comes last

    if_stmt(binary("ge", last, 0), check, nothing, *STATELESS)
    go_through(items, look, get, put, ("zero",))
