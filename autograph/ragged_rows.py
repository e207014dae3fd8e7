"""A caller's list of lists of several lengths: the neighbours of each node, the points of each line.

Its numbers stand in one array, row after row, and a second one has where each row begins and where the last
ends, as in a CSR matrix. Rows are read, and nothing else: what does more with them has Python's lists.
"""

from __future__ import annotations

from ..graph.ir.types import Scalar
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.indexing import as_place
from .number_lists import NumberList, TupleRows, copied, is_index, now, refuse
from .traced import Path


class ReadRow(NumberList):
    """A row, into which nothing is written."""

    __slots__ = ()

    def put(self, index: object, value: object) -> None:
        refuse("a write into a list of lists of several lengths")

    __setitem__ = put


class Column(ReadRow):
    """What ``zip(*rows)`` gives: a tuple of as many numbers as there are rows."""

    __slots__ = ()
    python_type = tuple

    def copy(self) -> NumberList:
        return NumberList(copied(self.array))

    def _new(self, items: SymbolicArray, what: str) -> NumberList:
        refuse(f"{what} of a tuple")

    __add__ = __radd__ = __mul__ = __rmul__ = NumberList._refused


class RaggedRows(NumberList):
    """The list itself: the numbers, or tuples of numbers, of all rows, and the `bounds` of each row."""

    __slots__ = ("all_numbers", "bounds", "kinds")

    def __init__(
        self,
        numbers: SymbolicArray,
        bounds: SymbolicArray,
        path: Path,
        given: object,
        kinds: tuple[Scalar, ...],
    ) -> None:
        self.path, self.given, self.part, self.tag, self.site = path, given, False, None, None
        self.merged, self.serial = False, now()
        self.all_numbers, self.bounds, self.kinds = numbers, bounds, kinds

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a list of lists of several lengths")

    @property
    def kind(self) -> Scalar:
        refuse("this use of a list of lists of several lengths")

    def length(self) -> object:
        return self.bounds[1:].length()

    def item(self, index: object) -> NumberList:
        index = as_place(index)
        if not is_index(index):
            refuse("a slice of a list of lists of several lengths")
        row = self.all_numbers[self.bounds[:-1][index] : self.bounds[1:][index]]
        return ReadRow(row, part=True) if row.ndim == 1 else TupleRows(row, part=True, kinds=self.kinds)

    def put(self, index: object, value: object) -> None:
        refuse("a write into a list of lists of several lengths")

    __getitem__, __setitem__ = item, put
    copy = __add__ = __radd__ = __mul__ = __rmul__ = NumberList._refused
