"""Seed 41000032: internal: TypingError."""

import numpy as np

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 6, "m": 5}, {"n": 4, "m": 7}, {"n": 8, "m": 7})
SEED = 410000320
DIFFERENTIABLE = False


def program(b):
    v = b
    score = 1.5
    prev = np.outer(v, v).sum(1)
    for j in range(2):
        score += len(prev)
        prev = v[j:j]
    return score
