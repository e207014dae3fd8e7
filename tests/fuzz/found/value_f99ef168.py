"""Seed 1129: value."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 9, "m": 6}, {"n": 4, "m": 7}, {"n": 6, "m": 5})
SEED = 11290
DIFFERENTIABLE = True


def program(S, b):
    w = S
    x = b
    y = b * 0.5
    for v2, w2 in zip(x, w):
        t = x - y
        u = t / t.sum()
        y[:] = y + u
    return y
