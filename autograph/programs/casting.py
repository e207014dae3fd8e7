"""Programs that turn floats into ints."""

from __future__ import annotations

import numpy as np

from .places import truncated

Array = np.ndarray


def to_ints(a: Array, dtype: np.dtype, low: float, high: float, outside: np.signedinteger) -> Array:
    """``a.astype(dtype)`` of a vector: what `dtype` has no room for, and NaN, becomes `outside`."""
    out = np.empty(len(a), dtype)
    for i in range(len(a)):
        value = a[i]
        out[i] = truncated(value, dtype) if (low <= value) & (value < high) else outside
    return out
