"""Numbers that are Python's on some paths and NumPy's on others, stored and converted."""

import numpy as np

from .corpus import Theme

theme = Theme(__name__)

BELOW, ABOVE = np.array([1.0, 2.0, 3.0]), np.array([1.0, 10.0, 3.0])


def _place(x, s):
    for i in range(len(x)):
        if x[i] > 9:
            s = np.argmax(x)
    return s


def _item(x, s):
    for i in range(len(x)):
        if x[i] > 9:
            s = x[i]
    return s


def one_stored(z, x):
    s = -1
    for i in range(len(x)):
        if x[i] > 9:
            s = np.argmax(x)
    z[0] = s
    return z


def large_one_stored(z, x):
    z[0] = _place(x, 300)
    return z


def all_stored(z, x):
    z[:] = _place(x, -1)
    return z


def some_stored(z, x):
    z[1:3] = _place(x, 300)
    return z


def stored_by_mask(z, x):
    z[z > 1] = _place(x, 300)
    return z


def stored_at_places(z, x):
    z[[0, 1]] = _place(x, 300)
    return z


def stored_in_a_loop(z, x):
    s = _place(x, -1)
    for i in range(len(z)):
        z[i] = s
    return z


def listed_and_stored(z, x):
    s = _place(x, 300)
    z[:2] = [5, s]
    return z


def lists_stored(z, x):
    s = int(x[1]) * 100
    z[:2] = [5, s]
    z[1:] = (s, 5)
    return z


def mixed_lists_stored(z, x):
    z[:2] = [int(x[0]) << 60, 0.5]
    return z


def filled(z, x):
    z.fill(_place(x, -1))
    return z


def float_stored(z, x):
    z[0] = _item(x, -7.5)
    return z


def nan_stored(z, x):
    z[0] = _item(x, np.nan)
    z[z > 1] = _item(x, float("nan"))
    return z


def complex_stored(z, x):
    s = 2.5
    for i in range(len(x)):
        if x[i] > 9:
            s = x[i] + 1j
    z[0] = s
    return z


def complex_then_small_int_stored(z, x):
    s = 1j
    for i in range(len(x)):
        if x[i] > 9:
            s = np.int32(5)
    z[0] = s
    return z


def rounded_once_or_twice(z, x):
    s = 2**60 + 2**36 + 1
    n = 2**60 + 2**36 + 1
    for i in range(len(x)):
        if x[i] > 9:
            s = np.int64(2**60 + 2**36 + 1)
        n += 0 * i
    z[0] = s
    z[1] = n
    return z, np.float32(s), np.float32(n), np.complex64(n)


def as_uint8(z, x):
    return np.uint8(_place(x, -1))


def as_uint64(z, x):
    return np.uint64(_place(x, -1))


def as_int8(z, x):
    return np.int8(_place(x, 300))


def nan_as_int8(z, x):
    return np.int8(_item(x, float("nan")))


def nan_as_int64(z, x):
    return np.int64(_item(x, float("nan")))


for _program in (
    one_stored,
    large_one_stored,
    all_stored,
    some_stored,
    stored_by_mask,
    stored_at_places,
    stored_in_a_loop,
    listed_and_stored,
    lists_stored,
    mixed_lists_stored,
    filled,
    float_stored,
    nan_stored,
    complex_stored,
    complex_then_small_int_stored,
    rounded_once_or_twice,
    as_uint8,
    as_uint64,
    as_int8,
    nan_as_int8,
    nan_as_int64,
):
    for _kind in ("uint8", "uint64", "int8", "int64", "float32"):
        _whole = np.array([1, 2, 3], _kind)
        theme.add(_program, (_whole, BELOW), (_whole, ABOVE), name=f"{_program.__name__}_in_{_kind}")
