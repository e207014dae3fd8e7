"""What drivers do with a number that is Python's where a flag is False, and NumPy's where it is True.

Kernels have the same in `pymath` (`py_either_add` and so on), which is Numba's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from .faults import Deoptimise

INT_MIN = -(2**63)
BIG = "an integer beyond 64 bits"


def either_exact(x: float, numpys: bool) -> float:
    """A float that stands for an int of Python's: it must hold it exactly."""
    if numpys:
        return x
    if not abs(x) < 2.0**53:
        raise Deoptimise(BIG)
    return x + 0.0


def either_divisor(x: float, numpys: bool) -> float:
    """What a Python float is divided by."""
    return x if numpys or x != 0.0 else 1.0 / x


def either_pow(x: float, y: float, numpys: bool) -> float:
    """A power that isn't negative."""
    return x**y if numpys else np.float64(float(x) ** y)


def _operation(operation: Callable[..., int]) -> Callable[[np.int64, int, bool], np.int64]:
    def either(a: np.int64, b: int, numpys: bool) -> np.int64:
        if numpys:
            return operation(a, b)  # type: ignore[return-value]
        value = operation(int(a), int(b))
        if not INT_MIN <= value < -INT_MIN:
            raise Deoptimise(BIG)
        return np.int64(value)

    return either


either_add, either_sub, either_mul = map(_operation, (operator.add, operator.sub, operator.mul))
either_floordiv, either_mod = map(_operation, (operator.floordiv, operator.mod))
