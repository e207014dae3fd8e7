"""Methods of lists of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.ir import dims
from ...graph.ir.types import FLOAT, INT, Scalar
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_functions import call as numpy_call
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import Symbol, as_dim, size_symbol
from ...graph.trace.build import current
from ..array_lists import ArrayList, GrowingArrays
from ..callers_lists import AppendedList
from ..either_items import EitherItems, is_of_numpys
from ..growing_lists import GrowingList
from ..growing_rows import GrowingRows, as_array
from ..number_lists import NumberList, ScalarItems, as_numpy, refuse
from ..texts import CodePoints
from ..tracer import Reference, relied_on, tracer
from .callers_lists import changes
from .control import if_stmt
from .exits import STATELESS, fail, nothing
from .growing import append, grow_from
from .iterables import sequence_of
from .list_changes import clear, count_of, delete, index_of, insert, pop_at, remove, reverse
from .list_order import sort


def list_method(owner: NumberList, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``owner.name(*args)``; where a list was not known to grow, the trace starts again."""
    tracer().check_no_sorting(owner)
    if not hasattr(owner.python_type, name):
        refuse(f"the method '{name}', which a {owner.python_type.__name__} hasn't,")
    if isinstance(owner, CodePoints) and not kwargs:
        return owner.method(name, args)
    if isinstance(owner, AppendedList) and name not in ("append", "extend"):
        owner.look()
    if name == "sort" and not args and kwargs.keys() <= {"key", "reverse"}:
        return sort(owner, kwargs.get("key"), _truth(kwargs.get("reverse", False)))
    if kwargs:
        refuse(f"the method '{name}' of a list, with keywords")
    if (name, len(args)) in _AS_IT_IS:
        return _AS_IT_IS[name, len(args)](owner, *args)
    if (name, len(args)) not in _GROWING:
        refuse(f"the method '{name}' of a list")
    return _GROWING[name, len(args)](as_growing(owner, name, *args), *args)


def _truth(reverse: object) -> bool:
    if type(reverse) is not bool:
        refuse("an order that is known only at run time")
    return reverse


def _copy(owner: NumberList) -> NumberList:
    return owner.copy()


def _pop(owner: GrowingList, index: object = -1) -> object:
    """``owner.pop(index)``."""
    if_stmt(binary("eq", owner.filled, 0), _none_left, nothing, *STATELESS)
    return owner.pop() if type(index) is int and index == -1 else pop_at(owner, index)


def as_growing(owner: NumberList, method: str, *args: object) -> GrowingList:
    """The list, of which a method is called; where it was not known to grow, the trace starts again."""
    if isinstance(owner, AppendedList):
        return owner.new
    if not isinstance(owner, GrowingList):
        if owner.tag is None:
            changes(owner.path, owner.given, method, *args)
        items = args[-1:] if method in ("append", "insert") else ()
        if owner.array.ndim == 1:
            grow_from(owner.site, owner.item(0), *items)
        refuse("a list that grows here")
    return owner


def extend(target: NumberList, items: object) -> None:
    """``target.extend(items)``: one after the other."""
    owner = as_growing(target, "extend", items)
    if items is target:
        refuse("a list that is extended by itself")

    def each(item: object) -> None:
        append(owner, item)

    if isinstance(items, (list, tuple)):
        for item in items:
            each(item)
    elif (sequence := sequence_of(items)) is not None:
        tracer().operators.go_through(sequence, each, *STATELESS)
    else:
        refuse("a list that is extended by something else than a list or array")


_AS_IT_IS: dict[tuple[str, int], Callable[..., object]] = {
    ("copy", 0): _copy,
    ("extend", 1): extend,
    ("index", 1): index_of,
    ("count", 1): count_of,
    ("reverse", 0): reverse,
}
"""Methods of all lists of numbers, by their names and how many arguments they get."""
_GROWING: dict[tuple[str, int], Callable[..., object]] = {
    ("append", 1): append,
    ("pop", 0): _pop,
    ("pop", 1): _pop,
    ("insert", 2): insert,
    ("remove", 1): remove,
    ("clear", 0): clear,
}
"""Those after which a list has another length."""


def delete_item(owner: NumberList, index: object) -> None:
    """``del owner[index]``."""
    if isinstance(owner, AppendedList):
        owner.look()
    delete(as_growing(owner, "__delitem__", index), index)


def _none_left() -> None:
    fail(IndexError("pop from empty list"))


_CONVERTED = {"b": "biufc", "i": (np.int64, np.float64, np.complex128), "f": "fc", "c": "c"}
"""By kind of the items: the dtypes to which NumPy converts Python's numbers as it does its own."""


def list_as_numpy(value: NumberList, dtype: object = None) -> SymbolicArray:
    """What NumPy makes of a list, of this dtype; of an empty one it makes an array of floats, in one row."""
    mixed = _flags_of_ints(value)
    if dtype is not None and not isinstance(value, (ArrayList, GrowingArrays, ScalarItems)):
        if isinstance(dtype, Symbol) and not isinstance(dtype, Reference):
            refuse("a dtype that is known only at run time")
        wanted = np.dtype(relied_on(dtype))
        for kind in _kinds_in(value, mixed is not None):
            if (wanted if kind == INT else wanted.kind) not in _CONVERTED[kind.dtype.kind]:
                refuse("numbers of a list that NumPy may refuse to convert")
    elif mixed is not None:
        if_stmt(numpy_call(np.any, (mixed,), {}), nothing, _nothing_known, *STATELESS)
    rows = isinstance(value, GrowingRows) and value.form.container is not None
    rows = rows or isinstance(value, (ArrayList, GrowingArrays))
    found = as_array(value) if isinstance(value, GrowingRows) else as_numpy(value)
    lengths = [value.length(), *map(size_symbol, () if rows else found.shape_sizes[1:])]
    for length in lengths if rows or found.dtype != np.float64 else lengths[:-1]:
        _needs_items(length)
    return found


def _kinds_in(value: NumberList, is_mixed: bool) -> tuple[Scalar, ...]:
    """The types of the items, or of the numbers in them."""
    if isinstance(value, GrowingRows):
        return value.form.kinds
    return (FLOAT if is_mixed else value.kind,)


def _flags_of_ints(value: NumberList) -> SymbolicArray | None:
    """Of a list of ints and floats: where the floats are, without which NumPy makes an array of ints."""
    if isinstance(value, EitherItems):
        return None if is_of_numpys(value.pair) else value.flags()
    pairs = value.form.pairs() if isinstance(value, GrowingRows) else {}
    mixed = [k for k, pair in pairs.items() if not is_of_numpys(pair)]
    if not mixed or not isinstance(value, GrowingRows):
        return None
    if value.form.container is not None:
        refuse("what NumPy makes of rows of ints and floats")
    return value.flags()[0]


def _needs_items(length: object) -> None:
    """Start again if there are none: what these would be says how many axes there are, and the dtype."""
    known = as_dim(length)
    if known is None or not current().is_natural(dims.sub(known, 1)):
        if_stmt(binary("eq", length, 0), _nothing_known, nothing, *STATELESS)


def _nothing_known() -> None:
    fail(ValueError("NumPy doesn't know what an empty list was to hold"))
