"""Seed 15040604: gradient: JitscopeError."""

SIGNATURE = {"S": "float64 n n"}
SIZES = ({"n": 8, "m": 7}, {"n": 4, "m": 5}, {"n": 6, "m": 7})
SEED = 150406040
DIFFERENTIABLE = True


def program(S):
    p = S.T
    k1 = 0
    k2 = 0
    S[:, -2:][k2] = S[k1].reshape(-1, 2).mean(axis=0)
    return (p * p).sum()
