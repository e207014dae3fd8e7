"""Seed 900054: memory for a broadcast view of something computed had the view's type, which is read-only."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "d": "float64 n"}
SIZES = ({"n": 4}, {"n": 6}, {"n": 8})
SEED = 9000540
DIFFERENTIABLE = True


def program(S, b, d):
    R = b[::-1]
    prop = S - 0.1 * np.clip((S @ S) - (S @ S).sum(0) * 0.1, -2, 2)
    if np.abs(d - R).max() <= 7.0:
        pass
    else:
        S = prop
    return (S**2).sum()
