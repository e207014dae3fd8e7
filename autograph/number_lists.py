"""Python's lists of numbers of one type and of one length, which live in arrays of the graph.

That is so where nothing but staged code can look at them. They are references, as lists are: who changes one
changes it for all who have it. Items go in and out as Python's own numbers. What isn't staged here raises
`TraceError`; the trace then starts again with lists as objects of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ..graph.ir import dims
from ..graph.ir.literals import is_number, literal
from ..graph.ir.nodes import Operand
from ..graph.ir.types import BOOL, COMPLEX, FLOAT, INT, Scalar, numpy_scalar
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.indexing import as_place
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.scalar_methods import convert
from ..graph.symbolic.symbols import SymbolicScalar, as_dim
from ..graph.trace.build import TraceError, current
from .list_data import WIDEST, columns_of, has_numpys
from .traced import Path

PYTHONS = {"b": BOOL, "i": INT, "f": FLOAT, "c": COMPLEX}
"""The type of Python's that the items of a list have, by the kind of its array's dtype."""
DTYPES = {kind: np.dtype(kind.dtype) for kind in PYTHONS.values()}


def _method(name: str) -> Callable[..., NoReturn]:
    """A method of lists, which `operators.list_methods` has where it can be followed."""

    def method(self: NumberList, *_: object, **__: object) -> NoReturn:
        refuse(f"the method '{name}' of a list")

    method.__name__ = name
    return method


class NumberList:
    """A list in an array.

    Attributes:
        path: where the user's list that it stands for was found, which is `given`.
        tag: whether it is that list, where only the run knows.
        merged: it is one of several lists, and another variable may be the same one.
        part: it is a row of another list.
        serial: when it was made, by `now`.
        site: which display, product or comprehension has made it, if one has.
        within: the site of the list whose row it is.
    """

    __slots__ = ("array", "path", "given", "part", "tag", "merged", "serial", "site", "within")
    python_type: type = list

    def __init__(
        self,
        array: SymbolicArray,
        path: Path | None = None,
        given: object = None,
        part: bool = False,
        tag: Operand | None = None,
    ) -> None:
        self.array = array
        self.path = path
        self.given = given
        self.part = part
        self.tag = tag
        self.merged = False
        self.serial = now()
        self.site: Any = None
        self.within: Any = None

    @property
    def kind(self) -> Scalar:
        """The Python type of the numbers in it."""
        return PYTHONS[self.array.dtype.kind]

    @property
    def held(self) -> SymbolicArray:
        """The array that is the list's memory."""
        return self.array

    def numbers(self) -> SymbolicArray:
        """What NumPy makes of the items, in the same memory."""
        return self.array

    def length(self) -> Any:
        """How many items it has."""
        return self.array.length()

    def item(self, index: object) -> Any:
        """``list[index]``: a number, a row, or a new list for a slice."""
        if isinstance(index, slice):
            return self._new(self.array[index], "a slice")
        index = as_place(index)
        if not is_index(index):
            refuse("an index that is no int")
        return self._item(self.array[index])

    def _item(self, found: object) -> object:
        """What the array has at one place, as an item of the list."""
        if isinstance(found, SymbolicArray):
            row = NumberList(found, part=True)
            row.within = self.site
            return row
        assert isinstance(found, SymbolicScalar)
        return convert(found, self.kind)

    def _new(self, items: SymbolicArray, what: str) -> NumberList:
        """A new list of some of the items."""
        if self.array.ndim > 1:
            refuse(f"{what} of a list of lists")
        return NumberList(copied(items))

    def put(self, index: object, value: object) -> None:
        """``list[index] = value``."""
        index = as_place(index)
        if self.array.ndim > 1 or not is_index(index) or kind_of_number(value) != self.kind:
            refuse("a write that changes what kind of list it is")
        self.array[index] = value

    __getitem__, __setitem__ = item, put

    def fill(self, index: object, item: object, since: int) -> None:
        """Put an item into a list that `room` has made, as `fill` below says."""
        if self.array.ndim == 1:
            self.put(index, item)
        else:
            _fill_row(self, index, item, since)

    def with_rows(self, length: object) -> NumberList | None:
        """A list of so many lists like this one, still to be filled; None if this one has rows itself."""
        if self.array.ndim != 1:
            return None
        return NumberList(numpy_call(np.empty, ((length, self.length()),), {"dtype": self.array.dtype}))

    def is_alone(self, since: int) -> bool:
        """Whether it was made after `since`, so that no variable of before has it, and no other list."""
        return not self.part and self.path is None and self.serial > since

    def copy(self) -> NumberList:
        """``list.copy()``."""
        return self._new(self.array, "a copy")

    def __add__(self, other: object) -> NumberList:
        return self.copy() if _is_empty(other) else _joined(self, _as_list(other))

    def __radd__(self, other: object) -> NumberList:
        return self.copy() if _is_empty(other) else _joined(_as_list(other), self)

    def __mul__(self, count: object) -> NumberList:
        if self.array.ndim > 1 or self.array.shape_sizes[0] != 1:
            refuse("a list of several items, repeated")
        made = filled(self.item(0), count)
        return refuse("a list that is repeated an unknown number of times") if made is None else made

    __rmul__ = __mul__

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        refuse(f"the method '{name}' of a list")

    def append(self, value: object) -> None:
        """``list.append(value)``: see `operators.list_methods`."""
        refuse("a list that grows here")

    def pop(self, index: object = -1) -> Any:
        """``list.pop()``: see `operators.list_methods`."""
        refuse("a list that shrinks here")

    extend, insert, remove, index, count, reverse, sort, clear = map(
        _method, ("extend", "insert", "remove", "index", "count", "reverse", "sort", "clear")
    )

    def _refused(self, *_: object) -> NoReturn:
        refuse("this operation on a list")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused
    __iter__ = __len__ = __contains__ = _refused
    __iadd__ = __imul__ = __str__ = __repr__ = _refused
    __hash__ = object.__hash__


