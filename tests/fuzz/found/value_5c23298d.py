"""Seed 2014: value."""

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 6, "m": 7}, {"n": 7, "m": 6}, {"n": 8, "m": 6})
SEED = 20140
DIFFERENTIABLE = False


def program(b):

    def advance(p0, q0):
        front = q0[:-1]
        front[-1] += p0.sum()
        return q0

    r = b
    p = b
    r[:] = advance(r, p)
    return r
