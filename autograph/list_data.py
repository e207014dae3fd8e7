"""Python's lists of numbers as arrays: which can be, taking one over, and putting back what has changed.

All items have to be of one of Python's own types: ``True`` in a list of ints, or a `np.float64` in a list of
floats, would come back as something else. None may be NaN: ``in``, ``index`` and ``==`` of lists ask whether
it is the same object. Rows of a list of lists have to be lists of their own, all of one
length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np

_DTYPES: dict[type, Any] = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}
_NAMES: dict[str, type] = {kind.__name__: kind for kind in (*_DTYPES, np.float64, np.int64)}
MIXED = "mixed"
"""In the form of a list of ints and floats, or of lists of such: numbers, and flags of what is a float."""
TEXT = "text"
"""The form of a text: an array of its code points."""
RAGGED = "~"
"""In the form of a list of lists: of several lengths, as in ``int~2``."""
BOUNDS = "bounds"
"""The form for where the rows of such a list begin and end."""
LONG_TEXT = 16
"""Shorter texts are names of modes and the like: each is a constant."""
SHORT = 8
"""Lists of so few items are followed item by item while nothing asks for more."""
WIDEST = 8
"""Tuples of more numbers stay objects: each is a number of its own in compiled code."""
_FEW = 8
"""Where at most one of so many items has changed, items are put back one by one."""


def form_of(value: list[Any]) -> str:
    """The item type and the number of axes, as in ``float1`` or ``int2``; empty for any other list.

    Tuples of so many numbers are ``float(3)``, lists of those ``float(3)2``, NumPy's numbers ``float641``;
    rows of several lengths ``int~2``, ``float(3)~2``.
    """
    if not value:
        return ""
    kinds = set(map(type, value))
    if kinds == {tuple}:
        width, *others = set(map(len, value))
        inner = set(map(type, chain.from_iterable(value)))
        if others or not 0 < width <= WIDEST:
            return ""
        if len(inner) > 1:
            return _form_of_columns(list(zip(*value, strict=True)))
        return f"{inner.pop().__name__}({width})" if _is_form(inner, chain.from_iterable(value)) else ""
    if kinds == {list}:
        rows: list[list[Any]] = value
        inner = set(map(type, chain.from_iterable(rows)))
        between = RAGGED if len(set(map(len, rows))) > 1 else ""
        if inner == {tuple}:
            form = form_of(list(chain.from_iterable(rows)))
            return f"{form}{between}2" if form else ""
        if inner == {int, float}:
            return "" if between or _mixed(list(chain.from_iterable(rows))) is None else f"{MIXED}2"
        return f"{inner.pop().__name__}{between}2" if _is_form(inner, chain.from_iterable(rows)) else ""
    if kinds == {int, float}:
        return "" if _mixed(value) is None else f"{MIXED}1"
    if kinds <= {np.float64} or kinds <= {np.int64}:
        return f"{kinds.pop().__name__}1" if all(item == item for item in value) else ""
    return f"{kinds.pop().__name__}1" if _is_form(kinds, value) else ""


def _form_of_columns(columns: list[tuple[object, ...]]) -> str:
    kinds = [set(map(type, column)) for column in columns]
    form = f"({','.join(kind.__name__ for each in kinds for kind in each)})"
    is_form = all(len(each) == 1 and each <= {bool, int, float} for each in kinds)
    return form if is_form and _columns(columns, columns_of(form)) is not None else ""


def columns_of(form: str) -> tuple[str, ...]:
    """The types of the numbers of each tuple, where they are several: ``(int,float)``."""
    return tuple(form[1 : form.index(")")].split(",")) if form[0] == "(" else ()


def _columns(columns: Sequence[Sequence[Any]], names: tuple[str, ...]) -> np.ndarray | None:
    """Numbers of several types as floats, which hold ints of 53 bits exactly; None if one doesn't fit."""
    if len(columns) != len(names):
        return None
    found = np.empty((len(columns[0]), len(columns)))
    for k, (column, name) in enumerate(zip(columns, names, strict=True)):
        if set(map(type, column)) != {_NAMES[name]}:
            return None
        with suppress(OverflowError):
            now = found[:, k] = np.array(column, _DTYPES[_NAMES[name]])
            if (np.abs(now) <= 2**53).all() if name == "int" else (now == now).all():
                continue
        return None
    return found


def _mixed(items: list[Any]) -> np.ndarray | None:
    """Ints and floats as floats, each with a flag; None if an int isn't one exactly, or a number is NaN."""
    if not set(map(type, items)) <= {int, float}:
        return None
    with suppress(OverflowError):
        numbers = np.array(items, np.float64)
        flags = np.array([type(item) is float for item in items])
        if (numbers == numbers).all() and (flags | (np.abs(numbers) < 2**53)).all():
            return np.stack([numbers, flags], axis=1)
    return None


def _mixed_rows(value: object, axes: str) -> np.ndarray:
    """A list of ints and floats, or of as long lists of such."""
    if type(value) is list and value:
        if axes == "1" and (found := _mixed(value)) is not None:
            return found
        is_table = axes == "2" and set(map(type, value)) == {list} and len(set(map(len, value))) == 1
        if is_table and len(set(map(id, value))) == len(value):
            if (found := _mixed(list(chain.from_iterable(value)))) is not None:
                return found.reshape(len(value), -1, 2)
    raise LookupError(f"{MIXED}{axes}")


