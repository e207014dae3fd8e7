"""Python's lists of numbers of two types: a pair of the number and a flag for each item.

w = [0.0] * m
w[j] -= rate * x[j]       # from now on this one is a np.float64, the others are floats
dist = [math.inf] * n
dist[start] = 0           # an int among floats
seen = [None] * n         # and None among numbers
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..graph.ir.nodes import Operand
from ..graph.ir.types import BOOL, FLOAT, INT, Scalar, numpy_scalar
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.indexing import as_place
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.operators import binary
from ..graph.symbolic.scalar_methods import convert
from ..graph.symbolic.symbols import SymbolicScalar, SymbolicUnion, unwrap_union
from ..graph.symbolic.unions import exact_float
from .number_lists import NumberList, copied, is_index, kind_of_number, now, refuse
from .traced import Path
from .tracer import tracer

Pair = tuple[Scalar | None, Scalar]
"""What an item is where its flag is False, and where it is True; None stands for itself."""
NUMPYS = {INT: numpy_scalar("int64"), FLOAT: numpy_scalar("float64")}
_OR_NONE: tuple[Pair, ...] = tuple((None, kind) for kind in (INT, FLOAT, BOOL, *NUMPYS.values()))
PAIRS: tuple[Pair, ...] = (*NUMPYS.items(), (INT, FLOAT), (INT, NUMPYS[FLOAT]), *_OR_NONE)
"""An int that is held as a float is one that the float holds exactly, or the call starts again."""


class EitherItems(NumberList):
    """A list of numbers of two types in an array of pairs, or of rows of such; each pair has a class."""

    __slots__ = ("pairs", "row_site")
    pair: ClassVar[Pair]
    is_callers: ClassVar[bool] = False

    def __init__(
        self,
        pairs: SymbolicArray,
        path: Path | None = None,
        given: object = None,
        part: bool = False,
        tag: Operand | None = None,
    ) -> None:
        self.path, self.given, self.part, self.tag, self.site = path, given, part, tag, None
        self.merged, self.serial, self.pairs = False, now(), pairs
        self.within = self.row_site = None

    @property
    def held(self) -> SymbolicArray:
        return self.pairs

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a list of numbers of two types")

    @property
    def kind(self) -> Scalar:
        refuse("this use of a list of numbers of two types")

    @property
    def has_rows(self) -> bool:
        """Whether it is a list of lists."""
        return self.pairs.ndim > 2

    def length(self) -> object:
        return self.pairs.length()

    def numbers(self) -> SymbolicArray:
        """What NumPy makes of them if one is of the second type."""
        if self.pair[0] is None:
            refuse("what NumPy makes of None")
        found: SymbolicArray = self.pairs[..., 0]
        return found

    def flags(self) -> SymbolicArray:
        """Where there is one of the second type."""
        found: SymbolicArray = self.pairs[..., 1]
        return found

    def item(self, index: object) -> EitherItems | SymbolicUnion:
        if isinstance(index, slice) and not self.has_rows:
            return self.copy_of(self.pairs[index])
        index = as_place(index)
        if not is_index(index):
            refuse("this index of a list of numbers of two types")
        if self.has_rows:
            row = type(self)(self.pairs[index], part=True)
            row.within = self.row_site
            return row
        flag = convert(binary("ne", self.pairs[index, 1], 0), BOOL)
        found = self.pairs[index, 0]
        first, second = self.pair
        return SymbolicUnion(flag.operand(), first, convert(found, second) if second.is_python else found)

    def put(self, index: object, value: object) -> None:
        index, value = as_place(index), unwrap_union(value)
        if self.is_callers:
            refuse("a write to a list of ints and floats of the caller's")
        if self.has_rows or not is_index(index) or not is_one_of(self.pair, value):
            refuse("a write that changes what kind of list it is")
        flag, held = flagged(self.pair, value)
        self.pairs[index, 0] = held
        self.pairs[index, 1] = convert(flag, INT) if isinstance(flag, SymbolicScalar) else int(flag is True)

    __getitem__, __setitem__ = item, put

    def with_rows(self, length: object) -> EitherItems | None:
        if self.has_rows:
            return None
        shape = (length, self.length(), 2)
        made = _CLASSES[self.pair](numpy_call(np.zeros, (shape,), {"dtype": self.pairs.dtype}))
        made.row_site = self.site
        return made

    def fill(self, index: object, item: object, since: int) -> None:
        if not self.has_rows:
            self.put(index, item)
            return
        if (
            not isinstance(item, EitherItems)
            or item.pair != self.pair
            or item.has_rows
            or not item.is_alone(since)
        ):
            refuse("rows of two kinds, or that are lists of their own as well")
        item.serial = -1
        if self.pairs.shape_sizes[1:] != item.pairs.shape_sizes:
            refuse("rows of several lengths")
        self.pairs[index] = item.pairs

    def copy(self) -> EitherItems:
        if self.has_rows:
            refuse("a copy of a list of lists")
        return self.copy_of(self.pairs)

    def copy_of(self, pairs: SymbolicArray) -> EitherItems:
        """A new list of some of the items."""
        return _CLASSES[self.pair](copied(pairs))


class _CallersMixed(EitherItems):
    """A list of ints and floats of the caller's, or a row of one, into which nothing is put."""

    __slots__ = ()
    pair = (INT, FLOAT)
    is_callers = True


