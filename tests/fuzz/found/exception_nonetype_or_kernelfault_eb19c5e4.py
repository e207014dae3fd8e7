"""Seed 460037073: exception: NoneType or KernelFault."""

import numpy as np

SIGNATURE = {"S": "float64 n n", "b": "float64 n", "d": "float64 n", "steps": "int 3 2 2"}
SIZES = ({"n": 5, "m": 5}, {"n": 8, "m": 8}, {"n": 7, "m": 7})
SEED = 4600370730
DIFFERENTIABLE = False


def program(S, b, d, steps):
    m = 3
    v = b * 0.5
    hits = 0
    flag = True
    gain = 0.0
    offsets = [(0, 1), (1, 0), (1, 1), (2, -1)]
    prev = S[S > 0.5]
    for j in range(2, m):
        y = np.sin(v + np.tanh(0.9 * np.where(v > 0, v, 0.1) + 0.1 * offsets[j][0]))
        gain -= flag + (d[-4:][j] != y[j] and 0 < j < 3)
        gain = gain * 0.5 + np.sin(prev).sum()
    k2 = 0
    while k2 < 4:
        k2 += 1
        places = np.nonzero(d > -0.25)[0]
        for p0 in range(steps):
            if not (b > 0.5).any():
                head = np.where(v > 1, v, -0.5)[: k2 + 1]
            else:
                head = v[1:][: k2 + 1]
            hits -= head[-1]
        S -= np.tanh(S @ S.T)
        prev = v[k2::2]
    if len(prev):
        prev[-1] = 2