def _is_form(kinds: set[type], items: Iterable[Any]) -> bool:
    if len(kinds) != 1 or not kinds <= _DTYPES.keys():
        return False
    return kinds <= {bool, int} or not any(item != item for item in items)


def taken(value: object, form: str) -> np.ndarray:
    """A new array of the numbers of a list that has this form, or of the code points of a text.

    Raises:
        LookupError: it has another one, or holds an int beyond 64 bits or NaN.
    """
    if form == TEXT:
        if type(value) is str and value:
            return np.frombuffer(value.encode("utf-32-le", "surrogatepass"), np.uint32).copy()
        raise LookupError(form)
    if form[-1] == ")":
        return _tuples(value, form)
    if form == BOUNDS:
        return _bounds(value)
    if form[-2] == RAGGED:
        return in_one(value, form, taken)
    if form[-2] == ")":
        return _rows_of_tuples(value, form[:-1])
    if form[:-1] == MIXED:
        return _mixed_rows(value, form[-1])
    kind = _NAMES[form[:-1]]
    if type(value) is list and value:
        one = form[-1] == "1" and set(map(type, value)) == {kind}
        if one or (form[-1] == "2" and _is_table(value, kind)):
            with suppress(OverflowError):
                found = np.array(value, _DTYPES.get(kind, kind))
                if kind in (bool, int) or not (found != found).any():
                    return found
    raise LookupError(form)


def has_numpys(form: str) -> bool:
    """Whether the items are NumPy's numbers."""
    return form[:-1] in ("float64", "int64")


def _tuples(value: object, form: str) -> np.ndarray:
    if names := columns_of(form):
        if type(value) is list and set(map(type, value)) == {tuple} and len(set(map(len, value))) == 1:
            if (found := _columns(list(zip(*value, strict=True)), names)) is not None:
                return found
        raise LookupError(form)
    kind, width = _NAMES[form.partition("(")[0]], int(form[:-1].partition("(")[2])
    if type(value) is list and value and set(map(type, value)) == {tuple} and set(map(len, value)) == {width}:
        items = list(chain.from_iterable(value))
        if set(map(type, items)) == {kind}:
            with suppress(OverflowError):
                found = np.array(items, _DTYPES[kind]).reshape(-1, width)
                if kind in (bool, int) or not (found != found).any():
                    return found
    raise LookupError(form)


def _rows_of_tuples(value: object, form: str) -> np.ndarray:
    """Nothing is written into the rows: one may stand at several places."""
    if type(value) is list and value and set(map(type, value)) == {list} and len(set(map(len, value))) == 1:
        items = _tuples(list(chain.from_iterable(value)), form)
        return items.reshape(len(value), -1, items.shape[1])
    raise LookupError(form)


def in_one(value: object, form: str, read: Callable[[object, str], np.ndarray]) -> np.ndarray:
    """The numbers or tuples of rows of any lengths, one row after the other, as `read` takes a list over."""
    if type(value) is list and value and set(map(type, value)) == {list}:
        inner = form[:-2]
        return read(list(chain.from_iterable(value)), inner if inner[-1] == ")" else f"{inner}1")
    raise LookupError(form)


def _bounds(value: object) -> np.ndarray:
    """Where each row begins in what `in_one` gives, and where the last one ends."""
    if type(value) is list and value and set(map(type, value)) == {list}:
        return np.cumsum([0, *map(len, value)])
    raise LookupError(BOUNDS)


def _is_table(value: list[Any], kind: type) -> bool:
    return (
        set(map(type, value)) == {list}
        and len(set(map(len, value))) == 1
        and len(set(map(id, value))) == len(value)
        and set(map(type, chain.from_iterable(value))) == {kind}
    )


def apart(*lists: list[Any] | dict[Any, Any]) -> bool:
    """Whether no list or dict is another one, or a row of another one."""
    tables = [one for one in lists if type(one) is list and one and type(one[0]) is list]
    rows = [row for one in tables for row in {id(row): row for row in one}.values()]
    names = [id(one) for one in (*lists, *rows)]
    return len(set(names)) == len(names)


def put_back(target: list[Any], array: np.ndarray, before: np.ndarray) -> None:
    """Store the items of `array` that differ from those taken over; list and rows stay what they are."""
    if array.ndim == 2:
        for row, now, old in zip(target, array, before, strict=True):
            put_back(row, now, old)
        return
    changed = np.flatnonzero(_bits(array) != _bits(before))
    if len(changed) == len(target):
        target[:] = array.tolist()
        return
    if len(changed) * _FEW > len(target):
        for place, item in zip(changed.tolist(), array[changed].tolist(), strict=True):
            target[place] = item
        return
    for place in changed.tolist():
        target[place] = array[place].item()


def _bits(array: np.ndarray) -> np.ndarray:
    """The array with all NaN equal to themselves, and zeros of two signs apart."""
    if array.dtype.kind == "c":
        return array.view(np.dtype((np.void, 16)))
    return array.view(np.int64) if array.dtype.kind == "f" else array
