"""A selection that is read behind a loop over an array."""

import numpy as np

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 6, "m": 4}, {"n": 5, "m": 7}, {"n": 8, "m": 4})
SEED = 30740
DIFFERENTIABLE = False


def program(b):
    p = b[b > 0]
    k = np.arange(3)
    for _ in b:
        pass
    return p.sum(), k
