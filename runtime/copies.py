"""Copies of a call's arguments: what is done to them is not done to the arguments."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import numpy as np

from ..graph.ir.overlap import is_writeable


def copied(values: tuple[object, ...]) -> tuple[object, ...]:
    """Deep copies of `values`: arrays with the same strides, views of one memory again views of one memory.

    Raises:
        TypeError: something in them can't be copied, as a file or a running generator.
    """
    memo: dict[int, object] = {}
    roots: dict[int, np.ndarray] = {}
    for array in _arrays(values, set()):
        root = _root(array)
        if root.base is None and type(array) is type(root) is np.ndarray and not root.dtype.hasobject:
            if id(root) not in roots:
                roots[id(root)] = root.copy("K").ravel("K")
            memo[id(array)] = _same_view(array, root, roots[id(root)])
    return copy.deepcopy(values, memo)


def _arrays(value: object, seen: set[int]) -> Iterator[np.ndarray]:
    """Every array in a value, as deep as copies go."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list, set)):
        for item in value:
            yield from _arrays(item, seen)
    elif isinstance(value, dict):
        yield from _arrays(tuple(value.values()), seen)
    elif not isinstance(value, type) and isinstance(getattr(value, "__dict__", None), dict):
        yield from _arrays(vars(value), seen)


def _root(array: np.ndarray) -> np.ndarray:
    """The array that `array` is a view of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _same_view(array: np.ndarray, root: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """What `array` is of `root`, of `memory`, a copy of all that `root` holds."""
    offset = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    start = offset if array.size else 0
    view: np.ndarray = np.ndarray(array.shape, array.dtype, memory, start, array.strides)
    view.flags.writeable = is_writeable(array)
    return view
