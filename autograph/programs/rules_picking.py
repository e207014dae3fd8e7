"""When elements are picked, and written to, by programs."""

from __future__ import annotations

from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_meaning import NUMPY
from ...graph.symbolic.symbols import unwrap_union
from ...graph.trace.build import current
from . import kinds, picking
from .inline import PLAIN, Program, inlined, is_wanted
from .known import count_of, counted, own

_MOST_LISTED = 4
"""A list of so many places is written out, without a loop."""


def picked(array: SymbolicArray, index: object) -> object:
    """``array[index]`` by ints or truths."""
    if not kinds.is_array(array) or not kinds.is_straight(array):
        return PLAIN
    if (places := _listed(array, index)) is not None:
        return inlined(picking.take_listed, (array, places), alone=False)
    if kinds.is_indices(index):
        return inlined(picking.take, (array, index), alone=False)
    if kinds.is_indices(index, 2) and index.order == "C":
        return inlined(picking.take_table, (array, index), alone=False)
    if isinstance(index, SymbolicArray) and index.dtype.kind == "b":
        return _chosen(array, index)
    if not isinstance(index, tuple) or len(index) != 2 or array.ndim != 2:
        return PLAIN
    if (parts := _one_line(array, index)) is not None:
        return picked(*parts)
    first, second = map(unwrap_union, index)
    if kinds.is_indices(second) and isinstance(first, slice) and _is_whole(first):
        return inlined(picking.take_columns, (array, second), alone=False)
    if kinds.is_indices(first) and _is_whole(second):
        return inlined(picking.take, (array, first), alone=False)
    if kinds.is_indices(first) and kinds.is_indices(second) and kinds.same_length(first, second):
        return inlined(picking.take_pairs, (array, first, second), alone=False)
    if kinds.is_indices(first, 2) and kinds.is_indices(second, 2):
        if first.shape_sizes[1] == 1 and second.shape_sizes[0] == 1:
            return inlined(picking.take_grid, (array, first, second), alone=False)
    return PLAIN


def _listed(array: SymbolicArray, index: object) -> tuple[object, ...] | None:
    """The few ints of ``[p, q]``, or of ``[p, q], :`` where there are rows: they are written one by one."""
    if isinstance(index, tuple) and len(index) == array.ndim == 2 and _is_whole(unwrap_union(index[1])):
        index = unwrap_union(index[0])
    if not isinstance(index, list) or not 0 < len(index) <= _MOST_LISTED:
        return None
    places = tuple(map(unwrap_union, index))
    return places if all(kinds.is_int(place) for place in places) else None


def _is_whole(index: object) -> bool:
    return index is Ellipsis or (
        isinstance(index, slice) and index.start is None and index.stop is None and index.step is None
    )


def _one_line(array: SymbolicArray, index: tuple[object, ...]) -> tuple[SymbolicArray, object] | None:
    """The row or column that an int picks, and what picks from that: ``x[mask, 0]``, ``x[i, places]``."""
    row, column = map(unwrap_union, index)
    line, places = (0, column) if kinds.is_int(row) else (1, row)
    if not kinds.is_int((row, column)[line]) or not is_wanted(alone=False):
        return None
    size = array.shape_sizes[1 - line]
    if not kinds.is_indices(places):
        if not kinds.is_mask(places) or not current().same_size(places.shape_sizes[0], size):
            return None
    whole = slice(None)
    found = NUMPY.get_item(array, (row, whole) if line == 0 else (whole, column))
    return (found, places) if isinstance(found, SymbolicArray) else None


def _chosen(array: SymbolicArray, mask: SymbolicArray) -> object:
    if not kinds.is_mask(mask, mask.ndim) or not kinds.same_shape(mask, array):
        return PLAIN
    if mask.ndim == array.ndim and _is_flat(array) and _is_flat(mask):
        given = (lambda: array.reshape(-1), lambda: mask.reshape(-1), lambda: counted(mask))
        return inlined(picking.choose, (array, mask, given[2]) if mask.ndim == 1 else given, alone=True)
    if mask.ndim == 1:
        return inlined(picking.choose_rows, (array, mask, lambda: counted(mask)), alone=False)
    return PLAIN


def _is_flat(array: SymbolicArray) -> bool:
    """Whether the array can be looked at along one axis, in the same memory."""
    return array.ndim == 1 or array.type.layout == "C"


