"""Seed 1172: value."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 7, "m": 6}, {"n": 6, "m": 4}, {"n": 5, "m": 4})
SEED = 11720
DIFFERENTIABLE = True


def program(S, b):
    x = S @ b
    v = np.zeros_like(x)
    for j in range(2):
        a = S @ x
        np.add(v, 0.1 * a, out=v)
        np.add(x, 0.1, out=x)
    return v
