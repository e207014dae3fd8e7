"""Seed 41000012: value."""

SIGNATURE = {"S": "float64 n n", "A": "float64 n m", "c": "float64 m", "d": "float64 n"}
SIZES = ({"n": 8, "m": 8}, {"n": 7, "m": 7}, {"n": 6, "m": 6})
SEED = 410000120
DIFFERENTIABLE = False


def program(S, A, c, d):
    R = S
    flag = True
    score = 0.0
    prev = d
    for j, v1 in enumerate(c):
        prev, win = (d[: j + 1][d[: j + 1] > 1], prev)
    return (c, A, R, S, score, flag, win, prev)
