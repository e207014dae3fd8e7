"""Seed 4187: gradient: differences."""

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 6, "m": 7}, {"n": 4, "m": 6}, {"n": 8, "m": 4})
SEED = 41870
DIFFERENTIABLE = True


def program(b):
    M2 = b
    lo = b[:4]
    lo[-2] = M2.max()
    return M2 @ M2
