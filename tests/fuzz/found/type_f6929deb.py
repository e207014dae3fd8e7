"""Seed 5248: type."""

import numpy as np

SIGNATURE = {"b": "complex128 n"}
SIZES = ({"n": 9, "m": 4}, {"n": 5, "m": 6}, {"n": 4, "m": 7})
SEED = 52480
DIFFERENTIABLE = False


def program(b):
    p = b
    w = b
    s = 0j
    s = s + np.abs(p).max()
    return (p, w * 2, s)