_CLASSES = {pair: type("EitherItems", (EitherItems,), {"__slots__": (), "pair": pair}) for pair in PAIRS}


def kinds_in(value: object) -> tuple[Scalar | None, ...]:
    """The types that a number or None may have, of which a flag tells; none if it is something else."""
    value = unwrap_union(value)
    if value is None:
        return (None,)
    if isinstance(value, SymbolicUnion):
        kinds = value.first, value.payload.type
        return kinds if kinds in PAIRS else ()
    if (kind := kind_of_number(value)) is not None:
        return (kind,)
    found = value.type if isinstance(value, SymbolicScalar) else None
    if isinstance(value, np.generic):
        found = Scalar(value.dtype.name)
    return (found,) if isinstance(found, Scalar) and found in NUMPYS.values() else ()


def pair_of(*kinds: Scalar | None) -> Pair | None:
    """The two types that are all of these; None if they are one, or others than a list may hold."""
    return next((pair for pair in PAIRS if len({*kinds}) == 2 and {*kinds} == {*pair}), None)


def is_one_of(pair: Pair, value: object) -> bool:
    """Whether a number has one of these types."""
    kinds = kinds_in(value)
    return bool(kinds) and {*kinds} <= {*pair}


def flagged(pair: Pair, value: object) -> tuple[object, object]:
    """The flag of a number that has one of these types, and what is held for it."""
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion):
        return SymbolicScalar(value.tag, BOOL), value.payload
    if value is None:
        return False, 0
    is_second = kinds_in(value) == pair[1:]
    if is_second or is_of_numpys(pair):
        return is_second, value
    held = exact_float(value)
    if held is None:
        refuse("an int that no float holds")
    return False, held


def callers_mixed(pairs: SymbolicArray, path: Path, given: object) -> EitherItems:
    """The caller's list of ints and floats, or of lists of such."""
    return _CallersMixed(pairs, path, given)


def is_of_numpys(pair: Pair) -> bool:
    """Whether both are numbers of one dtype, Python's and NumPy's."""
    return pair in NUMPYS.items()


def of_nones(numbers: NumberList, pair: Pair) -> EitherItems:
    """A list of as many None, of which some may become numbers."""
    shape = (numbers.length(), 2)
    return _CLASSES[pair](numpy_call(np.zeros, (shape,), {"dtype": np.dtype(pair[1].dtype)}))


def of_either_kind(first: NumberList, pair: Pair) -> EitherItems:
    """The list, of which other items may have the other type of a pair."""
    array, second = first.array, pair[1]
    pairs = numpy_call(np.zeros, ((*array.shape, 2),), {"dtype": np.dtype(second.dtype)})
    pairs[..., 0] = held_for(first, pair)
    if first.kind == second:
        pairs[..., 1] = 1
    made = _CLASSES[pair](pairs)
    made.site = first.site
    return made


def held_for(numbers: NumberList, pair: Pair) -> SymbolicArray:
    """What is held for the items of a list that is of one of these types."""
    array = numbers.array
    is_exact = numbers.kind.dtype == pair[1].dtype
    return array if is_exact else _as_floats(array)


def _as_floats(ints: SymbolicArray) -> SymbolicArray:
    """Ints as floats that hold them exactly, each of which is checked."""
    made: SymbolicArray = numpy_call(np.empty, (ints.shape,), {})

    def fill(index: object) -> None:
        found = ints[index]
        is_row = isinstance(found, SymbolicArray)
        made[index] = _as_floats(found) if is_row else exact_float(convert(found, INT))

    operators = tracer().operators
    operators.go_through(operators.call(range, ints.length()), fill, tuple, lambda values: None, ())
    return made
