"""Lists of numbers that leave compiled code: without NaN, as ``in`` of lists asks for the same object."""

from __future__ import annotations

import numpy as np

from .faults import Deoptimise


def without_nan(*arrays: np.ndarray) -> None:
    """Say that the plain function has to run where an array holds NaN: which object it was is not known here.

    Raises:
        Deoptimise: one does.
    """
    for array in arrays:
        if (array != array).any():
            raise Deoptimise("a list got NaN, and lists ask whether NaN is the same object")


def scalars(array: np.ndarray) -> list[object]:
    """The new list of the floating-point numbers of an array, which stay NumPy's.

    Raises:
        Deoptimise: one is NaN.
    """
    without_nan(array)
    return list(array)


def listed(array: np.ndarray) -> list[object]:
    """The new list of an array of floating-point numbers.

    Raises:
        Deoptimise: it holds NaN.
    """
    without_nan(array)
    found: list[object] = array.tolist()
    return found


def listed_rows(*columns: np.ndarray) -> list[object]:
    """The new list of rows, lists of numbers of one type, by their columns.

    Raises:
        Deoptimise: one is NaN.
    """
    without_nan(*columns)
    found: list[object] = np.stack(columns, axis=1).tolist()
    return found


def either_listed(pairs: np.ndarray) -> list[object]:
    """The new list of numbers of which a flag tells whether they stay NumPy's; of rows a list of lists.

    Raises:
        Deoptimise: one is NaN.
    """
    if pairs.ndim > 2:
        return [either_listed(row) for row in pairs]
    return either_items(pairs[:, 0], pairs[:, 1])


def either_items(numbers: np.ndarray, flags: np.ndarray) -> list[object]:
    """The same of two arrays.

    Raises:
        Deoptimise: a number is NaN.
    """
    without_nan(numbers)
    kept = zip(numbers, flags.tolist(), strict=True)
    return [number if flag else number.item() for number, flag in kept]


def mixed_listed(pairs: np.ndarray, numpys: bool = False) -> list[object]:
    """The new list of numbers of which a flag tells whether they are floats, Python's or NumPy's, or ints.

    Raises:
        Deoptimise: one is NaN.
    """
    if pairs.ndim > 2:
        return [mixed_listed(row, numpys) for row in pairs]
    return mixed_items(pairs[:, 0], pairs[:, 1], numpys)


def mixed_items(numbers: np.ndarray, flags: np.ndarray, numpys: bool = False) -> list[object]:
    """The same of two arrays.

    Raises:
        Deoptimise: a number is NaN.
    """
    without_nan(numbers)
    kept = zip(numbers if numpys else numbers.tolist(), flags.tolist(), strict=True)
    return [number if flag else int(number) for number, flag in kept]


def or_none_listed(pairs: np.ndarray, numpys: bool = False) -> list[object]:
    """The new list of numbers, Python's or NumPy's, and of None where a flag says so.

    Raises:
        Deoptimise: one is NaN.
    """
    if pairs.ndim > 2:
        return [or_none_listed(row, numpys) for row in pairs]
    numbers, flags = pairs[:, 0], pairs[:, 1]
    without_nan(numbers[flags != 0])
    kept = zip(numbers if numpys else numbers.tolist(), flags.tolist(), strict=True)
    return [number if flag else None for number, flag in kept]


def in_places(rows: list[object], order: np.ndarray) -> list[object]:
    """The new list of these rows, one for each number in `order`."""
    return [rows[place] for place in order.tolist()]


def own_rows(items: np.ndarray) -> list[np.ndarray]:
    """The rows, as arrays of their own."""
    return [row.copy() for row in items]


def with_room(items: np.ndarray, count: int) -> np.ndarray:
    """The buffer of a list that grows, or a longer one, with a place for one more than `count` items."""
    return items if count < len(items) else np.concatenate((items, np.empty_like(items)))
