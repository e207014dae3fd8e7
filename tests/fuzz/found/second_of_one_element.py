"""Seed 4000638: in second derivatives a size that is 1 only by a guard was summed over instead of broadcast."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "steps": "int 5 4 2"}
SIZES = ({"n": 9, "m": 9}, {"n": 4, "m": 4}, {"n": 5, "m": 5})
SEED = 40006380
DIFFERENTIABLE = True


def program(S, b, steps):

    def one_step(p0, q0):
        np.multiply(q0, q0[::-2][-1:], out=p0)
        return q0

    n = len(b)
    m = 3
    y = np.zeros_like(b)
    r = b * 1.0
    p = b * 0.5
    for j in range(2, m):
        z = b[:n]
        p = p - 0.5 * one_step(p, r)
        r[:] = r - S @ p
    return np.sin(r).sum() + (p**2).mean()
