import numpy as np

SIGNATURE = {"x": "float64 n", "s": "float"}
SIZES = ({"n": 4}, {"n": 4}, {"n": 4})
SEED = 502313500
DIFFERENTIABLE = True


def program(x, s):
    y = np.zeros(4) + 0.5 * s
    a, b = np.sum(x) * 0.1, np.sum(y) * 0.2
    for k0 in range(3, -1, -1):
        b *= 0.5 * np.sin(s)
        for k1 in range(4):
            x = (x[::-1] - 0.5 * y) - 0.5 * (b + 0.7)
            b = np.tanh(1.0 / (2.0 + b * b))
            y[(k0 + 1) % 4] = np.tanh(1.0 / (2.0 + b * b) * s)
        else:
            y[k0] = s
        for k1 in range(3, -1, -1):
            x = y * 1.0
            if 0.7 > -0.2:
                break
    n0 = 0
    while n0 < 4 and (a - 0.5 * a) < 0.35:
        n0 += 1
        if np.sum(x) < -0.2:
            y[::2] *= np.tanh(x[1::2]) * s
        y[(n0 % 4 + 1) % 4] = 1.0 / (2.0 + a * a) * 0.7 - 0.5 * np.sin(0.7) * 0.7
    x[-1] = np.sin(b) * b + np.tanh(x[0]) * 0.7
    return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y) + a - 2.0 * b * s
