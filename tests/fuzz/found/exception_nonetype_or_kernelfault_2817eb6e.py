"""Seed 300460: exception: NoneType or KernelFault."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "d": "float64 n"}
SIZES = ({"n": 7, "m": 6}, {"n": 6, "m": 4}, {"n": 9, "m": 5})
SEED = 3004600
DIFFERENTIABLE = True


def program(S, b, d):
    U = S + S.T
    d[1:] = S[:-1, 1:] @ d[-2::-1] + b.prod()
