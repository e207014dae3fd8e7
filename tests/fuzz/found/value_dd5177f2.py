"""Seed 300146: value."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "A": "float64 n m", "c": "float64 m", "steps": "int 3 3 4"}
SIZES = ({"n": 6, "m": 4}, {"n": 8, "m": 5}, {"n": 4, "m": 6})
SEED = 3001460
DIFFERENTIABLE = False


def helper(p0, q0):
    p0[:] = np.sin(np.clip(np.maximum(p0, 0.1), -1, 1))
    beta = p0.argmax()
    return np.clip(q0, -1, 1)


scaled = lambda v, c=0.5: c * v


def program(S, b, A, c, steps):
    n, m = A.shape
    r = c * 1.0
    acc = b[0]
    for j in range(n - 1, -1, -1):
        A = helper(A, A)
    for k, v2 in enumerate(b[:-2]):
        A -= 0.5 * (A - 0.1 * (A - A.max(-1, keepdims=True)))
        A = scaled(A) + A
        b = np.clip(np.dot(S, S[0, :]), -2, 2)
        if b[k] > n:
            break
        c[len(c) - 3 :][2] += S[0, 2]
    return A.sum(), S
