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

from .memory import SIMULATED


def _twin(numpy_function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Decorates the device form of a function: in the simulator, NumPy's takes its place."""

    def chosen(function: Callable[..., Any]) -> Any:
        return numpy_function if SIMULATED else cuda.jit(device=True)(function)

    return chosen


@_twin(np.exp)
def exp(x: Any) -> Any:
    return math.exp(x)


@_twin(np.exp2)
def exp2(x: Any) -> Any:
    return math.exp2(x)


@_twin(np.expm1)
def expm1(x: Any) -> Any:
    return math.expm1(x)


@_twin(np.log)
def log(x: Any) -> Any:
    return math.log(x)


@_twin(np.log2)
def log2(x: Any) -> Any:
    return math.log2(x)


@_twin(np.log10)
def log10(x: Any) -> Any:
    return math.log10(x)


@_twin(np.log1p)
def log1p(x: Any) -> Any:
    return math.log1p(x)


@_twin(np.sqrt)
def sqrt(x: Any) -> Any:
    return math.sqrt(x)


@_twin(np.sin)
def sin(x: Any) -> Any:
    return math.sin(x)


@_twin(np.cos)
def cos(x: Any) -> Any:
    return math.cos(x)


@_twin(np.tan)
def tan(x: Any) -> Any:
    return math.tan(x)


@_twin(np.arctan)
def arctan(x: Any) -> Any:
    return math.atan(x)


@_twin(np.sinh)
def sinh(x: Any) -> Any:
    return math.sinh(x)


@_twin(np.cosh)
def cosh(x: Any) -> Any:
    return math.cosh(x)


@_twin(np.tanh)
def tanh(x: Any) -> Any:
    return math.tanh(x)


@_twin(np.arctan2)
def arctan2(y: Any, x: Any) -> Any:
    return math.atan2(y, x)


@_twin(np.hypot)
def hypot(x: Any, y: Any) -> Any:
    return math.hypot(x, y)


@_twin(np.power)
def power(x: Any, y: Any) -> Any:
    return math.pow(x, y)


@_twin(np.copysign)
def copysign(x: Any, y: Any) -> Any:
    return math.copysign(x, y)


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


@_twin(np.floor_divide)
def np_floordiv(a: Any, b: Any) -> Any:
    return a // b


@_twin(np.remainder)
def np_mod(a: Any, b: Any) -> Any:
    return a % b
