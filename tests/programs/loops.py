"""`while` and `for` over ranges and arrays."""

import numpy as np

from .corpus import Theme, floats, ints, layouts, numbers

theme = Theme(__name__)


def while_counts(n):
    i = 0
    while i < n:
        i += 1
    return i


theme.add(while_counts, (10,), (0,), compiled=True)


def while_two_states(n):
    a, b = 0, 1
    while a < n:
        a, b = b, a + b
    return a


theme.add(while_two_states, (100,), (0,))


def while_with_array(a, tol):
    k = 0
    while np.abs(a).max() > tol:
        a = a * 0.5
        k += 1
    return a, k


theme.add(while_with_array, (floats(4, -8), 0.1), (floats(0), 0.1), compiled=True)


def while_true(n):
    i = 0
    while True:
        i += 3
        if i > n:
            break
    return i


theme.add(while_true, (10,))


def while_in_place(a):
    while a[0] < 10:
        a += 3
    return a.sum()


theme.add(while_in_place, (floats(1, 2),))


def while_condition_and(a, limit):
    i = 0
    while i < len(a) and a[i] < limit:
        i += 1
    return i


theme.add(while_condition_and, (floats(1, 2, 5, 1), 4), (floats(1, 2), 4))


def while_countdown(n):
    s = 0
    while n:
        s += n
        n -= 1
    return s


theme.add(while_countdown, (5,), (0,))


def for_range(n):
    s = 0
    for i in range(n):
        s += i
    return s


theme.add(for_range, (10,), (0,), (-3,), (1,), compiled=True)


def for_range_start(a, b):
    s = 0
    for i in range(a, b):
        s = s * 3 + i
    return s


theme.add(for_range_start, (2, 7), (7, 2), (-3, 3))


def for_range_step(a, b, c):
    s = 0
    for i in range(a, b, c):
        s = s * 3 + i
    return s


theme.add(for_range_step, (0, 10, 3), (10, 0, -3), (0, 10, -1), (5, 5, 1), (0, 10, 0))


def for_range_last_value(n):
    for i in range(n):
        pass
    return i


theme.add(for_range_last_value, (3,), (0,))


def for_range_rebinds_index(n):
    out = 0
    for i in range(n):
        out += i
        i = 100
    return out, i


theme.add(for_range_rebinds_index, (3,))


def for_range_rebinds_bound(n):
    c = 0
    for i in range(n):
        n = 2
        c += 1
    return c, n


theme.add(for_range_rebinds_bound, (5,))


def for_range_of_numpy_int(n):
    s = 0
    for i in range(n):
        s += i
    return s, i


theme.add(for_range_of_numpy_int, (np.int64(4),), (np.int8(4),))


def for_range_float(n):
    for i in range(n):
        pass


theme.add(for_range_float, (3.0,))


def for_range_len(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * i
    return s


theme.add(for_range_len, *layouts(numbers(9)), compiled=True)


def for_range_shape(m):
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += m[i, j] * (i - j)
    return s


theme.add(for_range_shape, *layouts(numbers(3, 4)), (np.zeros((0, 3)),), compiled=True)


def for_range_writes(a):
    for i in range(a.shape[0]):
        a[i] = i * i


theme.add(for_range_writes, *layouts(numbers(6)), (ints(7, 7, 7),))


def for_triangle(n):
    m = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            m[i, j] = i + 10 * j
    return m


theme.add(for_triangle, (4,), (0,), compiled=True)


def for_backwards(a):
    out = np.empty_like(a)
    for i in range(len(a) - 1, -1, -1):
        out[len(a) - 1 - i] = a[i]
    return out


theme.add(for_backwards, (numbers(5),), (numbers(0),))
