"""Decorated functions of an importable module: what decoration must keep."""

from __future__ import annotations

import numpy as np
from same import decorate

SCALE = 2.0


@decorate
def scaled(a: np.ndarray, k: float = 3.0, *, shift: int = 0) -> np.ndarray:
    """Scale an array."""
    return a * k * SCALE + shift


@decorate
def calls_decorated(a):
    return scaled(a) + scaled(a, 1.0)


@decorate
def countdown(n):
    if n <= 0:
        return 0
    return n + countdown(n - 1)


@decorate
def generates(n):
    for i in range(n):
        yield i * 2


@decorate
async def awaits(n):
    return n + 1


class Filter:
    """Decorated methods of each kind."""

    gain = 2.0

    def __init__(self, weights):
        self.weights = weights
        self.calls = 0

    @decorate
    def apply(self, a):
        """Weigh an array."""
        self.calls += 1
        return (a * self.weights * self.gain).sum()

    @decorate
    def update(self, a):
        self.weights += a
        self.last = a.max()
        return self

    @staticmethod
    @decorate
    def half(a):
        return a / 2

    @classmethod
    @decorate
    def gained(cls, a):
        return a * cls.gain

    @property
    @decorate
    def total(self):
        return self.weights.sum()

    @decorate
    def __call__(self, x):
        return x * self.weights[0]


class Louder(Filter):
    """A subclass that overrides an attribute and extends a method."""

    gain = 10.0

    @decorate
    def apply(self, a):
        return super().apply(a) + 1
