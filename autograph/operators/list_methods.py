"""Methods of lists of numbers."""

from __future__ import annotations

from typing import Any

from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.operators import binary
from ..growing_lists import GrowingList
from ..growing_rows import GrowingRows, as_array
from ..number_lists import NumberList, refuse
from .control import if_stmt
from .exits import STATELESS, fail, nothing
from .growing import grow_from


def list_method(owner: NumberList, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``owner.name(*args)``; where a list was not known to grow, the trace starts again."""
    first = name == "pop" and len(args) == 1 and type(args[0]) is int and args[0] in (0, -1)
    if kwargs or not (first or (name, len(args)) in (("append", 1), ("pop", 0), ("copy", 0))):
        refuse(f"the method '{name}' of a list")
    if name == "copy":
        return owner.copy()
    if not isinstance(owner, GrowingList):
        if owner.array.ndim == 1:
            grow_from(owner.site, owner.item(0))
        refuse("a list that grows here")
    if name == "append":
        return owner.append(args[0])
    if_stmt(binary("eq", owner.count, 0), _none_left, nothing, *STATELESS)
    return owner.pop(*args)


def _none_left() -> None:
    fail(IndexError("pop from empty list"))


def rows_as_numpy(rows: GrowingRows) -> SymbolicArray:
    """What NumPy makes of a list of rows; of an empty one plain Python has to say it."""
    if rows.form.container is not None:
        if_stmt(binary("eq", rows.count, 0), _no_rows, nothing, *STATELESS)
    return as_array(rows)


def _no_rows() -> None:
    fail(ValueError("an array of no rows"))
