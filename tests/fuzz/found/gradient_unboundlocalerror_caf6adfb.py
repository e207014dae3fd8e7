"""Seed 5364: gradient: UnboundLocalError."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "d": "float64 n"}
SIZES = ({"n": 8, "m": 8}, {"n": 6, "m": 6}, {"n": 4, "m": 4})
SEED = 53640
DIFFERENTIABLE = True


def program(S, b, d):
    v = b
    u = d
    total = b[0]
    d -= 0.5
    for j in range(2):
        if S[j][-1] < u.sum():
            v = v.min() * (d > 0)
        total += v @ v
    return total
