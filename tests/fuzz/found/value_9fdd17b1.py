"""Seed 1047: value."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 8, "m": 5}, {"n": 6, "m": 7}, {"n": 4, "m": 6})
SEED = 10470
DIFFERENTIABLE = True


def program(S, b):
    r = b * 1.0
    p = r
    for j in range(2):
        Ap = S @ p
        r[:] -= Ap
    return r
