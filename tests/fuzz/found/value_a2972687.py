"""Seed 44000114: value."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "A": "float64 n m", "steps": "int 5 5 3"}
SIZES = ({"n": 6, "m": 4}, {"n": 4, "m": 5}, {"n": 8, "m": 5})
SEED = 440001140
DIFFERENTIABLE = False


def program(S, b, A, steps):
    y = S
    R = A
    gain = 1.5
    hits = steps
    k1 = 0
    while True:
        k1 += 1
        if k1 > 4:
            break
        span = A.sum(1)
    return (A, y, b, R, gain, span, hits)
