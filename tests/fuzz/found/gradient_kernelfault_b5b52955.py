"""Seed 298100720: gradient: KernelFault."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 8, "m": 4}, {"n": 4, "m": 5}, {"n": 6, "m": 5})
SEED = 2981007200
DIFFERENTIABLE = True


def program(S, b):
    r = b
    X = S[0]
    x = np.zeros_like(b)
    x[::-2] = r[1::2] / X[len(X) // 2 :]
    return x.sum()
