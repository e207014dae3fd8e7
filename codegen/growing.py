"""Buffers of loops that don't know how often they run: twice as long each time they are full."""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable


@register_jitable
def grown(buffer: np.ndarray) -> np.ndarray:
    """A buffer of twice the length that begins with what this one holds."""
    longer = np.empty((2 * buffer.shape[0], *buffer.shape[1:]), buffer.dtype)
    old, new = buffer.reshape(-1), longer.reshape(-1)
    for index in range(old.size):
        new[index] = old[index]
    return longer
