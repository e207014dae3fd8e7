"""Seed 80000636: argument."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "A": "float64 n m"}
SIZES = ({"n": 7, "m": 7}, {"n": 6, "m": 6}, {"n": 8, "m": 8})
SEED = 800006360
DIFFERENTIABLE = True


def program(S, b, A):
    n, m = A.shape
    r = b
    last_one = b[:1]
    x = b
    P = np.eye(n)
    for k, v2 in enumerate(x):
        r[:] = last_one
        x[:] = S @ x
    else:
        y = r[:1] if x.sum() > 0 else x[-1:]
