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
    x: a number, an array (or lists of numbers) or a symbol, of any shape.
    name: of the operation in an explicit graph; None names it as NumPy does.

Returns:
    The shape of `x`, in the dtype that NumPy gives; a symbol for a symbol.

Raises:
    TypeError: NumPy doesn't define it for what `x` holds, as for texts.
    ValueError: an operation can't have such a `name`.

Example::

    >>> js.{call}
    {result}
"""

_TWO = """{does}: ``np.{numpy}(x, y)``.

Args:
    x: a number, an array (or lists of numbers) or a symbol.
    y: likewise, of a shape that goes together with that of `x` as NumPy's broadcasting has it.
    name: of the operation in an explicit graph; None names it as NumPy does.

Returns:
    The common shape, in the dtype that NumPy gives; a symbol if one of them is a symbol.

Raises:
    TypeError: NumPy doesn't define it for what `x` and `y` hold, as for a text and a number.
    ValueError: the shapes don't go together; where sizes aren't known, when it runs.

Example::

    >>> js.{call}
    {result}
"""

_ALONG = """{does}: ``np.{numpy}(x, axis=axis, keepdims=keepdims)``.

Args:
    x: an array (or lists of numbers) or a symbol.
    axis: an axis, a tuple or list of them, or None for all.
    keepdims: the axes that are reduced stay, with one element.
    name: of the operation in an explicit graph; None names it as NumPy does.

Returns:
    The shape of `x` without these axes, in the dtype that NumPy gives; a number if none is left.

Raises:
    AxisError: `x` has no such axis; of a symbol, when it runs.
    ValueError: an axis stands twice in `axis`; the largest or smallest of no elements is asked for.

Example::

    >>> js.{call}
    {result}
