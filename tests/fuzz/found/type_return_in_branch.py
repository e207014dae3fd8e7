"""Seed 40244 of numbers: a return in a loop became a return in the branch before the loop."""

SIGNATURE = {"x": "int 1 -3 7", "y": "int 2 0 7", "n": "int 4 0 6"}
SIZES = ({"n": 5}, {"n": 3}, {"n": 4})
SEED = 40244
DIFFERENTIABLE = False


def program(x, y, n):
    z = 0
    y = n if 0 < x < 5 else z
    for i0 in range(2):
        return y
    for i8 in range(n, 0, -1):
        x = 2.5
    else:
        z, x = (n, min(n, -3))
    return (x, y, z)
