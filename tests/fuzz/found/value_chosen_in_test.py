"""Seed 40582 of numbers: a value of a loop's test took the name of the loop's state, which only the end reads."""

SIGNATURE = {"x": "int 1 -3 7", "y": "int 2 0 7"}
SIZES = ({"n": 5}, {"n": 3}, {"n": 4})
SEED = 40582
DIFFERENTIABLE = False


def program(x, y):
    k0 = 0
    while False:
        k0 += 1
    while 0 < y < 5:
        for i2 in range(2):
            if i2 == i2:
                return max(x, i2)
            x = 2.5
    return x