"""


def _of_one(ufunc: np.ufunc, does: str, call: str, result: str) -> Callable[..., Any]:
    def operation(x: Any, name: str | None = None) -> Any:
        with asked_name(name):
            return ufunc(x)

    operation.__doc__ = _ONE.format(does=does, numpy=ufunc.__name__, call=call, result=result)
    return operation


def _of_two(ufunc: np.ufunc, does: str, call: str, result: str) -> Callable[..., Any]:
    def operation(x: Any, y: Any, name: str | None = None) -> Any:
        with asked_name(name):
            return ufunc(x, y)

    operation.__doc__ = _TWO.format(does=does, numpy=ufunc.__name__, call=call, result=result)
    return operation


def _reduction(function: Callable[..., Any], does: str, call: str, result: str) -> Callable[..., Any]:
    def operation(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
        axis = tuple(axis) if isinstance(axis, list) else axis
        with asked_name(name):
            return function(x, axis=axis, keepdims=keepdims)

    operation.__doc__ = _ALONG.format(does=does, numpy=function.__name__, call=call, result=result)
    return operation


add = _of_two(np.add, "The sum of two arrays", "add([0, 2, 4], 2)", "array([2, 4, 6])")
subtract = sub = _of_two(
    np.subtract, "The difference of two arrays", "subtract([0, 2, 4], 2)", "array([-2,  0,  2])"
)
multiply = mul = _of_two(
    np.multiply, "The product of two arrays, element by element", "multiply([0, 2, 4], 2)", "array([0, 4, 8])"
)
divide = div = _of_two(
    np.true_divide, "The quotient of two arrays", "divide([0, 2, 4], 2)", "array([0., 1., 2.])"
)
maximum = _of_two(
    np.maximum, "The larger of two arrays, element by element", "maximum([0, 2, 4], 2)", "array([2, 2, 4])"
)
minimum = _of_two(
    np.minimum, "The smaller of two arrays, element by element", "minimum([0, 2, 4], 2)", "array([0, 2, 2])"
)
power = _of_two(np.power, "One array to the power of another", "power([0, 2, 4], 2)", "array([ 0,  4, 16])")
equal = _of_two(np.equal, "Where two arrays are equal", "equal([0, 2], 2)", "array([False,  True])")
not_equal = _of_two(np.not_equal, "Where two arrays differ", "not_equal([0, 2], 2)", "array([ True, False])")
less = _of_two(np.less, "Where one array is less than the other", "less([0, 2], 2)", "array([ True, False])")
greater = _of_two(
    np.greater, "Where one array is greater than the other", "greater([2, 4], 2)", "array([False,  True])"
)
logical_and = _of_two(
    np.logical_and, "Where both are true", "logical_and([1, 0], 1)", "array([ True, False])"
)
logical_or = _of_two(
    np.logical_or, "Where one of them is true", "logical_or([1, 0], 0)", "array([ True, False])"
)
logical_not = _of_one(np.logical_not, "Where it is false", "logical_not([1, 0])", "array([False,  True])")
exp = _of_one(np.exp, "The exponential of each element", "exp([0.0, np.log(2.0)])", "array([1., 2.])")
log = _of_one(np.log, "The natural logarithm of each element", "log([1.0, np.e])", "array([0., 1.])")
sqrt = _of_one(np.sqrt, "The square root of each element", "sqrt([1, 4])", "array([1., 2.])")
square = _of_one(np.square, "The square of each element", "square([1, -3])", "array([1, 9])")
abs = _of_one(np.absolute, "The absolute value of each element", "abs([1, -3])", "array([1, 3])")
negative = _of_one(np.negative, "The negative of each element", "negative([1, -3])", "array([-1,  3])")
sin = _of_one(np.sin, "The sine of each element", "sin([0.0, np.pi / 2])", "array([0., 1.])")
cos = _of_one(np.cos, "The cosine of each element", "cos([0.0, np.pi])", "array([ 1., -1.])")
tanh = _of_one(np.tanh, "The hyperbolic tangent of each element", "tanh([0.0, 100.0])", "array([0., 1.])")
reduce_sum = _reduction(
    np.sum, "The sum of the elements along axes", "reduce_sum([[1, 2], [3, 4]], axis=0)", "array([4, 6])"
)
reduce_max = _reduction(
    np.max, "The largest element along axes", "reduce_max([[1, 2], [3, 4]], axis=0)", "array([3, 4])"
)
reduce_min = _reduction(
    np.min, "The smallest element along axes", "reduce_min([[1, 2], [3, 4]], axis=0)", "array([1, 2])"
)
reduce_prod = _reduction(
    np.prod,
    "The product of the elements along axes",
    "reduce_prod([[1, 2], [3, 4]], axis=0)",
    "array([3, 8])",
)


@contextmanager
def composite(default: str, name: str | None) -> Iterator[Callable[[Any], Any]]:
    """A name scope for an operation that is made of several; hands out what gives the result its `name`."""
    with name_scope(name or default) as scope:
        yield lambda result: identity(result, scope) if name else result


def reduce_mean(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    with composite("mean", name) as named:
        return named(np.mean(x, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims))


reduce_mean.__doc__ = _ALONG.format(
    does="The mean of the elements along axes",
    numpy="mean",
    call="reduce_mean([[1, 2], [3, 4]], axis=0)",
    result="array([2., 3.])",
)


def sigmoid(x: Any, name: str | None = None) -> Any:
    """``1 / (1 + exp(-x))``, as ``0.5 * tanh(0.5 * x) + 0.5``, in which nothing overflows.

    Args:
        x: a number, an array or a symbol, of any shape.
        name: of the operation in an explicit graph; without it, it is several in the scope ``"sigmoid"``.

    Returns:
        The shape of `x`; its dtype, or float64 where that is one of ints.

    Raises:
        TypeError: `x` isn't made of numbers.

    Example::

        >>> js.sigmoid(np.array([-1000.0, 0.0]))
        array([0. , 0.5])
    """
    with composite("sigmoid", name) as named:
        return named(0.5 * np.tanh(0.5 * x) + 0.5)


def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: str | None = None
) -> Any:
    """The product of two matrices, or of stacks of them: ``np.matmul(a, b)``.

    Args:
        a: shape (..., m, k), or (..., k, m) with `transpose_a`; or (k,).
        b: shape (..., k, n), or (..., n, k) with `transpose_b`; or (k,).
        transpose_a: swap the last two axes of `a` first.
        transpose_b: swap the last two axes of `b` first.
        name: of the operation in an explicit graph; None takes ``"matmul"``.

    Returns:
        Shape (..., m, n), without m or n where an operand has one axis, in the common dtype.

    Raises:
        ValueError: k isn't the same in both, or an operand is a number; of symbols, perhaps when it runs.
        AxisError: an operand to be transposed has one axis.

    Example::

        >>> js.matmul([[1, 2], [3, 4]], [[1, 0], [0, 2]])
        array([[1, 4],
               [3, 8]])
    """
    a = np.swapaxes(a, -1, -2) if transpose_a else a
    b = np.swapaxes(b, -1, -2) if transpose_b else b
    with asked_name(name):
        return np.matmul(a, b)


def transpose(a: Any, perm: Any = None, name: str | None = None) -> Any:
    """The axes in the order `perm`, or reversed: ``np.transpose(a, perm)``, a view.

    Args:
        a: an array or a symbol.
        perm: a list or tuple with each axis of `a` once; None reverses them.
        name: of the operation in an explicit graph; None takes ``"view"``.

    Returns:
        An array of the same dtype that shares the memory of `a`.

    Raises:
        ValueError: `perm` has another length than `a` has axes, or an axis twice; of a symbol, when it runs.
        AxisError: `a` has no such axis; of a symbol, when it runs.

    Example::

        assert js.transpose(np.zeros((2, 3, 4)), perm=[0, 2, 1]).shape == (2, 4, 3)
    """
    with asked_name(name):
        return np.transpose(a, perm if perm is None else tuple(perm))


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The elements in another shape: ``np.reshape(tensor, shape)``.

    Args:
        tensor: an array or a symbol.
        shape: an int, or a list or tuple of them; one may be -1 and follows from the others. In a graph sizes
            may be symbols, as in ``[x.shape[0], -1]``.
        name: of the operation in an explicit graph; None takes ``"reshape"``.

    Returns:
        An array of the same dtype; a view where NumPy can make one.

    Raises:
        ValueError: the shape has another number of elements; of a symbol, when it runs.

    Example::

        >>> js.reshape(np.arange(6), [2, -1])
        array([[0, 1, 2],
               [3, 4, 5]])
    """
    with asked_name(name):
        return np.reshape(tensor, tuple(shape) if isinstance(shape, list) else shape)


