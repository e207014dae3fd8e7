"""When elements are picked, and written to, by programs."""

from __future__ import annotations

from ...graph.symbolic.arith import lift
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_elementwise import copy
from ...graph.symbolic.numpy_meaning import NUMPY
from ...graph.symbolic.symbols import unwrap_union
from ...graph.trace.build import current
from ..wanted import is_wanted
from . import kinds, picking
from .inline import PLAIN, Pays, Program, inlined
from .known import count_of, counted, own

_MOST_LISTED = 4
"""A list of so many places is written out, without a loop."""


def picked(array: SymbolicArray, index: object) -> object:
    """``array[index]`` by ints or truths."""
    if not kinds.is_array(array) or not kinds.is_straight(array):
        return PLAIN
    if (places := _listed(array, index)) is not None:
        return inlined(picking.take_listed, (array, places), Pays.BESIDE_OTHERS)
    index = tuple(map(_as_places, index)) if isinstance(index, tuple) else _as_places(index)
    if kinds.is_indices(index):
        return inlined(picking.take, (array, index), Pays.BESIDE_OTHERS)
    if kinds.is_indices(index, 2) and index.order == "C":
        return inlined(picking.take_table, (array, index), Pays.BESIDE_OTHERS)
    if isinstance(index, SymbolicArray) and index.dtype.kind == "b":
        return _chosen(array, index)
    if not isinstance(index, tuple) or len(index) != 2 or array.ndim != 2:
        return PLAIN
    if (parts := _one_line(array, index)) is not None:
        if kinds.is_indices(parts[1]) and kinds.is_int(index[0]):
            return inlined(picking.take_in_row, (array, index[0], parts[1]), Pays.BESIDE_OTHERS)
        return picked(*parts)
    first, second = map(unwrap_union, index)
    if kinds.is_indices(second) and isinstance(first, slice) and _is_whole(first):
        return inlined(picking.take_columns, (array, second), Pays.BESIDE_OTHERS)
    if kinds.is_indices(first) and _is_whole(second):
        return inlined(picking.take, (array, first), Pays.BESIDE_OTHERS)
    if kinds.is_indices(first) and kinds.is_indices(second) and kinds.same_length(first, second):
        return inlined(picking.take_pairs, (array, first, second), Pays.BESIDE_OTHERS)
    if (grid := _grid(first, second)) is not None:
        return inlined(picking.take_grid, (array, *grid), Pays.ALONE)
    return PLAIN


def _grid(rows: object, columns: object) -> tuple[SymbolicArray, SymbolicArray] | None:
    """A column of rows and a row of columns, as ``np.ix_`` makes them: ``d[:, None], d`` is one, too."""
    if kinds.is_indices(rows, 2) and kinds.is_indices(columns) and rows.shape_sizes[1] == 1:
        columns = columns.reshape(1, -1)
    if not kinds.is_indices(rows, 2) or not kinds.is_indices(columns, 2):
        return None
    return (rows, columns) if rows.shape_sizes[1] == 1 and columns.shape_sizes[0] == 1 else None


def _listed(array: SymbolicArray, index: object) -> tuple[object, ...] | None:
    """The few ints of ``[p, q]``, or of ``[p, q], :`` where there are rows: they are written one by one."""
    if isinstance(index, tuple) and len(index) == array.ndim == 2 and _is_whole(unwrap_union(index[1])):
        index = unwrap_union(index[0])
    if not isinstance(index, list) or not 0 < len(index) <= _MOST_LISTED:
        return None
    places = tuple(map(unwrap_union, index))
    return places if all(kinds.is_int(place) for place in places) else None


def _as_places(index: object) -> object:
    """A list of ints as NumPy takes it."""
    if not isinstance(index, list) or not index or not is_wanted():
        return index
    return lift(index) if all(kinds.is_int(unwrap_union(place)) for place in index) else index


def _is_whole(index: object) -> bool:
    return index is Ellipsis or (
        isinstance(index, slice) and index.start is None and index.stop is None and index.step is None
    )


def _one_line(array: SymbolicArray, index: tuple[object, ...]) -> tuple[SymbolicArray, object] | None:
    """The row or column that an int picks, and what picks from that: ``x[mask, 0]``, ``x[i, places]``."""
    row, column = map(unwrap_union, index)
    line, places = (0, column) if kinds.is_int(row) else (1, row)
    if not kinds.is_int((row, column)[line]) or not is_wanted():
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
    if mask.ndim == array.ndim and kinds.is_straight(array) and kinds.is_straight(mask):
        given = (lambda: _flat(array), lambda: _flat(mask), lambda: counted(mask))
        return inlined(picking.choose, (array, mask, given[2]) if mask.ndim == 1 else given, Pays.ALONE)
    if mask.ndim > 2:
        return PLAIN
    program = picking.choose_rows if mask.ndim == 1 else picking.choose_of_matrix
    return inlined(program, (array, mask, lambda: counted(mask)), Pays.BESIDE_OTHERS)


