"""Seed 1085: value."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 6, "m": 4}, {"n": 8, "m": 7}, {"n": 4, "m": 7})
SEED = 10850
DIFFERENTIABLE = True


def program(S, b):
    Q = S * 1.0
    for i4 in range(2):
        np.add(Q, np.hypot(S @ S, S), out=Q)
    return Q
