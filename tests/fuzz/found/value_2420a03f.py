"""Seed 2011: value."""

SIGNATURE = {"S": "float32 n n", "A": "float32 n m", "d": "float32 n"}
SIZES = ({"n": 9, "m": 5}, {"n": 4, "m": 6}, {"n": 5, "m": 6})
SEED = 20110
DIFFERENTIABLE = False


def program(S, A, d):
    n, m = A.shape
    u = d
    k1 = 0
    while True:
        k1 += 1
        if k1 > 2:
            break
        k2 = 0
        front = u[: n - 1]
        front[-2] += S[k2, k2]
    return d
