"""Seed 5031253 of `arrays`: an int leaves 64 bits where an argument was written and numbers are objects."""

SIGNATURE = {"x": "int 1 -3 7", "y": "int 2 0 7", "n": "int 4 0 6", "a": "float64 n", "b": "float64 n"}
SIZES = ({"n": 5}, {"n": 3}, {"n": 4})
SEED = 5031253
DIFFERENTIABLE = False


def program(x, y, n, a, b):
    z = 0
    for i0 in a:
        z += z + -3
        for i1 in range(1, n, 2):
            for i2 in a:
                z += z * (i1 % 5)
                a[i1] = int(1)
                b = a * 0.5 + b
            for i3 in range(n, 0, -1):
                x = 1 / 4
                y = x * 0.5
                x += abs(0)
            b[1:] += a[:-1] * 0.5
    if x > 2 and i3 > 1:
        b[0] += a[-1]
        a, b = b, a
    if z <= 2 and y > 1:
        z = x if 0 < x < 5 else z
        if not n:
            x = 1 or n
        else:
            x = b[2]
    else:
        if z != 0 and z > 1:
            return int(n)
    if not x:
        b = a
        b = a
    else:
        if not n:
            y += int(n)
            if z < i3 and n > 1:
                y = b.max() + b[1:].sum()
        else:
            x, z = n % 7, 1 * 0.5
            if 0 < n < 5:
                y = a.max() + a[1:].sum()
                z = n // 3
        a[n] += a[2]
    return x, y, z, a.sum(), b[::-1]
