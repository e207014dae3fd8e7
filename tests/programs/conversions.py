"""Floats that are stored as ints, most of which fit none: NumPy's answer is the processor's."""

import numpy as np

from .corpus import Theme, floats

theme = Theme(__name__)

REAL, MASK = floats(1.5, 2.0, 3.0, 4.0), np.array([True, False, True, False])
EVERY = ("int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64")


def at_least_what_fits_nowhere(z, x):
    z[:] = np.maximum(x, 1e300)
    return z


def at_most_what_fits_nowhere(z, x):
    z[:] = np.minimum(x, -1e20)
    return z


def clipped_to_what_fits_nowhere(z, x):
    z[:] = np.clip(x, 1e20, None)
    return z


def quotients_by_zero(z, x):
    z[:] = x / 0.0
    return z


def remainders_of_zero(z, x):
    z[:] = x % 0.0
    return z


def elements_or_what_fits_nowhere(z, x, m):
    z[:] = np.where(m, x, 1e300)
    return z


def either_of_two_that_fit_nowhere(z, m):
    z[:] = np.where(m, 1e300, -1e300)
    return z


def row_with_what_fits_nowhere(z, x):
    t = np.zeros(4)
    t[0] = -1e300
    t[1:] = x[1:]
    z[:] = t
    return z


def sum_that_is_infinite(z):
    t = np.full(4, 1e308)
    z[:] = t.sum()
    return z


def not_a_number_times_complex(z, x):
    z[:] = (x * 1j + x) * np.nan
    return z


def real_parts_of_infinite_complex(z, x, m):
    z[:] = np.where(m, x + 1j, 1e300)
    return z


def single_precision_that_fits_nowhere(z, x):
    z[:] = np.maximum(x.astype(np.float32), np.float32(1e30))
    return z


def cast_of_what_fits_nowhere(z, x, m):
    return np.where(m, x, -1e300).astype(z.dtype), (x / 0.0).astype(z.dtype)


def elements_or_infinity_in_a_loop(z, x, m):
    for i in range(len(x)):
        z[i] = x[i] if m[i] else np.float64(np.inf)
    return z


def numbers_of_what_fits_nowhere(x, m):
    s = np.float64(1e300) if m[0] else x[0]
    return np.int64(s), s.astype(np.int32), (s * np.inf).astype(np.uint8)


def negative_floats(z, x):
    z[:] = -x * 100
    return z


def floats_by_the_power_of_two(z, x):
    z[:] = x * 2.0**33 - 1e9
    return z


def np_int64_of_the_users(z, x):
    np_int64 = x * 1e300
    z[:] = np_int64
    return z, np_int64


for _program in (
    at_least_what_fits_nowhere,
    at_most_what_fits_nowhere,
    clipped_to_what_fits_nowhere,
    quotients_by_zero,
    remainders_of_zero,
    row_with_what_fits_nowhere,
    not_a_number_times_complex,
    single_precision_that_fits_nowhere,
    negative_floats,
    floats_by_the_power_of_two,
    np_int64_of_the_users,
):
    theme.add(_program, *((np.ones(4, kind), REAL) for kind in EVERY), compiled=True)
for _program in (elements_or_what_fits_nowhere, real_parts_of_infinite_complex, cast_of_what_fits_nowhere):
    theme.add(_program, *((np.ones(4, kind), REAL, MASK) for kind in EVERY), compiled=True)
theme.add(either_of_two_that_fit_nowhere, *((np.ones(4, kind), MASK) for kind in EVERY), compiled=True)
theme.add(sum_that_is_infinite, *((np.ones(4, kind),) for kind in EVERY), compiled=True)
theme.add(elements_or_infinity_in_a_loop, *((np.ones(4, kind), REAL, MASK) for kind in EVERY), compiled=True)
theme.add(numbers_of_what_fits_nowhere, (REAL, MASK), (REAL, ~MASK), compiled=None)
