"""Seed 74000182: value."""

import numpy as np

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 9, "m": 4}, {"n": 7, "m": 5}, {"n": 6, "m": 4})
SEED = 740001820
DIFFERENTIABLE = True


def shifted(v, w=None):
    return v - w


def program(b):
    pairs = [e0 for e0, v0 in enumerate(b) if False]
    peak = 0.5
    u = np.ones_like(b)
    v = u
    old = None if len(pairs) > 2 else u
    b = shifted(b, old)
    u += v
    acc = b
    peak += acc
    return peak
