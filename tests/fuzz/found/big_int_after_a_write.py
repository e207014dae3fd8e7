"""Seed 5031253 of `arrays`: an int leaves 64 bits after arguments were written."""

SIGNATURE = {"x": "int 1 -3 7", "n": "int 4 0 6", "a": "float64 n", "b": "float64 n"}
SIZES = ({"n": 5}, {"n": 3}, {"n": 4})
SEED = 50312530
DIFFERENTIABLE = False


def program(x, n, a, b):
    z = 0
    for i0 in a:
        z += z + -3
        for i1 in range(1, n, 2):
            for i2 in a:
                z += z * (i1 % 5) + x
                a[i1] = int(1)
                b = a * 0.5 + b
            b[1:] += a[:-1] * 0.5
    for i in range(40):
        z = z * 3 + len(a)
        a[0] += 1.0
    return z, a.sum(), b[::-1]
