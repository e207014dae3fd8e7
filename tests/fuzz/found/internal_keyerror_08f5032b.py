"""Seed 301033: internal: KeyError."""

SIGNATURE = {"b": "float64 n"}
SIZES = ({"n": 7, "m": 4}, {"n": 9, "m": 4}, {"n": 6, "m": 7})
SEED = 3010330
DIFFERENTIABLE = False


def inner(p0, q0):
    cur = q0
    if cur.max() < 1:
        return p0


def program(b):
    R = b
    R = inner(R, b)
