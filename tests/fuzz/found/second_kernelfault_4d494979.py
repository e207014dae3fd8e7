"""Seed 297000249: second: KernelFault."""

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 7, "m": 4}, {"n": 5, "m": 4}, {"n": 8, "m": 4})
SEED = 2970002490
DIFFERENTIABLE = True


def program(b):
    w = b
    r = b[::-1]
    out = [e0 for e0, v0 in enumerate(b) if True]
    return r.sum() + (w * w).sum()
