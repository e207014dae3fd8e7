"""A selection has a second name when its first one is bound to another selection."""

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 6, "m": 4}, {"n": 5, "m": 7}, {"n": 8, "m": 4})
SEED = 30740
DIFFERENTIABLE = False


def program(b):
    p = b[b < 9]
    q = p
    p = b[b > 1]
    return q.sum() + p.sum()
