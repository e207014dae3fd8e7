"""A selection in a tuple that is read behind a write of other rows."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 6, "m": 4}, {"n": 5, "m": 7}, {"n": 8, "m": 4})
SEED = 30740
DIFFERENTIABLE = False


def program(S, b):
    t = (S, b[b > -0.25])
    S[...] = np.outer(b, b)[::-1].sum(0)
    return t[1].sum()
