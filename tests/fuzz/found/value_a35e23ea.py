"""Seed 70: value."""

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 5, "m": 5}, {"n": 7, "m": 7}, {"n": 4, "m": 4})
SEED = 700
DIFFERENTIABLE = True


def program(b):
    z = b * 0.5
    X = b
    v = b
    flag = False
    ref = None
    for j in range(2):
        if ref is None:
            ref = z
        ref[0] = 1.0
    w, g = z if flag else (X, z)
    w[:] = g * -0.5
    pass
    return v
