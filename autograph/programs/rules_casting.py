"""When floats are turned into ints by programs."""

from __future__ import annotations

import functools

import numpy as np

from . import casting, kinds
from .inline import PLAIN, inlined

_INTS = (np.dtype(np.int32), np.dtype(np.int64))


def astype(a: object, dtype: object) -> object:
    """``a.astype(dtype)`` of a vector of floats."""
    if not kinds.is_real(a) or not (dtype is int or isinstance(dtype, (type, str, np.dtype))):
        return PLAIN
    wanted = np.dtype(dtype)
    if wanted not in _INTS or (outside := _outside(a.dtype, wanted)) is None:
        return PLAIN
    low, high = a.dtype.type(np.iinfo(wanted).min), a.dtype.type(2.0 ** (8 * wanted.itemsize - 1))
    return inlined(casting.to_ints, (a, wanted, low, high, outside), alone=False)


@functools.cache
def _outside(dtype: np.dtype, wanted: np.dtype) -> np.generic | None:
    """The one int that NumPy makes of all that has no room, wherever it stands; None if there are several."""
    with np.errstate(all="ignore"):
        found = np.tile(np.array([np.nan, np.inf, -np.inf, 1e30, -1e30], dtype), 7).astype(wanted)
    return found[0] if (found == found[0]).all() else None
