"""Seed 298000623: second: KernelFault."""

import numpy as np

SIGNATURE = {"b": "float64 n", "d": "float64 n"}
SIZES = ({"n": 4, "m": 4}, {"n": 9, "m": 9}, {"n": 6, "m": 6})
SEED = 2980006230
DIFFERENTIABLE = True


def program(b, d):
    X = d
    r = b[:-1]
    span = X[: 2 + 1] if (X > 100).any() else r
    prop = r / 2
    if (X > 1).any():
        pass
    else:
        r = prop
    X[: len(span)] += span
    return r.mean() + np.sin(X).sum()
