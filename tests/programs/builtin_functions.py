"""Python's own functions of plain numbers, arrays and containers."""

import numpy as np

from .corpus import Theme, floats, ints, numbers

theme = Theme(__name__)


def lengths(a, items):
    return len(a), len(items), len(a[1:]), len(range(3, 10, 2)), len("abc")


theme.add(lengths, (numbers(3), [1, 2]), (numbers(2, 5), ()), (numbers(0), {}))


def length_of_scalar(x):
    return len(x)


theme.add(length_of_scalar, (np.array(1.0),), (3,), (np.float64(1),))


def ranges(n):
    r = range(2, n, 3)
    return list(r), r[0], len(r), 5 in r, tuple(range(n)), r.start, range(n)[-1]


theme.add(ranges, (10,), (2,))


def min_and_max(a, b, c):
    return min(a, b), max(a, b, c), min([a, b, c]), max((c, a))


theme.add(min_and_max, (1, 2, 3), (1, 1.0, 0), (2.5, np.float64(2.5), 1), (True, 0, 2))


def min_and_max_of_arrays(a):
    return min(a), max(a), max(a, key=abs), min(list(a))


theme.add(min_and_max_of_arrays, (numbers(5),), (ints(3, -9, 2),), (numbers(0),))


def min_of_array_and_scalar(a):
    return max(a, 0)


theme.add(min_of_array_and_scalar, (floats(1, 2),), (floats(1),), (3,))


def absolutes(x):
    return abs(x), abs(-x)


theme.add(absolutes, (3,), (-2.5,), (3 + 4j,), (floats(-1, 2),), (np.int8(-128),), (True,), ("a",))


def sums(items):
    return sum(items), sum(items, 10)


theme.add(
    sums, ([1, 2, 3],), ([0.1] * 10,), (floats(0.1, 0.2, 0.3),), (numbers(2, 3),), ([],), ([True, 2.5],)
)


def sum_of_arrays(parts):
    return sum(parts), sum(p.sum() for p in parts)


theme.add(sum_of_arrays, ([floats(1, 2), floats(3, 4)],))


def rounds(x):
    return round(x), round(x, 1), round(x, -1)


theme.add(
    rounds,
    (2.5,),
    (3.5,),
    (-2.5,),
    (2.675,),
    (1234,),
    (np.float64(2.5),),
    (np.float32(2.55),),
    (1e22,),
    (0.5,),
)


def round_strange(x):
    return round(x)


theme.add(round_strange, (float("nan"),), (float("inf"),), (floats(1.5, 2.5),), (np.float64("inf"),))


def ints_of(x):
    return int(x), int(x) + 1


theme.add(
    ints_of,
    (2.9,),
    (-2.9,),
    (True,),
    (np.float64(3.7),),
    (1e20,),
    ("12",),
    (np.int8(5),),
    (floats(7),),
    (floats(1, 2),),
)


def ints_of_strange(x):
    return int(x)


theme.add(ints_of_strange, (float("nan"),), (float("inf"),), ("x",), (1j,), (np.float64("nan"),))


def floats_of(x):
    return float(x), float(x) / 2


theme.add(floats_of, (2,), (np.float32(0.1),), ("1.5",), (floats(3),), (floats(1, 2),), (10**400,))


def bools_of(x):
    return bool(x), not bool(x)


theme.add(
    bools_of,
    (0,),
    (0.0,),
    (2,),
    ([],),
    ("a",),
    (np.float64(0),),
    (floats(1),),
    (floats(1, 2),),
    (float("nan"),),
)


def complexes_of(x):
    return complex(x), complex(x, 2), complex(0, 1) * x


theme.add(complexes_of, (1,), (1.5,), (np.float32(1),))


def enumerates(items):
    out = 0.0
    for i, x in enumerate(items):
        out += i * x
    return out, list(enumerate(items, 1))


theme.add(enumerates, ([1, 2, 3],), (floats(1, 2),), (ints(),))


def zips(a, b):
    return [x * y for x, y in zip(a, b)], list(zip(a, b)), dict(zip("ab", a))


theme.add(zips, (floats(1, 2), ints(3, 4)), ([1, 2, 3], (4, 5)))


def reverses(a):
    return list(reversed(a)), [x for x in reversed(range(3))]


theme.add(reverses, ([1, 2],), (floats(1, 2),))


def isinstances(x):
    if isinstance(x, np.ndarray):
        return x.sum()
    elif isinstance(x, (list, tuple)):
        return len(x)
    elif isinstance(x, str):
        return x + "!"
    return None if x is None else x + 1


theme.add(isinstances, (floats(1, 2),), ([1],), ("a",), (2,), (None,))


def divmods(a, b):
    q, r = divmod(a, b)
    return q, r


theme.add(
    divmods, (7, 3), (-7, 3), (7.5, -2), (ints(7, -7), 3), (floats(7.5, -7.5), 2.0), (np.int64(7), 2), (1, 0)
)


def pows(a, b):
    return pow(a, b), pow(2, 10, 1000)


theme.add(pows, (2, 3), (2.0, -1), (2, -1), (floats(1, 2), 2), (3, 50))


def pow_modulo(a, b, m):
    return pow(a, b, m)


theme.add(pow_modulo, (7, 1000, 13), (3, -1, 7), (2, 5, 0))


def anys_and_alls(items):
    return any(items), all(items), any(x > 1 for x in items), all([x > 0 for x in items])


theme.add(anys_and_alls, ([0, 1, 2],), ([],), (floats(1, 2),), ((0, 0),))


def prints(x, n):
    print("start", x)
    for i in range(n):
        print(i, x * i, sep="-", end=";")
    print()
    print(f"{x!r}")
    return n


theme.add(prints, (1.5, 3), (floats(1, 2), 2), (2, 0))


def prints_before_error(a):
    for i in range(5):
        print("at", i, a[i])


theme.add(prints_before_error, (floats(1, 2),))


def prints_in_branch(a):
    s = 0
    for x in a:
        if x < 0:
            print("negative", x)
            continue
        s += x
    print("sum", s)
    return s


theme.add(prints_in_branch, (floats(1, -2, 3),))


def types(x):
    return type(x), type(x) is int, type(x).__name__, callable(x), id(x) == id(x)


theme.add(types, (1,), (floats(1),), ("a",))


def conversions(items):
    return list(items), tuple(items), sorted(items), len(set(items)), dict.fromkeys(items, 0)


theme.add(conversions, ([3, 1, 2],), ((1.5, 0.5),), ("cab",))


def characters(n):
    return chr(65 + n), ord("a") + n, hex(n), bin(n), oct(n)


theme.add(characters, (3,))


def slices_of_range(n):
    total = 0
    for i in range(n)[1::2]:
        total += i
    return total


theme.add(slices_of_range, (7,))


def hashing(x):
    return hash(x) == hash(x), x == x


theme.add(hashing, (1,), ("a",), ([],))


def numpy_versions(a):
    return np.sum(a) == sum(a), np.max(a) == max(a), np.abs(a) == abs(a), np.all(a) == all(a)


theme.add(numpy_versions, (floats(1, 2),), (ints(1, 0),))
