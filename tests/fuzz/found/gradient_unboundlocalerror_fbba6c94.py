"""Seed 5022: gradient: UnboundLocalError."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 6, "m": 4}, {"n": 4, "m": 5}, {"n": 8, "m": 4})
SEED = 50220
DIFFERENTIABLE = True


def program(S, b):
    p = S
    x = b
    total = 0.0
    for j in range(2):
        prop = S @ x * 0.3
        if prop @ prop > 100.0:
            pass
        else:
            x = prop
        total += (x**2).sum()
    z = p
    z[-3] += x
    return total
