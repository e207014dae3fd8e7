"""Programs that pick elements by indices and masks, and write to the places that these say."""

from __future__ import annotations

import numpy as np

from .inline import part
from .places import set_element

Array = np.ndarray


def take(x: Array, index: Array) -> Array:
    """``x[index]``: elements, or rows, by an array of ints."""
    out = np.empty((len(index), *x.shape[1:]), x.dtype)
    for i in range(len(index)):
        k = index[i]
        out[i] = x[k]
    return out


def take_listed(x: Array, places: tuple[int, ...]) -> Array:
    """``x[[p, q]]``: elements, or rows, by a list of ints."""
    out = np.empty((len(places), *x.shape[1:]), x.dtype)
    for j, place in enumerate(places):
        out[j] = x[place]
    return out


def put_listed(x: Array, places: tuple[int, ...], values: Array) -> None:
    """``x[[p, q]] = values``, as many as there are places."""
    for place in places:
        x[place]
    for j, place in enumerate(places):
        x[place] = values[j]


def put_number_listed(x: Array, places: tuple[int, ...], value: float) -> None:
    """``x[[p, q]] = value``."""
    for place in places:
        x[place]
    for place in places:
        x[place] = value


def put_number_stepped(x: Array, start: int | None, stop: int | None, step: int, value: float) -> None:
    """``x[start:stop:step] = value``, with a step that is known only at run time."""
    size = len(x)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step > 0:
        low = 0 if start is None else within(start, size, 0, size)
        high = size if stop is None else within(stop, size, 0, size)
        for k in range(low, high, step):
            set_element(x, k, value)
    else:
        high = size - 1 if start is None else within(start, size, -1, size - 1)
        low = -1 if stop is None else within(stop, size, -1, size - 1)
        for k in range(high, low, step):
            set_element(x, k, value)


@part
def within(place: int, size: int, low: int, high: int) -> int:
    """The place of a slice's end, which may be counted from the end of an axis or lie outside."""
    if place < 0:
        place += size
    return min(max(place, low), high)


def take_in_row(x: Array, row: int, index: Array) -> Array:
    """``x[row, index]`` of a matrix that has the row: what it has not is of the second axis."""
    out = np.empty(len(index), x.dtype)
    for i in range(len(index)):
        k = index[i]
        out[i] = x[row, k]
    return out


def take_table(x: Array, index: Array) -> Array:
    """``x[index]`` by a matrix of ints."""
    out = np.empty((*index.shape, *x.shape[1:]), x.dtype)
    for i in range(index.shape[0]):
        for j in range(index.shape[1]):
            k = index[i, j]
            out[i, j] = x[k]
    return out


@part
def look_at_places(index: Array, x: Array) -> None:
    """Raise for an index that `x` has not: NumPy looks at all of them before it writes."""
    low = 0
    high = -1
    for i in range(len(index)):
        k = int(index[i])
        low = min(low, k)
        high = max(high, k)
    if low < -len(x) or high >= len(x):
        for i in range(len(index)):
            x[index[i]]


def look_at_columns(x: Array, row: int, index: Array) -> None:
    """The same of places in one row of a matrix, which are those of the second axis."""
    for i in range(len(index)):
        x[row, index[i]]


def take_pairs(x: Array, rows: Array, columns: Array) -> Array:
    """``x[rows, columns]`` of a matrix. All rows are looked at before any column."""
    look_at_places(rows, x)
    out = np.empty(len(rows), x.dtype)
    for i in range(len(rows)):
        row = rows[i]
        column = columns[i]
        out[i] = x[row, column]
    return out


def put_pairs(x: Array, rows: Array, columns: Array, values: Array) -> None:
    """``x[rows, columns] = values``."""
    look_at_places(rows, x)
    for i in range(len(rows)):
        x[rows[i], columns[i]]
    for i in range(len(rows)):
        row = rows[i]
        column = columns[i]
        x[row, column] = values[i]


def put_number_in_pairs(x: Array, rows: Array, columns: Array, value: float) -> None:
    """``x[rows, columns] = value``."""
    look_at_places(rows, x)
    for i in range(len(rows)):
        x[rows[i], columns[i]]
    for i in range(len(rows)):
        row = rows[i]
        column = columns[i]
        x[row, column] = value


def take_columns(x: Array, index: Array) -> Array:
    """``x[:, index]`` of a matrix. NumPy picks rows of the transpose."""
    turned = x.T
    out = np.empty((len(index), len(x)), x.dtype)
    for j in range(len(index)):
        x[:, index[j]]  # an index beyond is one of the second axis
    for j in range(len(index)):
        k = index[j]
        out[j] = turned[k]
    return out.T