class TupleRows(NumberList):
    """A list of tuples of as many numbers, of one kind or of these `kinds`; its items are tuples."""

    __slots__ = ("kinds",)

    def __init__(
        self,
        array: SymbolicArray,
        path: Path | None = None,
        given: object = None,
        part: bool = False,
        tag: Operand | None = None,
        kinds: tuple[Scalar, ...] = (),
    ) -> None:
        super().__init__(array, path, given, part, tag)
        self.kinds = kinds

    @property
    def kind(self) -> Scalar:
        if self.kinds:
            refuse("this use of a list of tuples of several types")
        return super().kind

    @property
    def held(self) -> SymbolicArray:
        if self.kinds:
            refuse("a list of tuples of several types that changes places")
        return self.array

    def numbers(self) -> SymbolicArray:
        return _as_floats(self.array, self.kinds)

    def _item(self, found: object) -> tuple[object, ...]:
        width = self.array.shape_sizes[1]
        assert isinstance(found, SymbolicArray)
        assert isinstance(width, int)
        kinds = self.kinds or (self.kind,) * width
        return tuple(convert(found[k], kind) for k, kind in enumerate(kinds))

    def _new(self, items: SymbolicArray, what: str) -> TupleRows:
        return TupleRows(copied(items), kinds=self.kinds)

    def put(self, index: object, value: object) -> None:
        refuse("a write to a list of tuples")

    __setitem__ = put


def _as_floats(array: SymbolicArray, kinds: tuple[Scalar, ...]) -> SymbolicArray:
    """Numbers of several types, which are held as floats; NumPy has them as floats where one of them is."""
    if kinds and FLOAT not in kinds:
        refuse("what NumPy makes of tuples of ints and bools")
    return array


class TupleTable(NumberList):
    """A list of lists of as many tuples each."""

    __slots__ = ("kinds",)

    def __init__(self, array: SymbolicArray, path: Path, given: object, kinds: tuple[Scalar, ...]) -> None:
        super().__init__(array, path, given)
        self.kinds = kinds

    @property
    def kind(self) -> Scalar:
        refuse("this use of a list of lists of tuples")

    @property
    def held(self) -> SymbolicArray:
        refuse("a list of lists of tuples that changes places")

    def numbers(self) -> SymbolicArray:
        return _as_floats(self.array, self.kinds)

    def _item(self, found: object) -> TupleRows:
        assert isinstance(found, SymbolicArray)
        return TupleRows(found, part=True, kinds=self.kinds)

    def put(self, index: object, value: object) -> None:
        refuse("a write to a list of lists of tuples")

    __setitem__ = put


class ScalarItems(NumberList):
    """A list of NumPy's numbers of one type."""

    __slots__ = ()

    @property
    def kind(self) -> Scalar:
        return numpy_scalar(self.array.dtype)

    def _item(self, found: object) -> object:
        return found

    def _new(self, items: SymbolicArray, what: str) -> ScalarItems:
        return ScalarItems(copied(items))

    def put(self, index: object, value: object) -> None:
        refuse("a write to a list of NumPy's numbers")

    __setitem__ = put
    __add__ = __radd__ = __mul__ = __rmul__ = NumberList._refused


def list_for(form: str, array: SymbolicArray, path: Path, given: object) -> NumberList:
    """What stands for a caller's list of this form of `list_data`."""
    if ")" in form:
        made = TupleRows if form[-1] == ")" else TupleTable
        return made(array, path, given, kinds=kinds_of_columns(form))
    return (ScalarItems if has_numpys(form) else NumberList)(array, path, given)


def kinds_of_columns(form: str) -> tuple[Scalar, ...]:
    """The kinds of the numbers in tuples, where they are several."""
    return tuple(Scalar(name) for name in columns_of(form))


def refuse(what: str) -> NoReturn:
    """Say that lists have to be objects of the run here."""
    raise TraceError(f"{what} can't be compiled", "keep the numbers in an array")


def _is_empty(value: object) -> bool:
    return isinstance(value, list) and not value


