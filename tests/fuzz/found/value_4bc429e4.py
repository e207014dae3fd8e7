"""Seed 5185: value."""

SIGNATURE = {"S": "complex128 n n", "b": "complex128 n", "c": "complex128 m"}
SIZES = ({"n": 4, "m": 5}, {"n": 6, "m": 7}, {"n": 8, "m": 7})
SEED = 51850
DIFFERENTIABLE = False


def program(S, b, c):
    m = len(c)
    x = b
    for j in range(2):
        X = S
        front = S[:m]
        front[-3, -1] -= x.sum()
        pass
    return X
