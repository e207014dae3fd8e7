"""Recursion, globals, names that are missing, unusual callees."""

import functools
import math
import sys

import numpy as np

from .corpus import Theme, floats, numbers

theme = Theme(__name__)

SCALE = 2.0
OFFSETS = np.array([1.0, 2.0, 3.0])
TABLE = {"a": 1, "b": [2, 3]}


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


theme.add(factorial, (5,), (0,), (25,))


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


theme.add(fibonacci, (10,), (1,))


def _is_even(n):
    return True if n == 0 else _is_odd(n - 1)


def _is_odd(n):
    return False if n == 0 else _is_even(n - 1)


def mutual_recursion(n):
    return _is_even(n), _is_odd(n)


theme.add(mutual_recursion, (7,), (0,))


def reads_globals(x):
    return x * SCALE + OFFSETS[1] + TABLE["a"] + TABLE["b"][1] + math.pi + np.e


theme.add(reads_globals, (1,), (floats(1, 2),))


def reads_global_array(x):
    return (OFFSETS * x).sum(), OFFSETS


theme.add(reads_global_array, (2.0,))


def writes_global_array(x):
    OFFSETS[0] = x
    return OFFSETS[0]


def _reset_offsets():
    OFFSETS[:] = [1, 2, 3]


theme.add(writes_global_array, (20.0,), (30,), reset=_reset_offsets)


def rebinds_global(x):
    global SCALE
    SCALE = SCALE + x
    return SCALE


def _reset_scale():
    sys.modules[__name__].SCALE = 2.0


theme.add(rebinds_global, (1,), (2.5,), reset=_reset_scale)


def unknown_global(x):
    if x > 0:
        return no_such_name + x  # noqa: F821
    return x


theme.add(unknown_global, (-1,), (1,))


def attribute_missing(a):
    return a.no_such_attribute


theme.add(attribute_missing, (floats(1, 2),), (3,))


def calls_number(x):
    return x(1)


theme.add(calls_number, (3,), (floats(1, 2),))


def decorated_helper(x):
    return _cached(x) + _cached(x)


@functools.lru_cache
def _cached(x):
    return x * 3


theme.add(decorated_helper, (3,))


def imports_inside(x):
    import math as m
    from math import floor

    return m.ceil(x), floor(x)


theme.add(imports_inside, (1.5,))


def keyword_to_numpy(a):
    return np.sum(a=a, axis=0), a.sum(axis=-1, keepdims=True), np.clip(a, a_min=0, a_max=1)


theme.add(keyword_to_numpy, (numbers(2, 3),))


def star_in_numpy_call(a, shape):
    return np.zeros((*shape, 2)).shape, a.reshape(*shape), np.transpose(*[a])


theme.add(star_in_numpy_call, (numbers(6), (2, 3)))


def mutable_default(x, seen=[]):
    seen.append(x)
    return len(seen)


theme.add(mutable_default, (1,), reset=lambda: mutable_default.__defaults__[0].clear())


def listed(x):
    scalars = x * 2
    return list(scalars), [v for v in scalars]


def scalars(x):
    listed = x + 1
    return tuple(listed), listed.tolist()


for _program in (listed, scalars):
    theme.add(_program, (np.arange(5.0),), (np.arange(3),))
