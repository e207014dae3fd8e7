"""Seed 120003180: second."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 7, "m": 7}, {"n": 8, "m": 8}, {"n": 5, "m": 5})
SEED = 1200031800
DIFFERENTIABLE = True


def program(S, b):
    n = len(b)
    x = b
    v = x * 0.25
    for j in range(2):
        b.fill(-0.25)
    S[1] -= b.std()
    b = np.dot(S[:, ::2], b[0:n:2])
    return (v * b).sum()
