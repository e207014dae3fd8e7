"""Seed 3113: internal: NameError."""

import numpy as np

SIGNATURE = {"b": "float64 n", "A": "float64 n m"}
SIZES = ({"n": 8, "m": 6}, {"n": 6, "m": 7}, {"n": 4, "m": 7})
SEED = 31130
DIFFERENTIABLE = True


def best_tail(v):
    w = v
    for k in range(2):
        if v[k] > w[0]:
            pass


def program(b, A):

    def upto(v, c):
        for k in range(2):
            if v[k] > c:
                return v[:k]

    u = A
    piece = best_tail(b)
    piece2 = np.tile(b, 2)
    for v1 in u:
        part = upto(v1, 0)
