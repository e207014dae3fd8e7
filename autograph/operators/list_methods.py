"""Methods of lists of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.ir import dims
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import as_dim
from ...graph.trace.build import current
from ..array_lists import ArrayList, GrowingArrays
from ..growing_lists import GrowingList
from ..growing_rows import GrowingRows, as_array
from ..number_lists import NumberList, as_numpy, refuse
from ..tracer import tracer
from .control import if_stmt
from .exits import STATELESS, fail, nothing
from .growing import append, grow_from
from .iterables import sequence_of


def list_method(owner: NumberList, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``owner.name(*args)``; where a list was not known to grow, the trace starts again."""
    first = name == "pop" and len(args) == 1 and type(args[0]) is int and args[0] in (0, -1)
    known = (("append", 1), ("extend", 1), ("pop", 0), ("copy", 0))
    if kwargs or not (first or (name, len(args)) in known):
        refuse(f"the method '{name}' of a list")
    if name == "copy":
        return owner.copy()
    if name == "extend":
        return extend(owner, args[0])
    owner = _as_growing(owner, *(args if name == "append" else ()))
    if name == "append":
        return append(owner, args[0])
    if_stmt(binary("eq", owner.count, 0), _none_left, nothing, *STATELESS)
    return owner.pop(*args)


def _as_growing(owner: NumberList, *items: object) -> GrowingList:
    """The list, which may get these items here; where it was not known to grow, the trace starts again."""
    if not isinstance(owner, GrowingList):
        if owner.array.ndim == 1:
            grow_from(owner.site, owner.item(0), *items)
        refuse("a list that grows here")
    return owner


def extend(target: NumberList, items: object) -> None:
    """``target.extend(items)``: one after the other."""
    owner = _as_growing(target)
    if items is owner:
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


def _none_left() -> None:
    fail(IndexError("pop from empty list"))


def list_as_numpy(value: NumberList) -> SymbolicArray:
    """What NumPy makes of a list; of an empty one it makes an array of floats, in one row."""
    rows = isinstance(value, GrowingRows) and value.form.container is not None
    rows = rows or isinstance(value, (ArrayList, GrowingArrays))
    found = as_array(value) if isinstance(value, GrowingRows) else as_numpy(value)
    if rows or found.dtype != np.float64:
        length = as_dim(value.length())
        if length is None or not current().is_natural(dims.sub(length, 1)):
            if_stmt(binary("eq", value.length(), 0), _nothing_known, nothing, *STATELESS)
    return found


def _nothing_known() -> None:
    fail(ValueError("NumPy doesn't know what an empty list was to hold"))
