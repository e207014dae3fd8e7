"""Of an array that a branch chose beside a truth value, nothing was read but how long it is: it had no name."""

SIGNATURE = {"b": "float64 n", "R": "float64 n", "steps": "int 3 4 3"}
SIZES = ({"n": 9}, {"n": 5}, {"n": 8})
SEED = 5000200880
DIFFERENTIABLE = True


def program(b, R, steps):
    peak = 0.5
    f = 0.0
    for j in range(steps):
        for e0 in range(len(R)):
            if e0 == 1:
                head = b[b > 0.5]
                break
        else:
            head = R
        peak += head.size
        if j == 1:
            f = abs(R - f).max()
    return peak + f
