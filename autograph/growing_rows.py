"""Python's lists that are appended to, of equal tuples or rows, or of NumPy's numbers: a buffer a column.

A row that is a list is given away when it is appended: the trace refuses whatever is done with it afterwards,
as the list that comes back has rows of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ..graph.ir.literals import is_number, literal
from ..graph.ir.types import Scalar
from ..graph.symbolic.arith import operand
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.operators import binary
from ..graph.symbolic.scalar_methods import convert
from ..graph.symbolic.symbols import SymbolicScalar, unwrap_union
from ..graph.trace.build import current
from .growing_lists import FIRST_ROOM, GrowingList, grown, move_up, part_of
from .number_lists import copied, kind_of_number, now, refuse
from .tracer import TracedList

MOST_COLUMNS = 16


@dataclass(frozen=True, slots=True)
class RowForm:
    """What all items of a list are: a `tuple` or a `list` of numbers of these types, or one number (None)."""

    container: type | None
    kinds: tuple[Scalar, ...]

    def made(self, columns: list[str]) -> str:
        """Python source of the list, for that of its columns as lists."""
        if self.container is None:
            return columns[0]
        rows = f"zip({', '.join(columns)})"
        return f"list({rows})" if self.container is tuple else f"list(map(list, {rows}))"


def row_form(item: object) -> RowForm | None:
    """The form of an item that is appended; None for a single number of Python's and for anything else."""
    if kind_of_number(item) is not None:
        return None
    if (kind := _kind(item)) is not None:
        return RowForm(None, (kind,))
    if type(item) not in (tuple, TracedList) or not 0 < len(item) <= MOST_COLUMNS:  # type: ignore[arg-type]
        return None
    kinds = [_kind(part) for part in item]  # type: ignore[attr-defined]
    known = tuple(kind for kind in kinds if kind is not None)
    container = tuple if type(item) is tuple else list
    return RowForm(container, known) if len(known) == len(kinds) else None


def _kind(item: object) -> Scalar | None:
    """The type of a number, Python's or NumPy's; None for anything else."""
    item = unwrap_union(item)
    if (kind := kind_of_number(item)) is not None:
        return kind
    found = item.type if isinstance(item, SymbolicScalar) else None
    if is_number(item) and isinstance(item, np.generic):
        found = literal(item).type  # type: ignore[assignment]
    usual = isinstance(found, Scalar) and not found.is_python and found.dtype.kind in "biufc"
    return found if usual else None


class GivenAway(TracedList):
    """A row that was appended to a list: the trace has lost sight of it."""

    def _refused(self, *_: object) -> NoReturn:
        refuse("a row that is used after it was appended")

    __getitem__ = __setitem__ = __iter__ = __len__ = __eq__ = __ne__ = __add__ = __radd__ = __mul__ = _refused
    __contains__ = __iadd__ = __bool__ = __lt__ = __le__ = __gt__ = __ge__ = __delitem__ = _refused
    __hash__ = object.__hash__  # type: ignore[assignment]
    append = extend = pop = insert = sort = copy = index = count = _refused  # type: ignore[assignment]
    clear = remove = reverse = _refused


class GrowingRows(GrowingList):
    """A list that grows by items of one form; its columns are variables of the trace, as their count is."""

    __slots__ = ("buffers", "form")

    def __init__(self, form: RowForm) -> None:
        self.path, self.given, self.part, self.tag, self.site = None, None, False, None, None
        self.serial, self.walked, self.frozen, self.merged, self.born = now(), 0, False, False, 0
        self.form, self.count = form, 0
        self.buffers: list[SymbolicArray] = [
            numpy_call(np.empty, (FIRST_ROOM,), {"dtype": np.dtype(kind.dtype)}) for kind in form.kinds
        ]

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a list of rows")

    def columns(self) -> list[SymbolicArray]:
        """The items, as arrays of one length."""
        return [part_of(buffer, self.count) for buffer in self.buffers]

    @property
    def state(self) -> tuple[Any, ...]:
        return (*self.buffers, self.count)

    @state.setter
    def state(self, found: tuple[Any, ...]) -> None:
        *self.buffers, self.count = found

    @property
    def kind(self) -> Scalar:
        refuse("this use of a list of rows")

    def append(self, value: object) -> None:
        self._changes()
        if self.form != form_of(value):
            refuse("an item of another form than the others")
        items = [value] if self.form.container is None else list(value)  # type: ignore[call-overload]
        place = operand(self.count)
        attrs = {"check": (False,), "text": "{0}[{2}] = {1}"}
        for k, item in enumerate(items):
            self.buffers[k] = grown(self.buffers[k], place)
            current().emit(
                "store", (self.buffers[k].operand(), operand(unwrap_union(item)), place), (), attrs
            )
        self.count = binary("add", self.count, 1)
        if isinstance(value, TracedList):
            value.__class__ = GivenAway

    def item(self, index: object) -> Any:
        if self.form.container is list or isinstance(index, slice):
            refuse("a row of a list that grows")
        found = [
            _number(column[index], kind) for column, kind in zip(self.columns(), self.form.kinds, strict=True)
        ]
        return found[0] if self.form.container is None else tuple(found)

    __getitem__ = item

    def pop(self, index: object = -1) -> Any:
        self._changes()
        last = binary("sub", self.count, 1)
        found = self.item(index)
        if index == 0:
            for buffer in self.buffers:
                move_up(buffer, last)
        self.count = last
        return found


def form_of(item: object) -> RowForm | None:
    """The form of an item, single numbers of Python's among them."""
    kind = kind_of_number(item)
    return row_form(item) if kind is None else RowForm(None, (kind,))


def _number(found: Any, kind: Scalar) -> Any:
    return convert(found, kind) if kind.is_python else found


def as_array(rows: GrowingRows) -> SymbolicArray:
    """What NumPy makes of the list, which must have items: of none it would not know the columns."""
    if rows.form.container is None:
        return copied(rows.columns()[0])
    found: SymbolicArray = numpy_call(np.stack, (rows.columns(),), {"axis": 1})
    return found
