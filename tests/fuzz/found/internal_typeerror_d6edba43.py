"""Seed 73000020: internal: TypeError."""

SIGNATURE = {}
SIZES = ({"n": 4, "m": 6}, {"n": 8, "m": 7}, {"n": 6, "m": 4})
SEED = 730000200
DIFFERENTIABLE = False


def program():
    ref = None
    for j in range(2):
        if j == 0 and False:
            ref[0] = 0.25
