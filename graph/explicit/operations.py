"""Operations by TensorFlow's names, each defined by NumPy.

They take arrays and numbers, what a decorated function is traced with, and symbols of explicit graphs:
NumPy's functions do the right thing with each of them. `name` names the operation in an explicit graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..symbolic.symbols import Symbol
from ..trace.naming import name_scope
from .graph import get_default_graph
from .operation import Operation
from .own import under_own_name
from .recording import asked_name, step_of
from .recording import group as make_group
from .symbol import Recordable

_ONE = """{does}: ``np.{numpy}(x)``.

Args:
    x: a number, an array or a symbol, of any shape; the result has the same.
    name: of the operation in an explicit graph.
"""

_TWO = """{does}: ``np.{numpy}(x, y)``.

Args:
    x: a number, an array or a symbol.
    y: likewise, of a shape that goes together with that of `x` as NumPy's broadcasting has it.
    name: of the operation in an explicit graph.

Returns:
    The common shape, in the dtype that NumPy gives.

Raises:
    ValueError: the shapes don't go together; where sizes aren't known, when it runs.
"""

_ALONG = """{does}: ``np.{numpy}(x, axis=axis, keepdims=keepdims)``.

Args:
    x: an array or a symbol.
    axis: an axis, a tuple or list of them, or None for all.
    keepdims: the axes that are reduced stay, with one element.
    name: of the operation in an explicit graph.

Returns:
    The shape of `x` without these axes, in the dtype that NumPy gives.

Raises:
    AxisError: `x` has no such axis.
"""


def _of_one(ufunc: np.ufunc, does: str) -> Callable[..., Any]:
    def operation(x: Any, name: str | None = None) -> Any:
        with asked_name(name):
            return ufunc(x)

    operation.__doc__ = _ONE.format(does=does, numpy=ufunc.__name__)
    return operation


def _of_two(ufunc: np.ufunc, does: str) -> Callable[..., Any]:
    def operation(x: Any, y: Any, name: str | None = None) -> Any:
        with asked_name(name):
            return ufunc(x, y)

    operation.__doc__ = _TWO.format(does=does, numpy=ufunc.__name__)
    return operation


def _reduction(function: Callable[..., Any], does: str) -> Callable[..., Any]:
    def operation(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
        axis = tuple(axis) if isinstance(axis, list) else axis
        with asked_name(name):
            return function(x, axis=axis, keepdims=keepdims)

    operation.__doc__ = _ALONG.format(does=does, numpy=function.__name__)
    return operation


add = _of_two(np.add, "The sum of two arrays")
subtract = sub = _of_two(np.subtract, "The difference of two arrays")
multiply = mul = _of_two(np.multiply, "The product of two arrays, element by element")
divide = div = _of_two(np.true_divide, "The quotient of two arrays")
maximum = _of_two(np.maximum, "The larger of two arrays, element by element")
minimum = _of_two(np.minimum, "The smaller of two arrays, element by element")
power = _of_two(np.power, "One array to the power of another")
equal = _of_two(np.equal, "Where two arrays are equal")
not_equal = _of_two(np.not_equal, "Where two arrays differ")
less = _of_two(np.less, "Where one array is less than the other")
greater = _of_two(np.greater, "Where one array is greater than the other")
logical_and = _of_two(np.logical_and, "Where both are true")
logical_or = _of_two(np.logical_or, "Where one of them is true")
logical_not = _of_one(np.logical_not, "Where it is false")
exp = _of_one(np.exp, "The exponential of each element")
log = _of_one(np.log, "The natural logarithm of each element")
sqrt = _of_one(np.sqrt, "The square root of each element")
square = _of_one(np.square, "The square of each element")
abs = _of_one(np.absolute, "The absolute value of each element")
negative = _of_one(np.negative, "The negative of each element")
sin = _of_one(np.sin, "The sine of each element")
cos = _of_one(np.cos, "The cosine of each element")
tanh = _of_one(np.tanh, "The hyperbolic tangent of each element")
reduce_sum = _reduction(np.sum, "The sum of the elements along axes")
reduce_max = _reduction(np.max, "The largest element along axes")
reduce_min = _reduction(np.min, "The smallest element along axes")
reduce_prod = _reduction(np.prod, "The product of the elements along axes")


@contextmanager
def composite(default: str, name: str | None) -> Iterator[Callable[[Any], Any]]:
    """A name scope for an operation that is made of several; hands out what gives the result its `name`."""
    with name_scope(name or default) as scope:
        yield lambda result: identity(result, scope) if name else result


def reduce_mean(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    with composite("mean", name) as named:
        return named(np.mean(x, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims))


reduce_mean.__doc__ = _ALONG.format(does="The mean of the elements along axes", numpy="mean")


def sigmoid(x: Any, name: str | None = None) -> Any:
    """``1 / (1 + exp(-x))``, as ``0.5 * tanh(0.5 * x) + 0.5``, in which nothing overflows."""
    with composite("sigmoid", name) as named:
        return named(0.5 * np.tanh(0.5 * x) + 0.5)


def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: str | None = None
) -> Any:
    """The product of two matrices, or of stacks of them: ``np.matmul(a, b)``.

    Args:
        a: shape (..., m, k), or (..., k, m) with `transpose_a`.
        b: shape (..., k, n), or (..., n, k) with `transpose_b`.
        transpose_a: swap the last two axes of `a` first.
        transpose_b: swap the last two axes of `b` first.
        name: of the operation in an explicit graph.

    Returns:
        Shape (..., m, n), in the common dtype.

    Raises:
        ValueError: k isn't the same in both.
    """
    a = np.swapaxes(a, -1, -2) if transpose_a else a
    b = np.swapaxes(b, -1, -2) if transpose_b else b
    with asked_name(name):
        return np.matmul(a, b)


def transpose(a: Any, perm: Any = None, name: str | None = None) -> Any:
    """The axes in the order `perm`, or reversed: ``np.transpose(a, perm)``, a view."""
    with asked_name(name):
        return np.transpose(a, perm if perm is None else tuple(perm))


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The elements in another shape: ``np.reshape(tensor, shape)``."""
    with asked_name(name):
        return np.reshape(tensor, tuple(shape) if isinstance(shape, list) else shape)


