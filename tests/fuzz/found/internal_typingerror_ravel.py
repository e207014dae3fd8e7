"""Seed 7: internal: TypingError."""

SIGNATURE = {"S": "float64 n n"}
SIZES = ({"n": 6}, {"n": 5}, {"n": 8})
SEED = 4
DIFFERENTIABLE = False


def program(S):
    w = S[1:]
    s = 0.0
    for j in range(3):
        s += w.ravel()[-3:].max()
    return s
