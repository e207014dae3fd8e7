"""Seed 300144: second: KernelFault."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "steps": "int 3 2 3", "rate": "float"}
SIZES = ({"n": 6, "m": 7}, {"n": 4, "m": 6}, {"n": 7, "m": 6})
SEED = 3001440
DIFFERENTIABLE = True


def program(S, b, steps, rate):
    m = 3
    z = S * 1.0
    w = b[::-1]
    X = S.T
    x = 0.1 * b + 1
    for j in range(4):
        y = S @ x
        lam = np.sqrt(y @ y + 1)
        front = z[:4]
        if j % 3:
            head = x[: len(x) // 2]
            head[-1] = np.tanh(head[:4][:1][::-1]).prod()
    return z.sum() + (X**2).mean() + (x * b).sum() + lam
