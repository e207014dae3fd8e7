"""Seed 72000086: internal: AttributeError."""

SIGNATURE = {}
SIZES = ({"n": 8, "m": 7}, {"n": 4, "m": 6}, {"n": 6, "m": 7})
SEED = 720000860
DIFFERENTIABLE = False


def program():
    tally = 0.0
    held = None
    while False:
        tally += held.sum()
