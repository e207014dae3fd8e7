"""Programs of statistics, by NumPy's own steps."""

from __future__ import annotations

import numpy as np

from .inline import part

Array = np.ndarray


@part
def scaled_products(m: Array, of_columns: bool) -> Array:
    """How rows, or columns, vary together: the products of what lies beside their means."""
    x = m.copy()
    if of_columns:
        x -= x.mean(axis=0)
        c = np.dot(x.T, x)
        c *= np.true_divide(1, x.shape[0] - 1)
    else:
        x -= x.mean(axis=1)[:, None]
        c = np.dot(x, x.T)
        c *= np.true_divide(1, x.shape[1] - 1)
    return c


def covariance(m: Array, of_columns: bool) -> Array:
    """``np.cov(m, rowvar=not of_columns)``."""
    return scaled_products(m, of_columns)


def correlation(m: Array, of_columns: bool) -> Array:
    """``np.corrcoef(m, rowvar=not of_columns)``."""
    c = scaled_products(m, of_columns)
    spread = np.sqrt(np.diag(c))
    c /= spread[:, None]
    c /= spread[None, :]
    return np.clip(c, -1, 1)
