"""Seed 3051: internal: NameError."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "c": "float64 m"}
SIZES = ({"n": 6, "m": 7}, {"n": 8, "m": 6}, {"n": 4, "m": 5})
SEED = 30510
DIFFERENTIABLE = True


def program(S, b, c):
    X = c
    prev = X[X > 1]
    idx = np.where(b > 1)
    Q = S
    for j in range(2):
        for at0 in range(2):
            if at0 > 0:
                gain = head @ head.T  # noqa: F821
            head = Q[:j]
    return gain
