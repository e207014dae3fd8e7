"""Inputs for the test matrix: deterministic numbers in a range, with the special values of each dtype."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Samples:
    """Numbers of the dtype kinds `kinds` between `low` and `high`; `special` adds NaN and extremes."""

    kinds: str
    low: float
    high: float
    special: bool = True

    def array(self, dtype: np.dtype | str, count: int = 64, seed: int = 0) -> np.ndarray:
        """`count` numbers of `dtype`, the special values first."""
        dtype = np.dtype(dtype)
        rng = np.random.default_rng(seed)
        special = _special(dtype) if self.special else np.empty(0, dtype)
        rest = count - special.size
        if dtype.kind == "b":
            values = rng.integers(0, 2, rest).astype(dtype)
        elif dtype.kind in "iu":
            info = np.iinfo(dtype)
            low, high = max(int(self.low), info.min), min(int(self.high), info.max)
            values = rng.integers(low, high, rest, dtype=dtype, endpoint=True)
        elif dtype.kind == "c":
            parts = rng.uniform(self.low, self.high, (2, rest))
            values = (parts[0] + 1j * parts[1]).astype(dtype)
        else:
            values = rng.uniform(self.low, self.high, rest).astype(dtype)
        return rng.permutation(np.concatenate([special, values]))


def _special(dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "b":
        return np.array([True, False])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array([info.min, info.max, 0, 1, 2, 3], dtype)
    if dtype.kind == "f":
        tiny = np.finfo(dtype).tiny
        values = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, tiny, -tiny]
        return np.array(values, dtype)
    return np.array([0, 1, 1j, -1, complex(-0.0, 0.0)], dtype)


ANY = (Samples("biufc", -100, 100),)
NUMBERS = (Samples("iufc", -100, 100),)
REALS = (Samples("biuf", -100, 100),)
INTS = (Samples("biu", -100, 100),)
PLAIN_INTS = (Samples("iu", -100, 100),)


def floats(low: float, high: float) -> tuple[Samples, ...]:
    """Real floating-point numbers between `low` and `high`, and the special values."""
    return (Samples("f", low, high),)