def argmax(input: Any, axis: int | None = None, name: str | None = None) -> Any:
    """The int64 index of the first largest element along `axis`, or of all: ``np.argmax(input, axis)``."""
    with asked_name(name):
        return np.argmax(input, axis=axis)


def argmin(input: Any, axis: int | None = None, name: str | None = None) -> Any:
    """The int64 index of the first smallest element along `axis`, or of all: ``np.argmin(input, axis)``."""
    with asked_name(name):
        return np.argmin(input, axis=axis)


def where(condition: Any, x: Any, y: Any, name: str | None = None) -> Any:
    """Elements of `x` where `condition` is true, else of `y`: ``np.where(condition, x, y)``."""
    with asked_name(name):
        return np.where(condition, x, y)


def concat(values: Any, axis: int, name: str | None = None) -> Any:
    """Arrays one after the other along `axis`: ``np.concatenate(values, axis)``.

    Args:
        values: a list of arrays or symbols, of the same sizes but along `axis`.
        axis: an axis that they have.
        name: of the operation in an explicit graph.

    Returns:
        A new array in the common dtype.

    Raises:
        ValueError: the other sizes differ, or there are no arrays.
    """
    with asked_name(name):
        return np.concatenate(values, axis=axis)


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """The elements in another dtype: ``x.astype(dtype)``, cut off where they don't fit."""
    with asked_name(name):
        if isinstance(x, Recordable | Symbol):
            return x.astype(np.dtype(dtype))  # type: ignore[union-attr]
        return np.asarray(x).astype(dtype)[()]


def identity(input: Any, name: str | None = None) -> Any:
    """The same value, in an explicit graph as an operation of its own."""
    if not isinstance(input, Recordable):
        return input
    return input.graph.record("Identity", under_own_name, (input,), name=name)


def group(*inputs: Any, name: str | None = None) -> Operation:
    """An operation that makes all of `inputs` (operations, symbols and variables, or lists of them) run.

    Raises:
        TypeError: something else is among them.
        ValueError: they are of different graphs.
    """
    inputs = tuple(
        item for given in inputs for item in (given if isinstance(given, (list, tuple)) else (given,))
    )
    for item in inputs:
        step_of(item)  # which says what is wrong with it
    graphs = {id(item.graph): item.graph for item in inputs}
    if len(graphs) > 1:
        raise ValueError("group: the operations belong to different graphs")
    graph = next(iter(graphs.values())) if graphs else get_default_graph()
    return make_group(graph, inputs, name or "group_deps")


def no_op(name: str | None = None) -> Operation:
    """An operation that does nothing but run what `control_dependencies` ask for."""
    return make_group(get_default_graph(), (), name)
