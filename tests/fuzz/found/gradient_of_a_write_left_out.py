"""Seed 4000794: what a write that is not repeated had read was saved too late."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "A": "float64 n m"}
SIZES = ({"n": 5, "m": 5}, {"n": 4, "m": 4}, {"n": 7, "m": 7})
SEED = 40007940
DIFFERENTIABLE = True


def program(S, b, A):
    p = b
    x = S @ b
    w = np.zeros_like(x)
    for j in range(2):
        np.matmul(S, x, out=w)
        w, x, p = (x, p, w)
        for row in range(2):
            S[row] = (S @ A)[row]
    return x.sum()
