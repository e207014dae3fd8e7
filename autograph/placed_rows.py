"""Lists of lists whose rows change places, or are replaced by new ones.

m[i], m[k] = m[k], m[i]
m[i] = [x / m[i][i] for x in m[i]]

Where each row lies in the array of all stands in a second one. Who has a row in a variable still has it when
it has moved. A new row takes over the memory of the one in whose place it comes: after that, and in loops in
which that happens, a row has to be asked for again before it is read.
"""

from __future__ import annotations

import numpy as np

from ..graph.ir.nodes import Loc
from ..graph.ir.types import INT
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.indexing import as_place
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.operators import binary
from ..graph.symbolic.scalar_methods import convert
from ..graph.trace.attempt import Restart
from .number_lists import NumberList, is_index, now, refuse
from .tracer import tracer


class GivenList(NumberList):
    """A list that has become a row of another one: the trace has lost sight of it."""

    __slots__ = ()

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("a list that is used after it has become a row")


class PlacedRow(NumberList):
    """A row of such a list, as it was asked for here."""

    __slots__ = ("rows", "place", "kept", "loops")

    def __init__(self, rows: PlacedRows, place: object) -> None:
        self.path, self.given, self.part, self.tag, self.site = None, None, True, None, None
        self.merged, self.serial, self.within = False, now(), None
        self.rows, self.place, self.loops = rows, place, tracer().running_loops()
        self.kept: SymbolicArray = rows.all_rows[place]

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        self.check()
        return self.kept

    def check(self) -> None:
        """Another row may have taken over its memory since it was asked for."""
        inside = [loop.place for loop in tracer().running_loops() if loop not in self.loops]
        if self.serial <= self.rows.replaced or not self.rows.replaced_in.isdisjoint(inside):
            refuse("a row that is used when it may have been replaced")

    @property
    def held(self) -> SymbolicArray:
        if self.rows.site in tracer().knowledge.replaced:
            refuse("a row that changes places, of a list whose rows are replaced")
        return self.kept


class PlacedRows(NumberList):
    """The list itself: the numbers of all rows, and which of them each item is."""

    __slots__ = ("all_rows", "order", "replaced", "replaced_in")

    def __init__(self, made: NumberList) -> None:
        self.path, self.given, self.part, self.tag, self.site = None, None, False, None, made.site
        self.merged, self.serial, self.within = False, now(), None
        self.all_rows, self.replaced = made.array, -1
        self.order: SymbolicArray = numpy_call(np.arange, (made.length(),), {"dtype": np.dtype(np.int64)})
        self.replaced_in: set[Loc] = tracer().knowledge.replaced.get(made.site, set())

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a list of lists whose rows change places")

    def length(self) -> object:
        return self.order.length()

    def numbers(self) -> SymbolicArray:
        found: SymbolicArray = self.all_rows[self.order]
        return found

    def item(self, index: object) -> PlacedRow:
        return PlacedRow(self, self._place(index))

    def _place(self, index: object) -> object:
        index = as_place(index)
        if not is_index(index):
            refuse("a slice of a list of lists whose rows change places")
        return convert(self.order[index], INT)

    def put(self, index: object, value: object) -> None:
        if isinstance(value, PlacedRow) and value.rows is self:
            value.check()
            self.order[as_place(index)] = value.place
        elif isinstance(value, NumberList):
            self._replace(self._place(index), value)
        else:
            refuse("a row that is no list of numbers")

    def _replace(self, place: object, value: NumberList) -> None:
        """A new list that nobody else has becomes a row, in the memory of the one that was there."""
        known, loops = tracer().knowledge.replaced, tracer().running_loops()
        around = {loop.place for loop in loops if loop.place is not None}
        if self.site not in known or not around <= self.replaced_in:
            known[self.site] = self.replaced_in | around
            raise Restart
        since = max((loop.since for loop in loops), default=0)
        is_plain = type(value) is NumberList and value.array.ndim == 1 and not value.merged
        if not is_plain or value.array.dtype != self.all_rows.dtype or not value.is_alone(since):
            refuse("a row that is a list of its own as well")
        alike = numpy_call(np.sum, (self.order == place,), {})
        tracer().operators.sure(binary("eq", alike, 1), "a row that stands in two places")
        width = self.all_rows.shape_sizes[1]
        if value.array.shape_sizes != (width,):
            length = self.all_rows[place].length()
            tracer().operators.sure(binary("eq", value.length(), length), "rows of several lengths")
        self.all_rows[place] = value.array
        self.replaced = now()
        value.__class__ = GivenList

    __getitem__, __setitem__ = item, put
    copy = __add__ = __radd__ = __mul__ = __rmul__ = NumberList._refused
