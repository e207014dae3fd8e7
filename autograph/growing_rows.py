"""Python's lists that are appended to, of equal tuples or rows, or of NumPy's numbers: a buffer a column.

Where the numbers of a column are Python's in some items and NumPy's in others, a buffer of flags tells.

A row that is a list is given away when it is appended: the trace refuses whatever is done with it afterwards,
as the list that comes back has rows of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

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
from .either_items import NUMPYS, may_hold
from .growing_lists import FIRST_ROOM, GrowingList, grown, part_of
from .number_lists import NumberList, TupleRows, copied, is_index, kind_of_number, now, refuse
from .tracer import TracedList

MOST_COLUMNS = 16


@dataclass(frozen=True, slots=True)
class RowForm:
    """What all items of a list are: a `tuple` or a `list` of numbers of these types, or one number (None).

    The columns of `either` hold numbers of Python's, of this type, and NumPy's like them.
    """

    container: type | None
    kinds: tuple[Scalar, ...]
    either: tuple[int, ...] = ()

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
    if (kind := _kind(item)) is not None:
        return RowForm(None, (kind,), (0,) if _is_either(item) else ())
    if type(item) not in (tuple, TracedList) or not 0 < len(item) <= MOST_COLUMNS:  # type: ignore[arg-type]
        return None
    if isinstance(item, TracedList) and item.path is not None:  # the caller has it, too
        return None
    kinds = [_kind(part) for part in item]  # type: ignore[attr-defined]
    known = tuple(kind for kind in kinds if kind is not None)
    container = tuple if type(item) is tuple else list
    either = tuple(k for k, part in enumerate(item) if _is_either(part))  # type: ignore[arg-type, var-annotated]
    return RowForm(container, known, either) if len(known) == len(kinds) else None


def _is_either(item: object) -> bool:
    return isinstance(unwrap_union(item), SymbolicUnion)


def joined(form: RowForm, item: object) -> RowForm | None:
    """The form of lists that have items of `form` and this one; None if there is none."""
    other = form_of(item)
    return None if other is None else merged(form, other)


def merged(form: RowForm, other: RowForm) -> RowForm | None:
    """The form of lists that have items of both; None if there is none."""
    if form.container is not other.container or len(form.kinds) != len(other.kinds):
        return None
    kinds, either = [], {*form.either, *other.either}
    for k, (one, two) in enumerate(zip(form.kinds, other.kinds, strict=True)):
        kinds.append(one if one.is_python else two)
        if one != two:
            either.add(k)
        if k in either and not {one, two} <= {kinds[k], NUMPYS.get(kinds[k])}:
            return None
    return RowForm(form.container, tuple(kinds), tuple(sorted(either)))


def _kind(item: object) -> Scalar | None:
    """The type of a number, Python's or NumPy's, Python's where it may be either; None for anything else."""
    item = unwrap_union(item)
    if isinstance(item, SymbolicUnion):
        kind = item.first
        return kind if isinstance(kind, Scalar) and may_hold(kind, item) else None
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

    def __init__(self, form: RowForm, first: NumberList | None = None) -> None:
        """An empty list, or one that begins with the items of `first`; later ones may be NumPy's numbers."""
        self.path, self.given, self.part, self.tag, self.site = None, None, False, None, None
        self.serial, self.walked, self.frozen, self.merged, self.born = now(), 0, False, False, 0
        self.form, self.filled = form, 0 if first is None else first.length()
        room = binary("add", self.filled, FIRST_ROOM)
        dtypes = [np.dtype(kind.dtype) for kind in form.kinds] + [np.dtype(bool)] * len(form.either)
        self.buffers: list[SymbolicArray] = [numpy_call(np.empty, (room,), {"dtype": d}) for d in dtypes]
        for buffer, items in zip(self.buffers, () if first is None else _columns_of(first), strict=False):
            buffer[: self.filled] = items

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a list of rows")

    def columns(self) -> list[SymbolicArray]:
        """The items, as arrays of one length; those of flags come last."""
        return [part_of(buffer, self.filled) for buffer in self.buffers]

    def flags(self) -> dict[int, SymbolicArray]:
        """The flags of the columns whose numbers may be NumPy's."""
        return dict(zip(self.form.either, self.columns()[len(self.form.kinds) :], strict=True))

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
        numbers = self.form.parts(value)
        flags = [_flag(numbers[k]) for k in self.form.either]
        for k, item in enumerate([*map(_payload, numbers), *flags]):
            self.buffers[k] = grown(self.buffers[k], operand(self.filled))
            store_at(self.buffers[k], self.filled, item)
        self.filled = binary("add", self.filled, 1)
        if isinstance(value, TracedList):
            value.__class__ = GivenAway

    def put(self, index: object, value: object) -> None:
        index = as_place(index)
        if self.form.container is list or not is_index(index) or not self.form.holds(value):
            refuse("a write into a list of rows that grows")
        numbers, columns = self.form.parts(value), self.columns()
        for number, column in zip(numbers, columns, strict=False):
            column[index] = _payload(number)
        for k, flags in self.flags().items():
            flags[index] = _flag(numbers[k])

    __setitem__ = put

    def item(self, index: object) -> Any:
        if self.form.container is list or isinstance(index, slice):
            refuse("a row of a list that grows")
        columns, flags = self.columns(), self.flags()
        found: list[Any] = [
            _number(column[index], kind) for column, kind in zip(columns, self.form.kinds, strict=False)
        ]
        for k, column in flags.items():
            flag = convert(column[index], BOOL)
            found[k] = SymbolicUnion(flag.operand(), self.form.kinds[k], columns[k][index])
        return found[0] if self.form.container is None else tuple(found)

    __getitem__ = item

    def pop(self, index: object = -1) -> Any:
        self.changes()
        last = binary("sub", self.filled, 1)
        found = self.item(last)
        self.filled = last
        return found


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


def _columns_of(first: NumberList) -> list[object]:
    """What the buffers of a list begin with whose first items are these: those of flags come last."""
    columns: list[object] = [first.array]
    if isinstance(first, TupleRows):
        columns = [first.array[:, k] for k in range(len(form_of_list(first).kinds))]
    return [*columns, *[not first.kind.is_python] * len(columns)]


def _payload(number: object) -> object:
    return number.payload if isinstance(number, SymbolicUnion) else number


def _flag(number: object) -> object:
    """Whether a number is NumPy's."""
    if isinstance(number, SymbolicUnion):
        return SymbolicScalar(number.tag, BOOL)
    return kind_of_number(number) is None


def _number(found: Any, kind: Scalar) -> Any:
    return convert(found, kind) if kind.is_python else found


def as_array(rows: GrowingRows) -> SymbolicArray:
    """What NumPy makes of the list, which must have items: of none it would not know the columns."""
    if rows.form.container is None:
        return copied(rows.columns()[0])
    columns = rows.columns()[: len(rows.form.kinds)]
    found: SymbolicArray = numpy_call(np.stack, (columns,), {"axis": 1})
    return found
