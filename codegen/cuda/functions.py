"""The functions in kernel texts, for GPUs: namesakes of those in `vecmath`, `npmath` and `npcasts`.

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
from .. import npcasts
from .launching import SIMULATED


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


@_twin(npcasts.np_int64)
def np_int64(x: float) -> np.int64:
    """As on x86: -2**63 for what doesn't fit; a GPU's own instruction gives the nearest int."""
    return np.int64(x) if abs(x) < 2.0**63 else np.int64(-(2**63))


@_twin(npcasts.np_int32)
def np_int32(x: float) -> np.int32:
    return np.int32(x) if abs(x) < 2.0**31 else np.int32(-(2**31))


@_twin(npcasts.np_int16)
def np_int16(x: float) -> np.int16:
    return np.int16(np_int32(x))


@_twin(npcasts.np_int8)
def np_int8(x: float) -> np.int8:
    return np.int8(np_int32(x))


@_twin(npcasts.np_uint64)
def np_uint64(x: float) -> np.uint64:
    if x >= 2.0**63:
        return np.uint64(np_int64(x - 2.0**63)) ^ np.uint64(2**63)
    return np.uint64(np_int64(x))


@_twin(npcasts.np_uint32)
def np_uint32(x: float) -> np.uint32:
    if x >= 2.0**31:
        return np.uint32(np.uint32(np_int32(x - 2.0**31)) ^ np.uint32(2**31))
    return np.uint32(np_int32(x))


@_twin(npcasts.np_uint16)
def np_uint16(x: float) -> np.uint16:
    return np.uint16(np_int32(x))


@_twin(npcasts.np_uint8)
def np_uint8(x: float) -> np.uint8:
    return np.uint8(np_int32(x))


@_twin(np.remainder)
def np_mod(a: Any, b: Any) -> Any:
    return a % b
