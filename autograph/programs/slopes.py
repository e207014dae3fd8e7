"""Programs of slopes between neighbours: `np.gradient`, by NumPy's own steps."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def along(f: Array, step: float, dtype: np.dtype) -> Array:
    """``np.gradient(f, step)`` of a vector that has two elements."""
    out = np.empty(len(f), dtype)
    out[1:-1] = (f[2:] - f[:-2]) / (2.0 * step)
    out[0] = (f[1] - f[0]) / step
    out[-1] = (f[-1] - f[-2]) / step
    return out


def down(f: Array, step: float, dtype: np.dtype) -> Array:
    """``np.gradient(f, step, axis=0)`` of a matrix that has two rows."""
    out = np.empty(f.shape, dtype)
    out[1:-1] = (f[2:] - f[:-2]) / (2.0 * step)
    out[0] = (f[1] - f[0]) / step
    out[-1] = (f[-1] - f[-2]) / step
    return out


def across(f: Array, step: float, dtype: np.dtype) -> Array:
    """``np.gradient(f, step, axis=1)`` of a matrix that has two columns."""
    out = np.empty(f.shape, dtype)
    out[:, 1:-1] = (f[:, 2:] - f[:, :-2]) / (2.0 * step)
    out[:, 0] = (f[:, 1] - f[:, 0]) / step
    out[:, -1] = (f[:, -1] - f[:, -2]) / step
    return out
