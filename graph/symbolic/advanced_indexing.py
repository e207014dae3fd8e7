"""Advanced indexing: integer arrays, masks and lists pick elements. It runs uncompiled, into new memory."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..ir.dims import Size
from ..ir.literals import is_number
from ..trace.template import index_text
from .arrays import SymbolicArray
from .broadcasting import broadcast
from .numpy_api import generic
from .symbols import SymbolicScalar


def pick(array: SymbolicArray, items: tuple[Any, ...]) -> Any:
    """``array[items]`` where that is no basic indexing, or none that is known now."""
    index = items if len(items) != 1 else items[0]
    shape, layout = _known_shape(array, items) or (None, None)
    return generic(
        _picked,
        None,
        (array, index),
        {},
        source=lambda t: f"{t.write(array)}[{index_text(t, index)}]",
        shape=shape,
        layout=layout,
        function=operator.getitem,
        owned=any(_is_advanced(item) for item in items),
    )


def _picked(array: np.ndarray, index: Any) -> Any:
    """The example's ``array[index]``, at places that it has."""
    items = index if isinstance(index, tuple) else (index,)
    return array[tuple(_first(item) for item in items)]


def _first(item: Any) -> Any:
    """An index of the same shape that points to the beginning."""
    if isinstance(item, np.ndarray):
        return np.zeros_like(item) if item.dtype.kind in "iu" else item
    return 0 if _is_int(item) else item


def _is_advanced(item: Any) -> bool:
    """Whether an item makes the result a copy: an array without axes is a number."""
    return isinstance(item, list) or (isinstance(item, SymbolicArray) and item.ndim > 0)


def _known_shape(array: SymbolicArray, items: tuple[Any, ...]) -> tuple[tuple[Size, ...], str | None] | None:
    """The shape of ``array[:, :, one, other]`` for integer arrays; in C order if they stand in front."""
    before = 0
    while before < len(items) and _is_whole(items[before]):
        before += 1
    places = list(items[before:])
    while places and _is_whole(places[-1]):
        places.pop()
    shapes = [_index_shape(item) for item in places]
    if not places or len(items) > array.ndim or any(shape is None for shape in shapes):
        return None
    picked = broadcast([shape for shape in shapes if shape is not None])
    if picked is None:
        return None
    sizes = array.shape_sizes
    straight = before == 0 and array.order == "C" and all(getattr(p, "order", "C") == "C" for p in places)
    return (*sizes[:before], *picked, *sizes[before + len(places) :]), "C" if straight else None


def _is_whole(item: Any) -> bool:
    return isinstance(item, slice) and item.start is None and item.stop is None and item.step is None


def _index_shape(item: Any) -> tuple[Size, ...] | None:
    if isinstance(item, SymbolicArray) and item.dtype.kind in "iu" and item.ndim:
        return item.shape_sizes
    if isinstance(item, list) and item and all(_is_int(k) for k in item):
        return (len(item),)
    return None


def _is_int(item: Any) -> bool:
    if isinstance(item, SymbolicScalar):
        return item.type.dtype.kind in "iu"
    return is_number(item) and isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def is_picking(items: list[Any]) -> bool:
    """Whether a list picks elements: numbers, truth values, and lists of them."""
    return all(
        is_picking(k) if isinstance(k, list) else isinstance(k, (bool, np.bool_)) or _is_int(k) for k in items
    )


def as_display(items: list[Any]) -> list[Any]:
    """The list as it is now: an index looks at it, and that's all."""
    return [as_display(k) if isinstance(k, list) else k for k in items]