def _as_list(value: object) -> NumberList:
    """A list that is added: one that is known item by item becomes one of numbers."""
    made = of_items(value, False) if isinstance(value, list) else value
    if not isinstance(made, NumberList):
        refuse("a list that is added to something else")
    return made


def _joined(one: NumberList, other: NumberList) -> NumberList:
    if one.kind != other.kind or one.array.ndim > 1 or other.array.ndim > 1:
        refuse("lists of two kinds, one after the other")
    return NumberList(numpy_call(np.concatenate, ((one.array, other.array),), {}))


def copied(array: SymbolicArray) -> SymbolicArray:
    """A new array with the same numbers."""
    found: SymbolicArray = numpy_call(np.copy, (array,), {})
    return found


def is_index(index: object) -> bool:
    """Whether it is an int."""
    if isinstance(index, SymbolicScalar):
        return index.type == INT or (not index.type.is_python and index.type.dtype.kind in "iu")
    return type(index) is int


def kind_of_number(value: object) -> Scalar | None:
    """The kind of one of Python's own numbers; None for anything else."""
    if isinstance(value, SymbolicScalar):
        return value.type if value.type.is_python else None
    if is_number(value) and type(value) in (bool, int, float, complex):
        if type(value) is int and not -(2**63) <= value < 2**63:
            return None
        return Scalar(type(value).__name__)
    return None


def filled(value: object, count: object) -> NumberList | None:
    """``[value] * count``; None if that is no list of numbers."""
    kind = kind_of_number(value)
    if kind is None or not is_index(count):
        return None
    length = as_dim(count)
    if length is None:  # of a number that is known only at run time; below 0 it is none
        count = _size_of(count)
    elif not current().is_natural(length):
        return None
    return NumberList(numpy_call(np.full, (count, value), {"dtype": DTYPES[kind]}))


def _size_of(count: object) -> SymbolicScalar:
    operands = (convert(count, INT).operand(), literal(0))  # type: ignore[arg-type]
    value = current().one("py.max", operands, INT, loop=("int", "int"), text="max({0}, {1})")
    return SymbolicScalar(value, INT, dims.symbol(value.name))


def room(length: object, example: object) -> NumberList | None:
    """A list of `length` items like `example`, each still to be put; None if they are no numbers or rows."""
    if isinstance(example, NumberList):
        return example.with_rows(length)
    if (kind := kind_of_number(example)) is None:
        return None
    return NumberList(numpy_call(np.empty, ((length,),), {"dtype": DTYPES[kind]}))


def now() -> int:
    """A clock that moves with each value that is traced."""
    return len(current().names)


def fill(target: NumberList, index: object, item: object, since: int) -> None:
    """Put an item into a list that `room` has made: a number, or the numbers of a row.

    A row has to be a list that nobody else has: made since `since`, and put nowhere else.
    """
    target.fill(index, item, since)


def _fill_row(target: NumberList, index: object, item: object, since: int) -> None:
    if not isinstance(item, NumberList) or item.kind != target.kind:
        refuse("rows of two kinds")
    if not item.is_alone(since):
        refuse("a row that is a list of its own as well")
    item.serial = -1
    if target.array.shape_sizes[1:] != item.array.shape_sizes:
        refuse("rows of several lengths")
    target.array[index] = item.array


def of_numbers(items: Sequence[Any], alone: bool) -> NumberList | None:
    """A list of these items; None if they are neither numbers or rows, nor tuples of numbers."""
    made = of_items(items, alone)
    return of_tuples(items) if made is None else made


def of_items(items: Sequence[Any], alone: bool) -> NumberList | None:
    """A list of these items; None if they aren't numbers of one kind, or rows that are `alone`."""
    rows = {isinstance(item, NumberList) for item in items}
    kinds = {item.kind if isinstance(item, NumberList) else kind_of_number(item) for item in items}
    if len(rows) != 1 or len(kinds) != 1 or None in kinds or (True in rows and not alone):
        return None
    if (made := room(len(items), items[0])) is None:
        return None
    for place, item in enumerate(items):
        fill(made, place, item, -1)
    return made


def of_tuples(items: Sequence[Any]) -> TupleRows | None:
    """A list of these items; None if they aren't tuples, all of as many numbers of one kind."""
    if not items or any(type(item) is not tuple for item in items):
        return None
    widths, kinds = {len(item) for item in items}, {kind_of_number(x) for item in items for x in item}
    if len(widths) != 1 or len(kinds) != 1 or None in kinds or not 0 < len(items[0]) <= WIDEST:
        return None
    kind = kinds.pop()
    assert kind is not None
    made = numpy_call(np.empty, ((len(items), len(items[0])),), {"dtype": DTYPES[kind]})
    for k, item in enumerate(items):
        for j, number in enumerate(item):
            made[k, j] = number
    return TupleRows(made)


def as_numpy(value: NumberList) -> SymbolicArray:
    """What NumPy's functions make of a list that they are given."""
    return copied(value.numbers())
