"""Which program stands for a call of NumPy's, if one covers it exactly. What no rule takes is as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...graph.ir.nodes import Value
from ...graph.symbolic.arrays import SymbolicArray, symbol_for
from ...graph.symbolic.numpy_elementwise import copy
from ...graph.symbolic.numpy_meaning import NUMPY
from ...graph.symbolic.symbols import SymbolicScalar, unwrap_union
from ...graph.trace.build import current
from . import kinds, picking
from .inline import PLAIN, inlined
from .known import Key, is_new, load_key, unchanged

Rule = Callable[..., object]


def get_item(array: SymbolicArray, index: object) -> object:
    """``array[index]``."""
    index = unwrap_union(index)
    if (key := load_key(array, index)) is not None:
        return _loaded(array, index, key)
    found = _picked(array, index) if kinds.is_array(array) else PLAIN
    return NUMPY.get_item(array, index) if found is PLAIN else found


def _loaded(array: SymbolicArray, index: object, key: Key) -> object:
    """An int of an array, read once as long as it stays."""
    if (value := unchanged(key, array)) is not None:
        return symbol_for(value)
    found = NUMPY.get_item(array, index)
    if isinstance(found, SymbolicScalar) and isinstance(value := found.operand(), Value):
        current().remember(key, value)
    return found


def _picked(array: SymbolicArray, index: object) -> object:
    if not kinds.is_straight(array):
        return PLAIN
    if kinds.is_indices(index):
        return inlined(picking.take, (array, index), alone=False)
    if not isinstance(index, tuple) or len(index) != 2 or array.ndim != 2:
        return PLAIN
    first, second = map(unwrap_union, index)
    if kinds.is_indices(first) and kinds.is_indices(second) and kinds.same_length(first, second):
        return inlined(picking.take_pairs, (array, first, second), alone=False)
    return PLAIN


def set_item(array: SymbolicArray, index: object, value: object) -> None:
    """``array[index] = value``."""
    if not kinds.is_array(array) or _put(array, unwrap_union(index), unwrap_union(value)) is PLAIN:
        NUMPY.set_item(array, index, value)


def _put(array: SymbolicArray, index: object, value: object) -> object:
    if not array.type.writeable or not kinds.goes_into(value, array.dtype):
        return PLAIN
    if not kinds.is_indices(index):
        return PLAIN
    if isinstance(value, SymbolicArray):
        if value.ndim != array.ndim or not kinds.same_length(index, value):
            return PLAIN
        return inlined(picking.put, (array, _own(index), _own(value)), alone=False)
    return inlined(picking.put_number, (array, _own(index), value), alone=False)


def _own(array: SymbolicArray) -> SymbolicArray:
    """The array, or a copy where a write could change it: NumPy has read all before it writes."""
    return array if is_new(array) else copy(array)


MEANING = replace(NUMPY, get_item=get_item, set_item=set_item)
"""What symbols mean while a function is traced."""
