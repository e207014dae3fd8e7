"""Writes through a mask of what is computed of elements that the same mask chooses.

a[m] = b[m] * c      →      a[...] = np.where(m, b * c, a)

Where the loop is compiled, only what is chosen is computed, and nothing is made between.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...graph.analysis.effects import effects_of
from ...graph.ir.types import Scalar
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.indexing import assign
from ...graph.symbolic.masks import chosen, is_mask
from ...graph.symbolic.symbols import BINARY, Symbol, unwrap_union
from ...graph.trace.build import TraceError, current
from ...graph.trace.quiet import KINDS, Quiet
from ..attempt import attempt
from ..wanted import is_wanted
from .items import NAMES, setitem, update_item

Whole = Callable[[Callable[[object], object], Callable[[object], object]], object]


def set_chosen(
    container: object, mask: object, whole: Whole, value: Callable[[], object], sign: str = ""
) -> None:
    """``container[mask] <sign> value``, of which `whole` is what it is for all elements."""
    if (
        isinstance(container, SymbolicArray)
        and isinstance(mask, SymbolicArray)
        and _may_be_whole(container, mask)
    ):
        with attempt() as trial:
            if _set(container, mask, whole, sign):
                return
            trial.give_up()
    if sign:
        update_item(container, mask, sign, value)
    else:
        setitem(container, mask, value())


def set_chosen_of(
    container: Callable[[], object], mask: object, whole: Whole, value: Callable[[], object], sign: str = ""
) -> None:
    """The same where `container` reads an attribute: it is read when its turn comes."""
    with attempt() as trial:
        nodes = current().blocks[-1]
        before = len(nodes)
        found = unwrap_union(container())
        if not all(effects_of(node).droppable for node in nodes[before:]):
            trial.give_up()
        if not isinstance(found, SymbolicArray) or not isinstance(mask, SymbolicArray):
            trial.give_up()
        if _may_be_whole(found, mask) and _set(found, mask, whole, sign):
            return
        trial.give_up()
    if sign:
        update_item(container(), mask, sign, value)
        return
    new = value()
    setitem(container(), mask, new)


def _may_be_whole(container: SymbolicArray, mask: SymbolicArray) -> bool:
    if not container.type.writeable or not is_wanted():
        return False
    return container.dtype.kind in "biufc" and container.dtype.isnative and is_mask(container, mask)


def _set(container: SymbolicArray, mask: SymbolicArray, whole: Whole, sign: str) -> bool:
    """Write all elements: those that aren't chosen as they are. False where that isn't the same."""

    def part(array: object) -> object:
        array = unwrap_union(array)
        if not isinstance(array, SymbolicArray) or not is_like(array):
            raise TraceError("it is no array of the mask's shape")
        return array

    def is_like(array: SymbolicArray) -> bool:
        if array.ndim != container.ndim or not array.dtype.isnative or array.dtype.kind not in "biufc":
            return False
        return all(map(current().same_size, array.shape_sizes, container.shape_sizes))

    nodes = current().blocks[-1]
    before = len(nodes)
    with Quiet(frozenset(KINDS)):
        found = whole(part, _one)
        if sign and isinstance(found, Symbol):
            found = BINARY[NAMES[sign[:-1]]][1](container, found)
        if not isinstance(found, SymbolicArray) or not is_like(found):
            return False
        if not _fits(found.dtype, container.dtype, sign) or nodes is not current().blocks[-1]:
            return False
        if not all(effects_of(node).droppable for node in nodes[before:]):
            return False
        fitting = found if found.dtype == container.dtype else found.astype(container.dtype)
        assign(container, chosen(container, mask, fitting))
    return True


def _fits(found: np.dtype, dtype: np.dtype, sign: str) -> bool:
    """Whether NumPy writes such numbers; in place they are of the array's own dtype."""
    return found == dtype if sign else np.can_cast(found, dtype, "same_kind")


def _one(value: object) -> object:
    """A number, or a function that is called with single elements."""
    value = unwrap_union(value)
    if isinstance(value, np.ufunc):
        if value.signature is None and value.nout == 1:
            return value
    elif isinstance(type_of(value), Scalar):
        return value
    raise TraceError("it is no number")
