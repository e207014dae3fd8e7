"""Seed 10005150: gradient: differences."""

import numpy as np

SIGNATURE = {"b": "float64 n", "steps": "int 3 4 5"}
SIZES = ({"n": 5, "m": 5}, {"n": 4, "m": 4}, {"n": 8, "m": 8})
SEED = 100051500
DIFFERENTIABLE = True


def program(b, steps):
    n = len(b)
    u = np.outer(b, b)
    x = b * 1.0
    P = np.eye(n)
    for k in range(2):
        P += P
        P = (P + np.maximum(P.T, np.maximum(u, 0.1)) * 0.25) * 0.25
    return P.sum()
