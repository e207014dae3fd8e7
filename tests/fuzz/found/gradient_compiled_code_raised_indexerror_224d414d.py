"""Seed 103: gradient: compiled code raised IndexError."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 6, "m": 5}, {"n": 4, "m": 5}, {"n": 8, "m": 7})
SEED = 1030
DIFFERENTIABLE = True


def program(S, b):

    def inner(p0, q0):
        g = p0
        return g / 1

    M2 = np.zeros_like(b)
    for j in range(2):
        for row in range(2):
            dd = S[0]
            acc = dd
            M2[:] = acc
        S = inner(S, S)
        if (acc > 100).any():
            continue
    return M2.sum()
