"""Seed 3017: argument."""

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 7, "m": 7}, {"n": 8, "m": 8}, {"n": 6, "m": 6})
SEED = 30170
DIFFERENTIABLE = False


def program(b):
    for j in range(2):
        part = b[:-1]
        part[-1] -= part.sum()
