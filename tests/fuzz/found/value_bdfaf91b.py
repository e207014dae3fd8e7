"""Seed 3036: value."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 4, "m": 4}, {"n": 7, "m": 7}, {"n": 6, "m": 6})
SEED = 30360
DIFFERENTIABLE = True


def inner(p0, q0):
    z = q0[:-1]
    z[-1] = z[2]


def program(S, b):
    p = S[0]
    old = b
    cur = b
    new = b
    k1 = 0
    while True:
        k1 += 1
        if k1 > 2:
            break
        e = new
        new = cur
        p = inner(p, e)
    return cur
