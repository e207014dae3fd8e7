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
    """Zeros: ``np.zeros(shape, dtype)``; a symbol where a size in `shape` is one.

    Args:
        shape: an int, or a list or tuple of ints and of symbols (``x.shape[0]``).
        dtype: of the array.
        name: of the operation, where it is a symbol; None takes ``"zeros"``.

    Returns:
        A new array of this shape and dtype.

    Raises:
        TypeError: `shape` isn't made of ints.
        ValueError: a size is negative.

    Example::

        x = js.placeholder(js.float64, [None, 3])
        assert js.zeros([x.shape[0], 2]).shape == (None, 2)
        assert js.zeros([4, 2], js.float32).dtype == js.float32
    """
    return _new(np.zeros, shape, dtype, name)


def ones(shape: Any, dtype: Any = np.float64, name: str | None = None) -> Any:
    """Ones: ``np.ones(shape, dtype)``; a symbol where a size in `shape` is one.

    Args:
        shape: an int, or a list or tuple of ints and of symbols (``x.shape[0]``).
        dtype: of the array.
        name: of the operation, where it is a symbol; None takes ``"ones"``.

    Returns:
        A new array of this shape and dtype.

    Raises:
        TypeError: `shape` isn't made of ints.
        ValueError: a size is negative.

    Example::

        >>> js.ones([2, 2], js.int32)
        array([[1, 1],
               [1, 1]], dtype=int32)
    """
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
    """Zeros in the shape and dtype of `tensor`: ``np.zeros_like(tensor)``.

    Args:
        tensor: a number, an array or a symbol.
        name: of the operation in an explicit graph; None takes ``"zeros"``.

    Returns:
        A new array; of a symbol a symbol.

    Raises:
        ValueError: an operation can't have such a `name`.

    Example::

        >>> js.zeros_like([1.5, 2.5])
        array([0., 0.])
    """
    with asked_name(name):
        return np.zeros_like(tensor)


def ones_like(tensor: Any, name: str | None = None) -> Any:
    """Ones in the shape and dtype of `tensor`: ``np.ones_like(tensor)``.

    Args:
        tensor: a number, an array or a symbol.
        name: of the operation in an explicit graph; None takes ``"ones"``.

    Returns:
        A new array; of a symbol a symbol.

    Raises:
        ValueError: an operation can't have such a `name`.

    Example::

        >>> js.ones_like([1.5, 2.5])
        array([1., 1.])
    """
    with asked_name(name):
        return np.ones_like(tensor)


def shape(input: Any) -> Any:
    """The sizes as a tuple: ``np.shape(input)``; in a graph those that aren't known are symbols.

    Args:
        input: a number, an array or a symbol.

    Returns:
        A tuple of ints; of a symbol a tuple that equals one with None for sizes that only the run knows.

    Example::

        x = js.placeholder(js.float32, [None, 3])
        assert js.shape(x) == (None, 3)
        assert js.shape(np.ones((2, 3))) == (2, 3)
    """
    return np.shape(input)


def expand_dims(input: Any, axis: int, name: str | None = None) -> Any:
    """An axis of one element more: ``np.expand_dims(input, axis)``.

    Args:
        input: an array or a symbol.
        axis: where it stands in the result; -1 makes it the last one.
        name: of the operation in an explicit graph; None takes ``"view"``.

    Returns:
        A view of the same dtype, with one axis more.

    Raises:
        AxisError: the result has no such axis; of a symbol, when it runs.

    Example::

        assert js.expand_dims(np.ones(3), axis=0).shape == (1, 3)
    """
    with asked_name(name):
        return np.expand_dims(input, axis)


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Without axes of one element: ``np.squeeze(input, axis)``.

    Args:
        input: an array or a symbol.
        axis: which of them, an int or a list or tuple of them; None takes all.
        name: of the operation in an explicit graph; None takes ``"view"``.

    Returns:
        A view of the same dtype, with fewer axes.

    Raises:
        ValueError: an axis has more or fewer elements than one; of a symbol, when it runs.
        AxisError: `input` has no such axis; of a symbol, when it runs.

    Example::

        assert js.squeeze(np.ones((1, 3, 1)), axis=[0]).shape == (3, 1)
    """
    with asked_name(name):
        return np.squeeze(input, tuple(axis) if isinstance(axis, list) else axis)


def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Arrays side by side along a new axis: ``np.stack(values, axis)``.

    Args:
        values: a list of arrays or symbols of the same shape.
        axis: where the new axis stands in the result.
        name: of the operation in an explicit graph; None takes ``"stack"``.

    Returns:
        A new array in the common dtype, with one axis more.

    Raises:
        ValueError: the shapes differ, or there are no arrays; of symbols, when it runs.
        AxisError: the result has no such axis; of symbols, when it runs.

    Example::

        >>> js.stack([[1, 2], [3, 4]], axis=1)
        array([[1, 3],
               [2, 4]])
    """
    with asked_name(name):
        return np.stack(values, axis=axis)


def assign(ref: Variable, value: Any, name: str | None = None) -> GraphSymbol:
    """The same as ``ref.assign(value)``.

    Args:
        ref: the variable.
        value: what it gets when the operation runs: an array, a number or a symbol, of the shape of `ref`.
        name: of the operation; None takes ``"<variable>/Assign"``.

    Returns:
        A `Symbol`, which is the new value.

    Raises:
        TypeError: `value` is of another kind than the variable's dtype.
        ValueError: `value` has another shape.

    Example::

        count = js.Variable(1.0)
        with js.Session() as session:
            assert session.run(js.assign(count, 5.0)) == 5.0
            assert session.run(count) == 5.0
    """
    return ref.assign(value, name)


def assign_add(ref: Variable, value: Any, name: str | None = None) -> GraphSymbol:
    """The same as ``ref.assign_add(value)``.

    Args:
        ref: the variable.
        value: what is added when the operation runs: an array, a number or a symbol.
        name: of the operation; None takes ``"<variable>/AssignAdd"``.

    Returns:
        A `Symbol`, which is the new value.

    Raises:
        TypeError: `value` is of another kind than the variable's dtype.
        ValueError: when it runs: the sum has another shape than the variable.

    Example::

        count = js.Variable(1.0)
        with js.Session() as session:
            session.run(js.global_variables_initializer())
            assert session.run(js.assign_add(count, 2.0)) == 3.0
    """
    return ref.assign_add(value, name)


def assign_sub(ref: Variable, value: Any, name: str | None = None) -> GraphSymbol:
    """The same as ``ref.assign_sub(value)``.

    Args:
        ref: the variable.
        value: what is subtracted when the operation runs: an array, a number or a symbol.
        name: of the operation; None takes ``"<variable>/AssignSub"``.

    Returns:
        A `Symbol`, which is the new value.

    Raises:
        TypeError: `value` is of another kind than the variable's dtype.
        ValueError: when it runs: the difference has another shape than the variable.

    Example::

        count = js.Variable(1.0)
        with js.Session() as session:
            session.run(js.global_variables_initializer())
            assert session.run(js.assign_sub(count, 2.0)) == -1.0
    """
    return ref.assign_sub(value, name)
