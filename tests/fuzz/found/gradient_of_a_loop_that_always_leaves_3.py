import numpy as np

SIGNATURE = {"x": "float64 n", "s": "float"}
SIZES = ({"n": 4}, {"n": 4}, {"n": 4})
SEED = 502400700
DIFFERENTIABLE = True


def program(x, s):
    y = np.zeros(4) + 0.5 * s
    a, b = np.sum(x) * 0.1, np.sum(y) * 0.2
    for k0 in range(1, 4):
        x[(k0 + 1) % 4] = 1.0 / (2.0 + (b + s) * (b + s))
    y = (x[::-1] - 0.5 * np.full(4, 1.0) * a) - 0.5 * (y[2] + a)
    x[-1] = s + np.tanh(y[-1])
    n0 = 0
    while n0 < 4 and 1.0 / (2.0 + b * b) > 0.35:
        n0 += 1
        if np.sin(0.7) > 0.1:
            return s + np.sum(x)
        if (0.7 - 0.5 * y[n0 % 4]) < s * 0.3:
            break
        y[:] = np.tanh(x) * s
    return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y) + a - 2.0 * b * s