def put(array: SymbolicArray, index: object, value: object) -> object:
    """``array[index] = value`` by ints or truths."""
    if not kinds.is_array(array) or not array.type.writeable or not kinds.goes_into(value, array.dtype):
        return PLAIN
    if (places := _listed(array, index)) is not None:
        return _put_listed(array, places, value)
    if isinstance(index, slice):
        return _put_stepped(array, index, value)
    if isinstance(index, SymbolicArray) and index.dtype.kind == "b":
        return _put_chosen(array, index, value)
    if isinstance(index, tuple):
        return _put_pairs(array, index, value)
    if not kinds.is_indices(index):
        return PLAIN
    if not isinstance(value, SymbolicArray):
        program: Program = picking.put_number if array.ndim == 1 else picking.put_number_in_rows
        return inlined(program, (array, lambda: own(index, array), value), alone=False)
    if value.ndim != array.ndim or not kinds.same_length(index, value) or not kinds.same_rows(array, value):
        return PLAIN
    program = picking.put if array.ndim == 1 else picking.put_rows
    return inlined(program, (array, lambda: own(index, array), lambda: own(value, array)), alone=False)


def _put_listed(array: SymbolicArray, places: tuple[object, ...], value: object) -> object:
    if not isinstance(value, SymbolicArray):
        return inlined(picking.put_number_listed, (array, places, value), alone=False)
    if value.ndim != array.ndim or value.shape_sizes[0] != len(places) or not kinds.same_rows(array, value):
        return PLAIN
    return inlined(picking.put_listed, (array, places, lambda: own(value, array)), alone=False)


def _put_stepped(array: SymbolicArray, index: slice, value: object) -> object:
    """A slice whose step is known before is a view (`symbolic/slices.py`)."""
    ends = [unwrap_union(end) for end in (index.start, index.stop, index.step)]
    if type(ends[2]) is int or not kinds.is_int(ends[2]) or isinstance(value, SymbolicArray):
        return PLAIN
    if array.ndim != 1 or not all(end is None or kinds.is_int(end) for end in ends):
        return PLAIN
    return inlined(picking.put_number_stepped, (array, *ends, value), alone=False)


def _put_pairs(array: SymbolicArray, index: tuple[object, ...], value: object) -> object:
    if len(index) != 2 or array.ndim != 2:
        return PLAIN
    if (parts := _one_line(array, index)) is not None:
        if kinds.is_indices(parts[1]) and kinds.is_int(index[0]):
            inlined(picking.look_at_columns, (array, index[0], parts[1]), alone=False)
        return put(*parts, value)
    rows, columns = map(unwrap_union, index)
    if not kinds.is_indices(rows) or not kinds.is_indices(columns) or not kinds.same_length(rows, columns):
        return PLAIN
    places = (array, lambda: own(rows, array), lambda: own(columns, array))
    if not isinstance(value, SymbolicArray):
        return inlined(picking.put_number_in_pairs, (*places, value), alone=False)
    if value.ndim != 1 or not kinds.same_length(rows, value):
        return PLAIN
    return inlined(picking.put_pairs, (*places, lambda: own(value, array)), alone=False)


def _put_chosen(array: SymbolicArray, mask: SymbolicArray, value: object) -> object:
    """One number through a mask of the array's own shape is written by `where` (`symbolic/masks.py`)."""
    if not kinds.is_mask(mask) or not kinds.same_shape(mask, array):
        return PLAIN
    if not isinstance(value, SymbolicArray):
        if array.ndim == 1:
            return PLAIN
        return inlined(picking.put_number_chosen, (array, lambda: own(mask, array), value), alone=False)
    if value.ndim != array.ndim or not kinds.same_rows(array, value):
        return PLAIN
    if not current().same_size(value.shape_sizes[0], count_of(mask)):
        return PLAIN
    return inlined(
        picking.put_chosen, (array, lambda: own(mask, array), lambda: own(value, array)), alone=False
    )


def take(a: object, indices: object, axis: object = None) -> object:
    """``np.take`` of a vector, or of rows."""
    if not kinds.is_array(a) or not kinds.is_straight(a) or not kinds.is_indices(indices):
        return PLAIN
    if (axis is None and a.ndim == 1) or (type(axis) is int and axis == 0):
        return inlined(picking.take_filled, (a, indices), alone=False)
    return PLAIN


def compress(condition: object, a: object, axis: object = None) -> object:
    """``np.compress`` of a vector."""
    if not kinds.is_mask(condition) or not kinds.is_array(a, 1) or axis not in (None, 0):
        return PLAIN
    return _chosen(a, condition)
