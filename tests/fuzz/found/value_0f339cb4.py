"""Seed 71000252: value."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 7, "m": 7}, {"n": 6, "m": 6}, {"n": 9, "m": 9})
SEED = 710002520
DIFFERENTIABLE = True


def program(S, b):
    held = None
    x = b * 1.0
    k1 = 0
    while True:
        k1 += 1
        if k1 > 2:
            break
        held = x
    held *= 0.25
    return np.sin(x)