def _flat(array: SymbolicArray) -> SymbolicArray:
    """The array's elements along one axis, in the same memory where they lie so."""
    whole = array if array.type.layout == "C" else copy(array)
    found: SymbolicArray = whole.reshape(-1)
    return found


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
        return inlined(program, (array, lambda: own(index, array), value), Pays.BESIDE_OTHERS)
    if value.ndim != array.ndim or not kinds.same_length(index, value) or not kinds.same_rows(array, value):
        return PLAIN
    program = picking.put if array.ndim == 1 else picking.put_rows
    return inlined(program, (array, lambda: own(index, array), lambda: own(value, array)), Pays.BESIDE_OTHERS)


def _put_listed(array: SymbolicArray, places: tuple[object, ...], value: object) -> object:
    if not isinstance(value, SymbolicArray):
        return inlined(picking.put_number_listed, (array, places, value), Pays.BESIDE_OTHERS)
    if value.ndim != array.ndim or value.shape_sizes[0] != len(places) or not kinds.same_rows(array, value):
        return PLAIN
    return inlined(picking.put_listed, (array, places, lambda: own(value, array)), Pays.BESIDE_OTHERS)


def _put_stepped(array: SymbolicArray, index: slice, value: object) -> object:
    """A slice whose step is known before is a view (`symbolic/slices.py`)."""
    ends = [unwrap_union(end) for end in (index.start, index.stop, index.step)]
    if type(ends[2]) is int or not kinds.is_int(ends[2]) or isinstance(value, SymbolicArray):
        return PLAIN
    if array.ndim != 1 or not all(end is None or kinds.is_int(end) for end in ends):
        return PLAIN
    return inlined(picking.put_number_stepped, (array, *ends, value), Pays.BESIDE_OTHERS)


def _put_pairs(array: SymbolicArray, index: tuple[object, ...], value: object) -> object:
    if len(index) != 2 or array.ndim != 2:
        return PLAIN
    if (parts := _one_line(array, index)) is not None:
        if kinds.is_indices(parts[1]) and kinds.is_int(index[0]):
            inlined(picking.look_at_columns, (array, index[0], parts[1]), Pays.BESIDE_OTHERS)
        return put(*parts, value)
    rows, columns = map(unwrap_union, index)
    if (grid := _grid(rows, columns)) is not None:
        return _put_grid(array, *grid, value)
    if not kinds.is_indices(rows) or not kinds.is_indices(columns) or not kinds.same_length(rows, columns):
        return PLAIN
    places = (array, lambda: own(rows, array), lambda: own(columns, array))
    if not isinstance(value, SymbolicArray):
        return inlined(picking.put_number_in_pairs, (*places, value), Pays.BESIDE_OTHERS)
    if value.ndim != 1 or not kinds.same_length(rows, value):
        return PLAIN
    return inlined(picking.put_pairs, (*places, lambda: own(value, array)), Pays.BESIDE_OTHERS)


def _put_grid(array: SymbolicArray, rows: SymbolicArray, columns: SymbolicArray, value: object) -> object:
    places = (array, lambda: own(rows, array), lambda: own(columns, array))
    if not isinstance(value, SymbolicArray):
        return inlined(picking.put_number_in_grid, (*places, value), Pays.BESIDE_OTHERS)
    shape = rows.shape_sizes[0], columns.shape_sizes[1]
    if value.ndim != 2 or not all(map(current().same_size, value.shape_sizes, shape)):
        return PLAIN
    return inlined(picking.put_grid, (*places, lambda: own(value, array)), Pays.BESIDE_OTHERS)


def _put_chosen(array: SymbolicArray, mask: SymbolicArray, value: object) -> object:
    """One number through a mask of the array's own shape is written by `where` (`symbolic/masks.py`)."""
    front = mask.ndim
    if front > 2 or not kinds.is_mask(mask, front) or not kinds.same_shape(mask, array):
        return PLAIN
    places, rest = (array, lambda: own(mask, array)), array.shape_sizes[front:]
    if not isinstance(value, SymbolicArray):
        program: Program = picking.put_number_chosen if front == 1 else picking.put_number_in_matrix
        return inlined(program, (*places, value), Pays.BESIDE_OTHERS) if rest else PLAIN
    if value.ndim != 1 + len(rest) or not all(map(current().same_size, value.shape_sizes[1:], rest)):
        return PLAIN
    if not current().same_size(value.shape_sizes[0], count_of(mask)):
        return PLAIN
    program = picking.put_chosen if front == 1 else picking.put_in_matrix
    return inlined(program, (*places, lambda: own(value, array)), Pays.BESIDE_OTHERS)


def take(a: object, indices: object, axis: object = None) -> object:
    """``np.take`` of a vector, or of rows."""
    if not kinds.is_array(a) or not kinds.is_straight(a) or not kinds.is_indices(indices):
        return PLAIN
    if (axis is None and a.ndim == 1) or (type(axis) is int and axis == 0):
        return inlined(picking.take_filled, (a, indices), Pays.BESIDE_OTHERS)
    return PLAIN


def compress(condition: object, a: object, axis: object = None) -> object:
    """``np.compress`` of a vector."""
    if not kinds.is_mask(condition) or not kinds.is_array(a, 1) or axis not in (None, 0):
        return PLAIN
    return _chosen(a, condition)
