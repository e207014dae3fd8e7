"""Python's lists of arrays, all of one shape and dtype, in one array of the graph: each a row of it.

The list has copies of what is appended. That is the same as long as nobody can tell: nothing is written into
an array that a list has, or into an item, and no item leaves the function; the list itself only if its arrays
are new. The graph says whether that is so when it is whole (`graph.analysis.kept_rows`); if it isn't, or
something here is refused, the trace starts again, with lists of arrays as objects of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from ..graph.ir.axes import Axis, Pick, Span
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Operand
from ..graph.ir.types import Scalar
from ..graph.ops.facts import KEEPS
from ..graph.symbolic.arith import operand
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.indexing import as_place, make_view
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.operators import binary
from ..graph.symbolic.symbols import size_symbol, unwrap_union
from ..graph.trace.build import current
from .growing_lists import GrowingList, grown, part_of
from .number_lists import NumberList, is_index, now, refuse
from .tracer import tracer

_FIRST_ROOM = 4


@dataclass(frozen=True, slots=True)
class ArrayForm:
    """What all items of a list are: arrays of this dtype and shape."""

    dtype: np.dtype
    shape: tuple[Size, ...]

    def holds(self, item: object) -> bool:
        """Whether an item is of this form, by guards on the sizes if need be."""
        found = unwrap_union(item)
        if not _may_be_row(found) or found.dtype != self.dtype or found.ndim != len(self.shape):
            return False
        return all(current().same_size(a, b) for a, b in zip(found.shape_sizes, self.shape, strict=True))


def array_form(item: object) -> ArrayForm | None:
    """The form of an array whose sizes the arguments say; None for anything else."""
    found = unwrap_union(item)
    if not tracer().knowledge.array_lists or not _may_be_row(found):
        return None
    shape = tuple(current().settle(size) for size in found.shape_sizes)
    return ArrayForm(found.dtype, shape) if all(map(current().guardable, shape)) else None


def _may_be_row(item: object) -> TypeGuard[SymbolicArray]:
    """Whether a copy in order C is like the array itself to all that only read it."""
    if not isinstance(item, SymbolicArray) or item.ndim == 0 or item.dtype.kind not in "biufc":
        return False
    return item.dtype.isnative and (item.ndim == 1 or item.type.layout == "C")


class ArrayList(NumberList):
    """A list of so many arrays."""

    __slots__ = ()

    @property
    def kind(self) -> Scalar:
        refuse("this use of a list of arrays")

    def _item(self, found: object) -> object:
        return found

    def _new(self, items: SymbolicArray, what: str) -> NumberList:
        refuse(f"{what} of a list of arrays")

    def put(self, index: object, value: object) -> None:
        refuse("a write to a list of arrays")

    def fill(self, index: object, item: object, since: int) -> None:
        if not ArrayForm(self.array.dtype, self.array.shape_sizes[1:]).holds(item):
            refuse("arrays of several shapes or dtypes")
        _keep(self.array, index, item)

    __setitem__ = put
    __add__ = __radd__ = __mul__ = __rmul__ = NumberList._refused


def array_room(length: object, example: object) -> ArrayList | None:
    """A list of `length` arrays like `example`, each still to be filled in; None if it is no such array."""
    if (form := array_form(example)) is None:
        return None
    tracer().array_lists = True
    return ArrayList(_room(form, length))


class GrowingArrays(GrowingList):
    """A list of arrays that grows at its end."""

    __slots__ = ("form",)

    def __init__(self, form: ArrayForm) -> None:
        self.path, self.given, self.part, self.tag, self.site = None, None, False, None, None
        self.serial, self.walked, self.frozen, self.merged, self.born = now(), 0, False, False, 0
        self.form, self.filled = form, 0
        self.buffer = _room(form, _FIRST_ROOM)
        tracer().array_lists = True

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        """The items as rows of an array."""
        return part_of(self.buffer, self.filled)

    @property
    def kind(self) -> Scalar:
        refuse("this use of a list of arrays")

    def append(self, value: object) -> None:
        self.changes()
        if not self.form.holds(value):
            refuse("an array of another shape or dtype than the others")
        self.buffer = grown(self.buffer, operand(self.filled))
        _keep(self.buffer, self.filled, value)
        self.filled = binary("add", self.filled, 1)

    def item(self, index: object) -> object:
        index = as_place(index)
        if not is_index(index):
            refuse("an index that is no int")
        return self.array[index]

    def put(self, index: object, value: object) -> None:
        refuse("a write to a list of arrays")

    def pop(self, index: object = -1) -> object:
        refuse("a list of arrays that shrinks")

    __getitem__, __setitem__ = item, put


def of_arrays(form: ArrayForm, items: Sequence[object]) -> GrowingArrays | None:
    """A list that grows, which begins with these items; None if they have another form."""
    if not all(map(form.holds, items)):
        return None
    made = GrowingArrays(form)
    for item in items:
        made.append(item)
    return made


def _room(form: ArrayForm, length: object) -> SymbolicArray:
    shape = (length, *(size_symbol(size) for size in form.shape))
    found: SymbolicArray = numpy_call(np.empty, (shape,), {"dtype": form.dtype})
    return found


def _keep(buffer: SymbolicArray, index: object, item: object) -> None:
    """``buffer[index] = item``, for an index that is known to lie inside."""
    place: Operand = operand(index)
    inner = buffer.shape_sizes[1:]
    axes: list[Axis] = [Pick(0), *(Span(k) for k in range(len(inner)))]
    row = make_view(buffer, axes, inner, [buffer.operand(), place], "{0}[{1}]", (False,))
    attrs = {"text": "{0}[...] = {1}", KEEPS: True}
    current().emit("assign", (row.operand(), operand(unwrap_union(item))), (), attrs)
