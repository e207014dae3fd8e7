"""Python's lists that are appended to, of equal tuples or rows, or of NumPy's numbers: a buffer a column.

Where the numbers of a column are Python's in some items and NumPy's in others, a buffer of flags tells.

A row that is a list is given away when it is appended: the trace refuses whatever is done with it afterwards,
as the list that comes back has rows of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn, cast

import numpy as np

from ..graph.ir.literals import is_number, literal
from ..graph.ir.types import BOOL, Scalar
from ..graph.symbolic.arith import operand
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.elements import store_at
from ..graph.symbolic.indexing import as_place
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.operators import binary
from ..graph.symbolic.scalar_methods import convert
from ..graph.symbolic.symbols import SymbolicScalar, SymbolicUnion, unwrap_union
from ..graph.trace.build import current
from .either_items import Pair, flagged, held_for, kinds_in, pair_of
from .growing_lists import FIRST_ROOM, GrowingList, grown, part_of
from .number_lists import NumberList, TupleRows, copied, is_index, kind_of_number, now, refuse
from .tracer import TracedList, tracer

MOST_COLUMNS = 16
Kinds = tuple[Scalar, ...]
"""The type of a number, or the two that it may have."""


@dataclass(frozen=True, slots=True)
class RowForm:
    """What all items of a list are: a `tuple` or a `list` of numbers of these types, or one number (None).

    The columns of `either` hold numbers of these types and of others, of which flags tell.
    """

    container: type | None
    kinds: tuple[Scalar, ...]
    either: tuple[tuple[int, Scalar], ...] = ()

    def pairs(self) -> dict[int, Pair]:
        """The types of the columns that have two."""
        return {k: (self.kinds[k], second) for k, second in self.either}

    def held(self) -> list[Scalar]:
        """The types of the columns' buffers."""
        others = dict(self.either)
        return [others.get(k, kind) for k, kind in enumerate(self.kinds)]

    @property
    def is_even(self) -> bool:
        """Whether the items are lists of Python's numbers of one type."""
        return (
            self.container is list and self.kinds[0].is_python and len({*self.kinds}) == 1 and not self.either
        )

    def parts(self, item: object) -> list[object]:
        """The numbers of an item."""
        parts = [item] if self.container is None else list(item)  # type: ignore[call-overload]
        return list(map(unwrap_union, parts))

    def holds(self, item: object) -> bool:
        """Whether an item is of this form."""
        return joined(self, item) == self

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
    if (kinds := _kinds(item)) is not None:
        return _of_kinds(None, [kinds])
    if type(item) not in (tuple, TracedList) or not 0 < len(item) <= MOST_COLUMNS:  # type: ignore[arg-type]
        return None
    if isinstance(item, TracedList) and item.path is not None:  # the caller has it, too
        return None
    parts = [_kinds(part) for part in item]  # type: ignore[attr-defined]
    known = [kinds for kinds in parts if kinds is not None]
    return _of_kinds(tuple if type(item) is tuple else list, known) if len(known) == len(parts) else None


def _of_kinds(container: type | None, parts: list[Kinds]) -> RowForm:
    """The form of items whose numbers have these types."""
    either = tuple((k, kinds[1]) for k, kinds in enumerate(parts) if len(kinds) > 1)
    return RowForm(container, tuple(kinds[0] for kinds in parts), either)


def joined(form: RowForm, item: object) -> RowForm | None:
    """The form of lists that have items of `form` and this one; None if there is none."""
    other = form_of(item)
    return None if other is None else merged(form, other)


def merged(form: RowForm, other: RowForm) -> RowForm | None:
    """The form of lists that have items of both; None if there is none."""
    if form.container is not other.container or len(form.kinds) != len(other.kinds):
        return None
    pairs, others = form.pairs(), other.pairs()
    parts: list[Kinds] = []
    for k, (one, two) in enumerate(zip(form.kinds, other.kinds, strict=True)):
        kinds = {*pairs.get(k, (one,)), *others.get(k, (two,))}
        pair = pair_of(*kinds)
        if pair is None and len(kinds) > 1:
            return None
        parts.append((one,) if pair is None else cast(Kinds, pair))
    return _of_kinds(form.container, parts)


