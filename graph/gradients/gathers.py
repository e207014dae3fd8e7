"""Gathers turned around: cotangents of picked elements added up where they were picked."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..symbolic.arrays import SymbolicArray
from ..symbolic.numpy_functions import call
from ..symbolic.symbols import Symbol, template
from ..trace.build import current
from ..trace.called import call_of
from ..trace.template import index_text


def made(function: Any, *args: Any, **kwargs: Any) -> Any:
    """``function(*args)`` in the graph, also where all arguments are constants."""
    return call(function, args, kwargs)


def scattered(shape: tuple[Any, ...], index: Any, values: Any) -> Any:
    """Zeros of `shape` with `values` added at `index`, an element at a time."""
    total: SymbolicArray = made(
        np.zeros, shape, values.dtype if isinstance(values, SymbolicArray) else dtype_of(values)
    )
    if is_mask(index):
        write_at(total, index, values)
    else:
        add_at(total, index, values)
    return total


def dtype_of(value: Any) -> np.dtype:
    """The dtype of a symbol or a number."""
    return value.type.dtype if isinstance(value, Symbol) else np.asarray(value).dtype  # type: ignore[union-attr]


def is_mask(index: Any) -> bool:
    """Whether an index can't name an element twice: masks, slices and numbers."""
    items = index if isinstance(index, tuple) else (index,)
    return all(
        item is None or item is Ellipsis or isinstance(item, (slice, int)) or _kind(item) == "b"
        for item in items
    )


def _kind(item: Any) -> str:
    return item.dtype.kind if isinstance(item, SymbolicArray) else ""


def add_at(array: SymbolicArray, index: Any, values: Any) -> None:
    """``np.add.at(array, index, values)``."""
    under = template()
    under.write(array)
    inside = index_text(under, index)
    places = f"np.s_[{inside}]" if isinstance(index, tuple) else inside
    text = f"np.add.at({under.write(array)}, {places}, {under.write(values)})"
    called = call_of(under, np.add.at, (array, index, values), {})
    current().emit("numpy_write", under.operands, (), {"text": text, "_call": called})


def write_at(array: SymbolicArray, index: Any, values: Any) -> None:
    """``array[index] = values``, by NumPy."""
    under = template()
    text = f"{under.write(array)}[{index_text(under, index)}] = {under.write(values)}"
    called = call_of(under, operator.setitem, (array, index, values), {})
    current().emit("numpy_write", under.operands, (), {"text": text, "_call": called})


def scattered_along(values: Any, indices: Any, axis: int, size: Any) -> Any:
    """Zeros with `size` elements along `axis`, to which `values` are added at `indices` of that axis."""
    shape = (*values.shape[:axis], size, *values.shape[axis + 1 :])
    if values.ndim == 1 or (isinstance(indices, SymbolicArray) and indices.ndim == 1):
        return scattered(shape, (*(slice(None),) * axis, indices), values)
    index = tuple(
        indices if k == axis else _upright(made(np.arange, length), k, values.ndim)
        for k, length in enumerate(values.shape)
    )
    return scattered(shape, index, values)


def _upright(vector: Any, axis: int, ndim: int) -> Any:
    return vector[tuple(slice(None) if k == axis else None for k in range(ndim))]
