"""Seed 5160: gradient: differences."""

SIGNATURE = {"S": "float64 n n", "A": "float64 n m"}
SIZES = ({"n": 6, "m": 4}, {"n": 4, "m": 6}, {"n": 8, "m": 7})
SEED = 51600
DIFFERENTIABLE = True


def program(S, A):
    n, m = A.shape
    y = S
    res = y
    head = y[:m]
    s = head[-1, -1]
    return res.sum() + s
