"""Loops over one axis that rules put into the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.nodes import Block
from ..ir.types import INT
from ..symbolic.arith import operand
from ..symbolic.symbols import SymbolicScalar, as_dim
from ..trace.build import current


def counted(start: int, stop: Any, body: Callable[[Any], None]) -> None:
    """``for k in range(start, stop): body(k)`` as a loop of the graph; it writes arrays and has no state."""
    builder = current()
    index = builder.value(INT, "k")
    end = as_dim(stop)
    if end is not None:
        builder.indices[index.name] = (start, dims.sub(end, 1))
    with builder.region() as nodes:
        body(SymbolicScalar(index, INT, dims.symbol(index.name, start)))
        builder.emit("yield")
    operands = (operand(start), operand(stop), operand(1))
    builder.emit("for", operands, (), {"names": (), "orelse": False}, (Block((index,), tuple(nodes)),))


def backward_recurrence(g: Any, x: Any, axis: int) -> Any:
    """``s`` with ``s[k] = g[k] + x[k + 1] * s[k + 1]`` along `axis`, from the end."""
    lead = (slice(None),) * axis
    s = made_copy(g)
    size = g.shape[axis]

    def step(k: Any) -> None:
        here, after = (*lead, size - 1 - k), (*lead, size - k)
        s[here] = s[here] + x[after] * s[after]

    counted(1, size, step)
    return s


def made_copy(array: Any) -> Any:
    """A new array in C order."""
    return np.copy(array, order="C")
