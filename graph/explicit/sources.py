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
        dtype: of the arrays that will be fed.
        shape: one int per axis, None where any size may come; None if even the number of axes is open.
        name: of the operation; ``"Placeholder"`` if there is none.

    Example::

        x = js.placeholder(js.float32, [None, 784], name="x")
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
        name: of the operation.
    """
    value = input if isinstance(input, GraphSymbol) else constant(input)
    graph, wanted = value.graph, declared_shape(shape)
    found: GraphSymbol = graph.record("PlaceholderWithDefault", under_own_name, (value,), name=name)
    found.declared = wanted
    if wanted != value.sizes:
        graph.redeclare(found, InputStep(value.dtype, wanted))
    return found


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> GraphSymbol:
    """A symbol with always the same value, a copy of `value`; its dtype is the one that NumPy gives it.

    Args:
        value: an array, a number, or lists of numbers.
        dtype: None takes that of ``np.array(value)``.
        shape: fills an array of this shape with a single value, or reshapes the values.
        name: of the operation; ``"Const"`` if there is none.
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
