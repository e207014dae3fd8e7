"""Seed 90001238: uncompiled gradient: JitscopeError."""

import numpy as np

SIGNATURE = {"b": "float64 n", "c": "float64 m", "d": "float64 n", "steps": "int 2 4 3"}
SIZES = ({"n": 8, "m": 5}, {"n": 9, "m": 4}, {"n": 6, "m": 7})
SEED = 900012380
DIFFERENTIABLE = True


def program(b, c, d, steps):
    n = b.size
    win = np.concatenate((c, c))
    part = np.cumsum(c[:steps])
    x = b
    for j in range(1, n):
        prop = x
        x[:] = prop
    else:
        win = win if len(win) > 2 else d
    return win.sum()
