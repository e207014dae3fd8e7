"""Seed 3141: internal: NameError."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 4, "m": 5}, {"n": 9, "m": 5}, {"n": 7, "m": 6})
SEED = 31410
DIFFERENTIABLE = False


def program(S, b):
    u = b
    x = b
    r = b
    win = b[b != b]
    span = u[True]
    for j in range(2):
        if not not x.max() > 0:
            piece1 = S[:j]
        r[0] = piece1.sum()
