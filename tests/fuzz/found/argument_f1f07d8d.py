"""Seed 3073: argument."""

import numpy as np

SIGNATURE = {"c": "float64 m"}
SIZES = ({"n": 7, "m": 6}, {"n": 9, "m": 7}, {"n": 8, "m": 6})
SEED = 30730
DIFFERENTIABLE = False


def program(c):
    head, tail = np.split(c, [-2])
    front = c[:3]
    front[-1] -= (head[2:] - head[2:]).max()
