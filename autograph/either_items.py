"""Python's lists of numbers of which some are NumPy's: a pair of the number and a flag for each item.

w = [0.0] * m
w[j] -= rate * x[j]    # from now on this one is a np.float64, the others are floats
"""

from __future__ import annotations

import numpy as np

from ..graph.ir.nodes import Operand
from ..graph.ir.types import BOOL, FLOAT, INT, Scalar, numpy_scalar
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.indexing import as_place
from ..graph.symbolic.numpy_functions import call as numpy_call
from ..graph.symbolic.operators import binary
from ..graph.symbolic.scalar_methods import convert
from ..graph.symbolic.symbols import SymbolicScalar, SymbolicUnion, unwrap_union
from .number_lists import NumberList, is_index, kind_of_number, now, refuse
from .traced import Path

NUMPYS = {INT: numpy_scalar("int64"), FLOAT: numpy_scalar("float64")}


class EitherItems(NumberList):
    """A list of numbers that may be NumPy's, in an array of pairs."""

    __slots__ = ("pairs",)

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

    @property
    def held(self) -> SymbolicArray:
        return self.pairs

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a list of Python's and NumPy's numbers")

    @property
    def kind(self) -> Scalar:
        return INT if self.pairs.dtype.kind == "i" else FLOAT

    def length(self) -> object:
        return self.pairs.length()

    def numbers(self) -> SymbolicArray:
        found: SymbolicArray = self.pairs[:, 0]
        return found

    def item(self, index: object) -> SymbolicUnion:
        index = as_place(index)
        if not is_index(index):
            refuse("this index of a list of Python's and NumPy's numbers")
        flag = convert(binary("ne", self.pairs[index, 1], 0), BOOL)
        return SymbolicUnion(flag.operand(), self.kind, self.pairs[index, 0])

    def put(self, index: object, value: object) -> None:
        index, value = as_place(index), unwrap_union(value)
        if not is_index(index) or not may_hold(self.kind, value):
            refuse("a write that changes what kind of list it is")
        flag: object = 0 if kind_of_number(value) == self.kind else 1
        if isinstance(value, SymbolicUnion):
            flag, value = convert(SymbolicScalar(value.tag, BOOL), INT), value.payload
        self.pairs[index, 0] = value
        self.pairs[index, 1] = flag

    __getitem__, __setitem__ = item, put


def may_hold(kind: Scalar, value: object) -> bool:
    """Whether `value` is a number of this kind of Python's, or of NumPy's like it, or of either."""
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion):
        return value.first == kind and value.payload.type == NUMPYS.get(kind)
    return kind_of_number(value) == kind or (
        isinstance(value, SymbolicScalar) and value.type == NUMPYS.get(kind)
    )


def of_either_kind(first: NumberList) -> EitherItems:
    """The list, of which other items may be NumPy's."""
    shape = (first.length(), 2)
    pairs = numpy_call(np.zeros, (shape,), {"dtype": np.dtype(NUMPYS[first.kind].dtype)})
    pairs[:, 0] = first.array
    made = EitherItems(pairs)
    made.site = first.site
    return made
