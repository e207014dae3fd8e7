"""Rare garbage collections while Numba is imported and code is made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (50_000, 20, 100)
"""A first call makes a million objects, and nearly all of them stay: looking through them is in vain."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect garbage rarely inside; afterwards as before. What the user has chosen to be rarer stays."""
    before = gc.get_threshold()
    if before[0] == 0 or before[0] >= THRESHOLDS[0]:
        yield
        return
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        if gc.get_threshold() == THRESHOLDS:
            gc.set_threshold(*before)
