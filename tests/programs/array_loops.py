"""Loops over arrays, `else` of loops, loops that carry arrays."""

import numpy as np

from .corpus import Theme, floats, fortran, ints, numbers, strided

theme = Theme(__name__)


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
