"""Lists and dicts of the caller's that have changed: what compiled code gave back for them is put into them.

The driver gives the function's result and, for each such list, a new list of items: of one that was taken
over all that it has by now, else what it got. For a dict it gives the items that were assigned, for another
object the attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

Target = tuple[list[object] | dict[object, object] | object, np.ndarray | None]
"""A list, and its items as they were taken over; None for one that only gets more, and for all else."""


def put_items(targets: Sequence[Target], found: Sequence[list[object]]) -> None:
    """Put items into their lists; an item that is what it was stays the same object.

    An entry that is only asked whether it takes a call gets no items at all.
    """
    for (target, before), items in zip(targets, found, strict=False):
        if isinstance(target, dict):
            target.update(cast(dict[object, object], items))
            continue
        if not isinstance(target, list):
            for name, value in cast(dict[str, object], items).items():
                setattr(target, name, value)
            continue
        if before is None:
            target += items
            continue
        both = min(len(target), len(items))
        for place in _changed(target[:both], items[:both], before[:both]):
            target[place] = items[place]
        target[both:] = items[both:]


def _changed(old: list[object], new: list[object], before: np.ndarray) -> list[int]:
    """The places where an item is another one, by its type or its bits."""
    kinds = list(map(_kind, old)), list(map(_kind, new))
    if kinds[0] != kinds[1]:
        return [k for k, (one, other) in enumerate(zip(old, new, strict=True)) if not _same(one, other)]
    after = np.array(new, before.dtype).reshape(before.shape)
    different: np.ndarray = _bytes(after) != _bytes(before)
    found: list[int] = np.flatnonzero(different.any(axis=1)).tolist()
    return found


def _kind(item: object) -> object:
    return tuple(map(type, item)) if type(item) is tuple else type(item)


def _same(one: object, other: object) -> bool:
    return _kind(one) == _kind(other) and repr(one) == repr(other)


def _bytes(array: np.ndarray) -> np.ndarray:
    """The bytes of each item."""
    return np.ascontiguousarray(array).view(np.uint8).reshape(len(array), -1 if array.size else 0)
