"""Seed 430014034: type."""

SIGNATURE = {"x": "float64 n"}
SIZES = ({"n": 4, "m": 3}, {"n": 3, "m": 2}, {"n": 5, "m": 4})
SEED = 43001403400
DIFFERENTIABLE = False


def program(x):
    s = 0.5
    c = 0
    y = x * 1.0
    t = 0
    last = None
    kept = []
    d = {"a": 0.5, "b": 1.5, "w": x}
    e = {"o": {"p": 0, "q": x + 1}, "l": [0, 1.5]}
    try:
        try:
            c = 0.5 if True else d
            raise KeyError
        except OverflowError:
            pass
        except ValueError:
            pass
        c = d
    except LookupError:
        pass
    return (s, c, y, d, t, last, kept, e)
