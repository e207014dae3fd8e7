"""A selection that is read behind a write of other rows."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 6, "m": 4}, {"n": 5, "m": 7}, {"n": 8, "m": 4})
SEED = 30740
DIFFERENTIABLE = False


def program(S, b):
    p = b[b > 0]
    S[:] = S[::-1].sum(0)
    return p.sum()
