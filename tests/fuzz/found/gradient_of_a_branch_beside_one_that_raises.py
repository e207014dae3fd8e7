"""Seed 12000071: the gradient was 0 where a branch raises beside one that returns."""

SIGNATURE = {"S": "float64 n n", "b": "float64 n"}
SIZES = ({"n": 4, "m": 5}, {"n": 9, "m": 6}, {"n": 6, "m": 4})
SEED = 120000710
DIFFERENTIABLE = True


def program(S, b):
    R = b
    for j in range(2, 0, -2):
        if j:
            return S[0] @ b
        if err >= R:  # noqa: F821
            pass
        else:
            err = u  # noqa: F821
    return R.mean()