def argmax(input: Any, axis: int | None = None, name: str | None = None) -> Any:
    """The index of the first largest element along `axis`, or of all: ``np.argmax(input, axis)``.

    Args:
        input: an array or a symbol.
        axis: an axis; None takes all elements in C order (TensorFlow would take axis 0).
        name: of the operation in an explicit graph; None takes ``"argmax"``.

    Returns:
        int64 in the shape of `input` without `axis`; one number if that is None.

    Raises:
        ValueError: there are no elements; of a symbol, when it runs.
        AxisError: `input` has no such axis; of a symbol, when it runs.

    Example::

        >>> js.argmax([[1, 5], [7, 2]], axis=1)
        array([1, 0])
    """
    with asked_name(name):
        return np.argmax(input, axis=axis)


def argmin(input: Any, axis: int | None = None, name: str | None = None) -> Any:
    """The index of the first smallest element along `axis`, or of all: ``np.argmin(input, axis)``.

    Args:
        input: an array or a symbol.
        axis: an axis; None takes all elements in C order (TensorFlow would take axis 0).
        name: of the operation in an explicit graph; None takes ``"argmin"``.

    Returns:
        int64 in the shape of `input` without `axis`; one number if that is None.

    Raises:
        ValueError: there are no elements; of a symbol, when it runs.
        AxisError: `input` has no such axis; of a symbol, when it runs.

    Example::

        >>> js.argmin([[1, 5], [7, 2]], axis=1)
        array([0, 1])
    """
    with asked_name(name):
        return np.argmin(input, axis=axis)


