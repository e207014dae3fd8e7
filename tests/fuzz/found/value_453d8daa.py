"""Seed 3097: value."""

SIGNATURE = {"S": "float64 n n", "c": "float64 m"}
SIZES = ({"n": 8, "m": 5}, {"n": 4, "m": 7}, {"n": 7, "m": 4})
SEED = 30970
DIFFERENTIABLE = False


def program(S, c):
    r = S[0] * 1.0
    head = c[:-1]
    head[-2] -= r[-1]
    return c.sum()