@part
def look_at_grid(x: Array, rows: Array, columns: Array) -> None:
    """Raise for a row, or else a column, that `x` has not; NumPy looks at none where nothing is picked."""
    if len(rows) > 0 and columns.shape[1] > 0:
        look_at_places(rows[:, 0], x)
        for j in range(columns.shape[1]):
            x[:, columns[0, j]]


def take_grid(x: Array, rows: Array, columns: Array) -> Array:
    """``x[rows, columns]`` of a column of rows and a row of columns, as ``np.ix_`` makes them."""
    look_at_grid(x, rows, columns)
    out = np.empty((len(rows), columns.shape[1]), x.dtype)
    for i in range(len(rows)):
        for j in range(columns.shape[1]):
            row = rows[i, 0]
            column = columns[0, j]
            out[i, j] = x[row, column]
    return out


def put_grid(x: Array, rows: Array, columns: Array, values: Array) -> None:
    """``x[rows, columns] = values`` of such a grid."""
    look_at_grid(x, rows, columns)
    for i in range(len(rows)):
        for j in range(columns.shape[1]):
            row = rows[i, 0]
            column = columns[0, j]
            x[row, column] = values[i, j]


def put_number_in_grid(x: Array, rows: Array, columns: Array, value: float) -> None:
    """``x[rows, columns] = value`` of such a grid."""
    look_at_grid(x, rows, columns)
    for i in range(len(rows)):
        for j in range(columns.shape[1]):
            row = rows[i, 0]
            column = columns[0, j]
            x[row, column] = value


def put(x: Array, index: Array, values: Array) -> None:
    """``x[index] = values``: each index has a value of its own, and the last one stays."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = np.int64(index[i])
        if k < 0:
            k = k + len(x)
        set_element(x, k, values[i])


def put_rows(x: Array, index: Array, values: Array) -> None:
    """The same of rows."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = index[i]
        x[k] = values[i]


def put_number(x: Array, index: Array, value: float) -> None:
    """``x[index] = value``."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = np.int64(index[i])
        if k < 0:
            k = k + len(x)
        set_element(x, k, value)


def put_number_in_rows(x: Array, index: Array, value: float) -> None:
    """The same of rows."""
    look_at_places(index, x)
    for i in range(len(index)):
        k = index[i]
        x[k] = value


def choose(x: Array, mask: Array, count: int) -> Array:
    """``x[mask]``, of which there are `count`; no branch depends on the mask, which nobody could guess."""
    out = np.empty(count, x.dtype)
    j = 0
    for i in range(len(mask)):
        if j >= count:
            break
        set_element(out, j, x[i])
        if mask[i]:
            j += 1
    return out


def choose_rows(x: Array, mask: Array, count: int) -> Array:
    """``x[mask]`` of rows."""
    out = np.empty((count, *x.shape[1:]), x.dtype)
    j = 0
    for i in range(len(mask)):
        if mask[i]:
            out[j] = x[i]
            j += 1
    return out


def choose_of_matrix(x: Array, mask: Array, count: int) -> Array:
    """``x[mask]`` of the elements, or rows, of a matrix."""
    out = np.empty((count, *x.shape[2:]), x.dtype)
    k = 0
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j]:
                out[k] = x[i, j]
                k += 1
    return out


def put_in_matrix(x: Array, mask: Array, values: Array) -> None:
    """``x[mask] = values`` of the elements, or rows, of a matrix, which are as many."""
    k = 0
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j]:
                x[i, j] = values[k]
                k += 1


def put_number_in_matrix(x: Array, mask: Array, value: float) -> None:
    """``x[mask] = value`` of rows of a matrix."""
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j]:
                x[i, j] = value


def put_chosen(x: Array, mask: Array, values: Array) -> None:
    """``x[mask] = values``, which are as many."""
    j = 0
    for i in range(len(mask)):
        if mask[i]:
            x[i] = values[j]
            j += 1


def put_number_chosen(x: Array, mask: Array, value: float) -> None:
    """``x[mask] = value`` of rows."""
    for i in range(len(mask)):
        if mask[i]:
            x[i] = value


def take_filled(x: Array, index: Array) -> Array:
    """``np.take(x, index)``, which has words of its own for an empty array."""
    if len(x) == 0 and len(index) > 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    out = np.empty((len(index), *x.shape[1:]), x.dtype)
    for i in range(len(index)):
        k = index[i]
        out[i] = x[k]
    return out
