"""Seed 297000374: gradient: KernelFault."""

import numpy as np

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 7, "m": 7}, {"n": 9, "m": 9}, {"n": 4, "m": 4})
SEED = 2970003740
DIFFERENTIABLE = True


def program(b):
    n = len(b)
    p = b
    total = 0.0
    for j in range(1, n - 1):
        t = p
        total -= t[1]
        g = np.sqrt(p * p)
        q1 = g.sum()
        out = np.full_like(p, -0.5)
        out[j : j + 2] += g[j : j + 2] * q1
        p = out
    return total