def _kinds(item: object) -> Kinds | None:
    """The type of a number, or the two that it may have; None for anything else."""
    if (kinds := kinds_in(item)) and kinds[0] is not None:
        return cast(Kinds, kinds)
    item = unwrap_union(item)
    found = item.type if isinstance(item, SymbolicScalar) else None
    if is_number(item) and isinstance(item, np.generic):
        found = literal(item).type  # type: ignore[assignment]
    usual = isinstance(found, Scalar) and not found.is_python and found.dtype.kind in "biufc"
    return (cast(Scalar, found),) if usual else None


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

    def __init__(self, form: RowForm, first: NumberList | None = None) -> None:
        """An empty list, or one that begins with the items of `first`; later ones may be NumPy's numbers."""
        self.path, self.given, self.part, self.tag, self.site = None, None, False, None, None
        self.serial, self.walked, self.frozen, self.merged, self.born = now(), 0, False, False, 0
        self.form, self.filled = form, 0 if first is None else first.length()
        room = binary("add", self.filled, FIRST_ROOM)
        dtypes = [np.dtype(kind.dtype) for kind in form.held()] + [np.dtype(bool)] * len(form.either)
        self.buffers: list[SymbolicArray] = [numpy_call(np.empty, (room,), {"dtype": d}) for d in dtypes]
        if first is not None:
            for buffer, items in zip(self.buffers, _columns_of(first, form), strict=True):
                buffer[: self.filled] = items

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a list of rows")

    def columns(self) -> list[SymbolicArray]:
        """The items, as arrays of one length; those of flags come last."""
        return [part_of(buffer, self.filled) for buffer in self.buffers]

    def flags(self) -> dict[int, SymbolicArray]:
        """The flags of the columns whose numbers have two types."""
        return dict(zip(self.form.pairs(), self.columns()[len(self.form.kinds) :], strict=True))

    @property
    def state(self) -> tuple[Any, ...]:
        return (*self.buffers, self.filled)

    @state.setter
    def state(self, found: tuple[Any, ...]) -> None:
        *self.buffers, self.filled = found

    @property
    def kind(self) -> Scalar:
        refuse("this use of a list of rows")

    def append(self, value: object) -> None:
        self.changes()
        if not self.form.holds(value):
            refuse("an item of another form than the others")
        for k, item in enumerate(self._written(value)):
            self.buffers[k] = grown(self.buffers[k], operand(self.filled))
            store_at(self.buffers[k], self.filled, item)
        self.filled = binary("add", self.filled, 1)
        if isinstance(value, TracedList):
            value.__class__ = GivenAway

    def put(self, index: object, value: object) -> None:
        index = as_place(index)
        if self.form.container is list or not is_index(index) or not self.form.holds(value):
            refuse("a write into a list of rows that grows")
        for item, column in zip(self._written(value), self.columns(), strict=True):
            column[index] = item

    def _written(self, value: object) -> list[object]:
        """What goes into the buffers for an item."""
        held, flags, pairs = [], [], self.form.pairs()
        for k, number in enumerate(self.form.parts(value)):
            if k not in pairs:
                held.append(number)
                continue
            flag, kept = flagged(pairs[k], number)
            held.append(kept)
            flags.append(flag)
        return [*held, *flags]

    __setitem__ = put

    def item(self, index: object) -> Any:
        if self.form.container is list:
            refuse("a row of a list that grows")
        if isinstance(index, slice):
            return self._part(index)
        columns, flags = self.columns(), self.flags()
        found: list[Any] = [
            _number(column[index], kind) for column, kind in zip(columns, self.form.kinds, strict=False)
        ]
        for k, second in self.form.either:
            flag = convert(flags[k][index], BOOL)
            held = _number(columns[k][index], second)
            found[k] = SymbolicUnion(flag.operand(), self.form.kinds[k], held)
        return found[0] if self.form.container is None else tuple(found)

    __getitem__ = item

    def _part(self, index: slice) -> GrowingRows:
        """A new list of some of the items."""
        return rows_of(self.form, [column[index] for column in self.columns()])

    def copy(self) -> GrowingRows:
        if self.form.container is list:
            refuse("a copy of a list of lists")
        return self._part(slice(None))

    def pop(self, index: object = -1) -> Any:
        self.changes()
        last = binary("sub", self.filled, 1)
        found = self.item(last)
        self.filled = last
        return found


def rows_of(form: RowForm, columns: list[SymbolicArray]) -> GrowingRows:
    """A new list of this form with these columns, and room for more."""
    made = GrowingRows(form)
    count: Any = columns[0].length()
    room = (binary("add", count, FIRST_ROOM),)
    for k, column in enumerate(columns):
        made.buffers[k] = numpy_call(np.empty, (room,), {"dtype": column.dtype})
        made.buffers[k][:count] = column
    made.filled = count
    made.born, made.block = tracer().open_loops(), current().blocks[-1]
    tracer().growing.append(made)  # the statements around hand it on as it changes
    return made


def form_of(item: object) -> RowForm | None:
    """The form of an item, single numbers of Python's among them."""
    kind = kind_of_number(item)
    return row_form(item) if kind is None else RowForm(None, (kind,))


def form_of_list(numbers: NumberList) -> RowForm:
    """The form of the items of a list that was taken over."""
    if isinstance(numbers, TupleRows):
        width = numbers.array.shape_sizes[1]
        assert isinstance(width, int)
        return RowForm(tuple, (numbers.kind,) * width)
    return RowForm(None, (numbers.kind,))


def _columns_of(first: NumberList, form: RowForm) -> list[object]:
    """What the buffers of a list of this form begin with, whose first items are these; flags come last."""
    columns = [first]
    if isinstance(first, TupleRows) and first.kind:
        columns = [NumberList(first.array[:, k]) for k in range(len(form.kinds))]
    pairs = form.pairs()
    held = [held_for(c, pairs[k]) if k in pairs else c.array for k, c in enumerate(columns)]
    return [*held, *(columns[k].kind == second for k, second in form.either)]


def _number(found: Any, kind: Scalar) -> Any:
    return convert(found, kind) if kind.is_python else found


def as_array(rows: GrowingRows) -> SymbolicArray:
    """What NumPy makes of the list, which must have items: of none it would not know the columns."""
    if rows.form.container is None:
        return copied(rows.columns()[0])
    columns = rows.columns()[: len(rows.form.kinds)]
    found: SymbolicArray = numpy_call(np.stack, (columns,), {"axis": 1})
    return found
