"""The functions in kernel texts, for GPUs: twins of those of `vecmath` and `npmath`, with the same names.

In the simulator they are NumPy's own; on a GPU they are CUDA's math library, each accurate to 1 or 2 ulp.
What a text calls and is missing here has no form for the GPU (`graph.passes.on_gpu.FUNCTIONS`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

from ...graph.ops import OPS
from .memory import SIMULATED


def _twin(numpy_function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Decorates the device form of a function: in the simulator, NumPy's takes its place."""

    def chosen(function: Callable[..., Any]) -> Any:
        return numpy_function if SIMULATED else cuda.jit(device=True)(function)

    return chosen


def _form(function: Callable[..., Any], operands: int) -> Callable[..., Any]:
    return (lambda x: function(x)) if operands == 1 else (lambda x, y: function(x, y))


def _named_by_records() -> dict[str, Any]:
    """The functions that CUDA's library has under a name of `math` (`OpDef.gpu`)."""
    found = {}
    for op in OPS.values():
        if op.gpu:
            assert isinstance(op.evaluate, np.ufunc)
            found[op.name] = _twin(op.evaluate)(_form(getattr(math, op.gpu), op.evaluate.nin))
    return found


globals().update(_named_by_records())


@_twin(np.floor)
def floor(x: Any) -> Any:
    return math.floor(x)


@_twin(np.ceil)
def ceil(x: Any) -> Any:
    return math.ceil(x)


@_twin(np.trunc)
def trunc(x: Any) -> Any:
    return math.copysign(math.floor(abs(x)), x)


@_twin(np.rint)
def rint(x: Any) -> Any:
    """Halves go to the even neighbour."""
    size = abs(x)
    below = math.floor(size)
    above = size - below
    odd = below != 2 * math.floor(below / 2)
    up = 1 if (above > 0.5) | ((above == 0.5) & odd) else 0
    return math.copysign(below + up, x)


@_twin(np.maximum)
def maximum(a: Any, b: Any) -> Any:
    return a if (a >= b) | (a != a) else b


@_twin(np.minimum)
def minimum(a: Any, b: Any) -> Any:
    return a if (a <= b) | (a != a) else b


@_twin(np.fmax)
def fmax(a: Any, b: Any) -> Any:
    return a if (a >= b) | (b != b) else b


@_twin(np.fmin)
def fmin(a: Any, b: Any) -> Any:
    return a if (a <= b) | (b != b) else b


@_twin(np.maximum)
def larger(a: Any, b: Any) -> Any:
    """The larger of two numbers, if neither is NaN."""
    return a if a > b else b


@_twin(np.minimum)
def smaller(a: Any, b: Any) -> Any:
    """The smaller of two numbers, if neither is NaN."""
    return a if a < b else b


@_twin(np.multiply)
def complex_multiply(a: complex, b: complex) -> complex:
    return a * b


@_twin(np.square)
def complex_square(a: complex) -> complex:
    return a * a


@_twin(np.floor_divide)
def np_floordiv(a: Any, b: Any) -> Any:
    return a // b


@_twin(np.positive)
def unfolded(x: float) -> float:
    return x


@_twin(np.remainder)
def np_mod(a: Any, b: Any) -> Any:
    return a % b
