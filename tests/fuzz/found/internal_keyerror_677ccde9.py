"""Seed 296000712: internal: KeyError."""

SIGNATURE = {"b": "float32 n", "steps": "int 3 2 3"}
SIZES = ({"n": 4, "m": 7}, {"n": 8, "m": 6}, {"n": 6, "m": 5})
SEED = 2960007120
DIFFERENTIABLE = False


def beside(v, k, r=1):
    return v[max(0, k) : k]


def program(b, steps):
    win = beside(b, steps)
    span = beside(b, steps)
    for j in range(2):
        span += 2
