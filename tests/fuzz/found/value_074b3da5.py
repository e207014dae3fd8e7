"""Seed 2004: value."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "c": "float64 m"}
SIZES = ({"n": 8, "m": 4}, {"n": 6, "m": 5}, {"n": 4, "m": 5})
SEED = 20040
DIFFERENTIABLE = True


def program(S, b, c):
    m = len(c)
    y = b
    head = y[:m]
    head[-1] -= S.sum()
    pass
    return y @ y
