"""`while` and `for` over ranges and arrays."""

import numpy as np

from .corpus import Theme, floats, fortran, ints, layouts, numbers, strided

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


def for_elements(a):
    s = 0.0
    last = None
    for x in a:
        s += x
        last = x
    return s, last


theme.add(for_elements, (numbers(5),), (numbers(5, dtype=np.float32),), (numbers(0),), (ints(1, 2),))


def for_rows(m):
    out = []
    for row in m:
        out.append(row.sum())
    return out


theme.add(for_rows, (numbers(3, 4),), (fortran(numbers(3, 4)),))


def for_rows_written(m):
    for row in m:
        row[0] = 7
        row += 1


theme.add(for_rows_written, (numbers(3, 4),), (strided(numbers(3, 4)),))


def for_rows_total(m):
    total = np.zeros(m.shape[1])
    for row in m:
        total += row * row
    return total


theme.add(for_rows_total, (numbers(3, 4),), (numbers(0, 4),), compiled=True)


def for_cells(m):
    c = 0
    for row in m:
        for x in row:
            if x > 0:
                c += 1
    return c


theme.add(for_cells, (numbers(4, 5),))


def for_zero_dimensional(a):
    for x in a:
        return x


theme.add(for_zero_dimensional, (np.array(3.0),))


def for_number(x):
    for i in x:
        return i


theme.add(for_number, (3,))


def for_over_array_being_written(a):
    s = 0.0
    for x in a:
        s += x
        a[-1] = 10
    return s


theme.add(for_over_array_being_written, (floats(1, 2, 3),))


def for_else(a, x):
    for i in range(len(a)):
        if a[i] == x:
            break
    else:
        i = -1
    return i


theme.add(for_else, (floats(1, 2, 3), 2), (floats(1, 2), 5), (floats(), 5))


def while_else(n):
    k = 0
    while k < n:
        if k == 5:
            found = True
            break
        k += 1
    else:
        found = False
    return found, k


theme.add(while_else, (10,), (3,), (0,))


def loop_carries_array(a, n):
    for _ in range(n):
        a = np.sqrt(a * a + 1)
    return a


theme.add(loop_carries_array, (floats(1, 2), 5), (floats(1, 2), 0), compiled=True)


def loop_state_unused_after(n):
    t = 0.0
    for i in range(n):
        u = i * 0.5
        t = t + u
    return t


theme.add(loop_state_unused_after, (4,))


def loop_nested_state(n, m):
    c = 0
    for i in range(n):
        d = 1
        for j in range(m):
            d = d * 2 + i
        c += d
    return c


theme.add(loop_nested_state, (3, 4), (3, 0), (0, 3))


def loop_index_after_nested(n):
    for i in range(n):
        for j in range(i):
            pass
    return i, j


theme.add(loop_index_after_nested, (3,), (1,), (0,))


def loop_invariant(a, b, n):
    s = 0.0
    for i in range(n):
        s += np.dot(a, b) * i
    return s


theme.add(loop_invariant, (floats(1, 2), floats(3, 4), 3), (floats(1, 2), floats(3, 4), 0))


def loop_grows_array(n):
    a = np.zeros(1)
    for i in range(n):
        a = np.concatenate((a, a + i))
    return a


theme.add(loop_grows_array, (3,), (0,))


def loop_shrinks_array(a):
    k = 0
    while len(a) > 1:
        a = a[1:]
        k += 1
    return a, k


theme.add(loop_shrinks_array, (floats(1, 2, 3),), (floats(),))


def loop_over_slice(a):
    s = 0.0
    for x in a[1:-1]:
        s += x
    return s


theme.add(loop_over_slice, (floats(1, 2, 3, 4),), (floats(1),))


def loop_bound_is_float_floor(x):
    c = 0
    for i in range(int(x)):
        c += 2
    return c


theme.add(loop_bound_is_float_floor, (3.9,), (-2.5,))


def loop_big_step(n):
    return [i for i in range(0, n, 1 << 40)]


theme.add(loop_big_step, (1 << 42,))


def while_float_steps(x, h):
    t = 0.0
    k = 0
    while t < x:
        t += h
        k += 1
    return t, k


theme.add(while_float_steps, (1.0, 0.1), (0.3, 0.1))


def three_deep(n):
    s = 0
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if (i + j + k) % 2:
                    s += i * j - k
    return s


theme.add(three_deep, (5,), compiled=True)
