"""Seed 44000047: gradient: JitscopeError."""

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 8, "m": 8}, {"n": 4, "m": 4}, {"n": 6, "m": 6})
SEED = 440000470
DIFFERENTIABLE = True


def program(b):
    y = b
    v = b.copy()
    k0 = 1
    win = v
    while False:
        b[0] = win.sum()
        win = v[2:k0]
    return y @ b
