"""What values of an explicit graph start from: placeholders and constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from .graph import get_default_graph
from .own import under_own_name
from .steps import InputStep
from .symbol import GraphSymbol
from .values import as_constant, numeric_dtype


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> GraphSymbol:
    """A symbol whose value is fed to each run.

    Args:
        dtype: of the arrays that will be fed, as ``js.float32``.
        shape: one int per axis, None where any size may come; None if even the number of axes is open.
        name: of the operation; None takes ``"Placeholder"``.

    Returns:
        A `Symbol` of the default graph.

    Raises:
        TypeError: `dtype` is None, or not one of numbers of up to 64 bits (complex: 128).
        ValueError: a size is negative or no int; an operation can't have such a `name`.

    Example::

        x = js.placeholder(js.float32, [None, 2], name="x")
        with js.Session() as session:
            assert session.run(x.sum(axis=1), {x: [[1.0, 2.0]]}).tolist() == [3.0]
    """
    graph = get_default_graph()
    return graph.source(
        "Placeholder", InputStep(numeric_dtype(dtype, "a placeholder"), declared_shape(shape)), name
    )


def placeholder_with_default(input: Any, shape: Any = None, name: str | None = None) -> GraphSymbol:
    """A symbol that has the value of `input` in a run unless another value is fed.

    Args:
        input: an array, a number or a symbol.
        shape: what may be fed, as in `placeholder`; None takes any shape.
        name: of the operation; None takes ``"PlaceholderWithDefault"``.

    Returns:
        A `Symbol` of the dtype of `input`.

    Raises:
        TypeError: `input` isn't made of numbers.
        ValueError: a size is negative or no int; an operation can't have such a `name`.

    Example::

        rate = js.placeholder_with_default(0.1, [])
        with js.Session() as session:
            assert session.run(rate * 10) == 1.0
            assert session.run(rate * 10, {rate: 0.5}) == 5.0
    """
    value = input if isinstance(input, GraphSymbol) else constant(input)
    graph, wanted = value.graph, declared_shape(shape)
    found: GraphSymbol = graph.record("PlaceholderWithDefault", under_own_name, (value,), name=name)
    found.declared = wanted
    if wanted != value.sizes:
        graph.redeclare(found, InputStep(value.dtype, wanted))
    return found


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> GraphSymbol:
    """A symbol with always the same value, a copy of `value`.

    Args:
        value: an array, a number, or lists of numbers.
        dtype: None takes that of ``np.array(value)``: float64 for Python's floats.
        shape: fills an array of this shape with a single value, or reshapes the values; None leaves them as
            they are.
        name: of the operation; None takes ``"Const"``.

    Returns:
        A `Symbol` of the default graph.

    Raises:
        TypeError: `value` isn't made of numbers, or of another kind than `dtype` (floats for ints).
        ValueError: the values can't be reshaped; an operation can't have such a `name`.
        OverflowError: an int doesn't fit `dtype`.

    Example::

        c = js.constant(0.5, js.float32, shape=[2, 2])
        assert (c.dtype, c.shape) == (js.float32, (2, 2))
    """
    kept = as_constant(value, dtype)
    if shape is not None:
        kept = np.full(shape, kept) if kept.size == 1 else np.reshape(kept, shape)
    elif isinstance(kept, np.ndarray):
        kept = np.ascontiguousarray(kept)
    return get_default_graph().source("Const", InputStep(kept.dtype, kept.shape, kept), name)


def declared_shape(shape: Any) -> tuple[int | None, ...] | None:
    """A shape as users write it: None, an int, or a sequence of ints and None."""
    if shape is None:
        return None
    items = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
    for size in items:
        if not isinstance(size, int | np.integer | type(None)) or (size is not None and size < 0):
            raise ValueError(f"a shape is made of sizes and None, not {size!r}")
    return tuple(None if size is None else int(size) for size in items)
