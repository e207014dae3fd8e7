"""More operations by TensorFlow's names: new arrays, shapes, assignments (see `operations.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..symbolic.numpy_functions import call
from ..trace.build import tracing
from .recording import asked_name
from .steps import graph_of
from .symbol import GraphSymbol
from .variable import Variable


def zeros(shape: Any, dtype: Any = np.float64, name: str | None = None) -> Any:
    """Zeros: ``np.zeros(shape, dtype)``; a symbol where a size in `shape` is one."""
    return _new(np.zeros, shape, dtype, name)


def ones(shape: Any, dtype: Any = np.float64, name: str | None = None) -> Any:
    """Ones: ``np.ones(shape, dtype)``; a symbol where a size in `shape` is one."""
    return _new(np.ones, shape, dtype, name)


def _new(function: Any, shape: Any, dtype: Any, name: str | None) -> Any:
    graph = graph_of(shape)
    if graph is None:
        return function(shape, dtype)
    shape = tuple(shape) if isinstance(shape, list) else shape
    return graph.record(function.__name__, _made_new, (function, shape, np.dtype(dtype)), name=name)


def _made_new(function: Any, shape: Any, dtype: np.dtype) -> Any:
    """NumPy doesn't look for symbols in shapes: it has to be told of them."""
    return call(function, (shape, dtype), {}) if tracing() else function(shape, dtype)


def zeros_like(tensor: Any, name: str | None = None) -> Any:
    """Zeros in the shape and dtype of `tensor`: ``np.zeros_like(tensor)``."""
    with asked_name(name):
        return np.zeros_like(tensor)


def ones_like(tensor: Any, name: str | None = None) -> Any:
    """Ones in the shape and dtype of `tensor`: ``np.ones_like(tensor)``."""
    with asked_name(name):
        return np.ones_like(tensor)


def shape(input: Any) -> Any:
    """The sizes as a tuple: ``np.shape(input)``; in a graph those that aren't known are symbols."""
    return np.shape(input)


def expand_dims(input: Any, axis: int, name: str | None = None) -> Any:
    """An axis of one element more: ``np.expand_dims(input, axis)``."""
    with asked_name(name):
        return np.expand_dims(input, axis)


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Without axes of one element: ``np.squeeze(input, axis)``."""
    with asked_name(name):
        return np.squeeze(input, tuple(axis) if isinstance(axis, list) else axis)


def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Arrays side by side along a new axis: ``np.stack(values, axis)``."""
    with asked_name(name):
        return np.stack(values, axis=axis)


def assign(ref: Variable, value: Any, name: str | None = None) -> GraphSymbol:
    """The same as ``ref.assign(value)``."""
    return ref.assign(value, name)


def assign_add(ref: Variable, value: Any, name: str | None = None) -> GraphSymbol:
    """The same as ``ref.assign_add(value)``."""
    return ref.assign_add(value, name)


def assign_sub(ref: Variable, value: Any, name: str | None = None) -> GraphSymbol:
    """The same as ``ref.assign_sub(value)``."""
    return ref.assign_sub(value, name)
