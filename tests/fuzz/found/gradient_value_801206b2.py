"""Seed 5032: gradient: value."""

SIGNATURE = {"S": "float64 n n"}
SIZES = ({"n": 5, "m": 5}, {"n": 9, "m": 9}, {"n": 4, "m": 4})
SEED = 50320
DIFFERENTIABLE = True


def program(S):
    R = S * 1.0
    k1 = 0
    while k1 < 5:
        e = R * R
        R += e / e.sum(1, keepdims=True)
        k1 += 1
    return R.sum()
