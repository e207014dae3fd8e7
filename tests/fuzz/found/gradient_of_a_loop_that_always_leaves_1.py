import numpy as np

SIGNATURE = {"x": "float64 n", "s": "float"}
SIZES = ({"n": 4}, {"n": 4}, {"n": 4})
SEED = 502301300
DIFFERENTIABLE = True


def program(x, s):
    y = np.zeros(4) + 0.5 * s
    a, b = np.sum(x) * 0.1, np.sum(y) * 0.2
    for k0 in range(4):
        for k1 in range(3):
            if y[3] < 0.35:
                break
    x[-1] = np.tanh(s)
    for k0 in range(0):
        if (a - 0.5 * x[3 - k0]) > 0.35:
            continue
        x[1:] *= np.cos(y[:-1]) * b
        if np.tanh(s) * a > s * 0.3:
            break
    y[-1] = b
    x = y * 1.0
    if (a - 0.5 * s) < s * 0.3:
        for k0 in range(len(x)):
            y[-1] += (a + s) - 0.5 * np.cos(s)
            if 0.7 > -0.2:
                break
        x[0] *= a
    else:
        n0 = 0
        while n0 < 4 and np.cos(b) * s < 0.1:
            n0 += 1
            x = y * 1.0
    return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y) + a - 2.0 * b * s