def where(condition: Any, x: Any, y: Any, name: str | None = None) -> Any:
    """Elements of `x` where `condition` is true, else of `y`: ``np.where(condition, x, y)``.

    Args:
        condition: an array or a symbol, of bools or of what they are made from.
        x: an array, a number or a symbol; the shapes of all three go together by broadcasting.
        y: likewise.
        name: of the operation in an explicit graph; None takes ``"where"``.

    Returns:
        A new array of the common shape, in the common dtype of `x` and `y`.

    Raises:
        ValueError: the shapes don't go together; of symbols, perhaps only when it runs.

    Example::

        >>> js.where([True, False, True], [1, 2, 3], 0)
        array([1, 0, 3])
    """
    with asked_name(name):
        return np.where(condition, x, y)


def concat(values: Any, axis: int, name: str | None = None) -> Any:
    """Arrays one after the other along `axis`: ``np.concatenate(values, axis)``.

    Args:
        values: a list of arrays or symbols, of the same sizes but along `axis`.
        axis: an axis that they have.
        name: of the operation in an explicit graph; None takes ``"concatenate"``.

    Returns:
        A new array in the common dtype.

    Raises:
        ValueError: the other sizes differ, or there are no arrays; of symbols, when it runs.
        AxisError: the arrays have no such axis; of symbols, when it runs.

    Example::

        >>> js.concat([[1, 2], [3]], axis=0)
        array([1, 2, 3])
    """
    with asked_name(name):
        return np.concatenate(values, axis=axis)


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """The elements in another dtype: ``x.astype(dtype)``, cut off where they don't fit.

    Args:
        x: a number, an array or a symbol, of any shape.
        dtype: a dtype or its name; floats become ints towards zero.
        name: of the operation in an explicit graph; None takes ``"cast"``.

    Returns:
        The shape of `x`, in `dtype`; a NumPy number for a number.

    Raises:
        TypeError: there is no such dtype.
        ValueError: `x` isn't made of numbers.

    Example::

        >>> js.cast([1.7, -1.7], js.int32)
        array([ 1, -1], dtype=int32)
    """
    with asked_name(name):
        if isinstance(x, Recordable | Symbol):
            return x.astype(np.dtype(dtype))  # type: ignore[union-attr]
        return np.asarray(x).astype(dtype)[()]


def identity(input: Any, name: str | None = None) -> Any:
    """The same value, in an explicit graph as an operation of its own.

    Args:
        input: a symbol, a variable, or any value.
        name: of the operation; None takes ``"Identity"``.

    Returns:
        Another symbol of the same shape and dtype; `input` itself where it belongs to no graph.

    Raises:
        ValueError: an operation can't have such a `name`.

    Example::

        x = js.placeholder(js.float32, [None])
        assert js.identity(x, name="copy").name == "copy:0"
        assert js.identity(3.0) == 3.0
    """
    if not isinstance(input, Recordable):
        return input
    return input.graph.record("Identity", under_own_name, (input,), name=name)


def group(*inputs: Any, name: str | None = None) -> Operation:
    """An operation that makes all of `inputs` run.

    Args:
        *inputs: operations, symbols and variables, or lists of them.
        name: of the operation; None takes ``"group_deps"``.

    Returns:
        An `Operation` without outputs, of the graph of `inputs`; of the default graph if there are none.

    Raises:
        TypeError: something else is among them.
        ValueError: they are of different graphs.

    Example::

        a, b = js.Variable(1.0), js.Variable(2.0)
        both = js.group(a.assign(10.0), b.assign(20.0))
        with js.Session() as session:
            session.run(js.global_variables_initializer())
            session.run(both)
            assert session.run([a, b]) == [10.0, 20.0]
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
    """An operation that does nothing but run what `control_dependencies` ask for.

    Args:
        name: of the operation; None takes ``"NoOp"``.

    Returns:
        An `Operation` without outputs, of the default graph.

    Raises:
        RuntimeError: the graph is finalized.

    Example::

        count = js.Variable(0)
        with js.control_dependencies([count.assign_add(1)]):
            tick = js.no_op(name="tick")
        assert (tick.type, tick.outputs) == ("NoOp", ())
    """
    return make_group(get_default_graph(), (), name)
