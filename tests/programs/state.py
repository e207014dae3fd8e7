"""State of loops whose type changes or which may be unbound."""
# ruff: noqa: F821 (names that Python leaves unbound are the subject)

import numpy as np

from .corpus import Theme, floats, ints, numbers

theme = Theme(__name__)


def int_becomes_float(a):
    s = 0
    for i in range(len(a)):
        s += a[i]
    return s


theme.add(int_becomes_float, (floats(1, 2),), (floats(),), (ints(1, 2),), compiled=True)


def signs_of_a_float_that_becomes_numpys(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return -s, abs(s), +s


theme.add(signs_of_a_float_that_becomes_numpys, (floats(1, -2),), (floats(),), (floats(-0.0),), compiled=True)


def int_becomes_python_float(n):
    s = 0
    for i in range(n):
        s += 0.5
    return s


theme.add(int_becomes_python_float, (3,), (0,))


def int_becomes_array(a, n):
    s = 0
    for i in range(n):
        s = s + a
    return s


theme.add(int_becomes_array, (floats(1, 2), 3), (floats(1, 2), 0))


def int_becomes_array_in_place(a, n):
    s = 0
    for i in range(n):
        s += a
    return s


theme.add(int_becomes_array_in_place, (floats(1, 2), 3), (floats(1, 2), 0), (floats(1, 2), 1))


def float_becomes_complex(z, n):
    w = 0.0
    for i in range(n):
        w = w * w + z
    return w


theme.add(float_becomes_complex, (0.1 + 0.2j, 3), (0.1, 3), (1j, 0))


def float32_accumulates(a):
    s = 0.0
    for x in a:
        s += x
    return s


theme.add(float32_accumulates, (np.array([0.1, 0.2, 1e8], np.float32),), (np.zeros(0, np.float32),))


def float32_stays(a):
    s = np.float32(0)
    for x in a:
        s += x * 2
    return s


theme.add(float32_stays, (np.array([0.1, 0.2], np.float32),))


def int8_accumulates(a):
    s = 0
    for x in a:
        s += x
    return s


theme.add(int8_accumulates, (np.array([100, 27, 1], np.int8),), (np.array([200, 100], np.uint8),))


def none_becomes_number(a):
    best = None
    for x in a:
        if best is None or x > best:
            best = x
    return best


theme.add(none_becomes_number, (floats(1, 3, 2),), (floats(),))


def none_becomes_index(a, limit):
    where = None
    for i in range(len(a)):
        if a[i] > limit:
            where = i
    return where


theme.add(none_becomes_index, (floats(1, 3), 2), (floats(1, 3), 5))


def bool_flag(a):
    found = False
    for x in a:
        if x > 2:
            found = True
    return found


theme.add(bool_flag, (floats(1, 3),), (floats(1),), (floats(),))


def numpy_bool_flag(a):
    found = False
    for x in a:
        found = found or x > 2
    return found


theme.add(numpy_bool_flag, (floats(1, 3),), (floats(1),), (floats(),))


def alternates_types(n):
    x = 1
    for i in range(n):
        if i % 2:
            x = 1
        else:
            x = 1.5
    return x


theme.add(alternates_types, (0,), (1,), (2,), (3,))


def number_or_text(n):
    x = 0
    for i in range(n):
        if i == 2:
            x = "two"
    return x


theme.add(number_or_text, (2,), (3,))


def rank_changes(a, n):
    for i in range(n):
        a = a[np.newaxis] * 2
    return a


theme.add(rank_changes, (floats(1, 2), 2), (floats(1, 2), 0))


def rank_shrinks(a):
    while a.ndim > 0:
        a = a.sum(axis=0)
    return a


theme.add(rank_shrinks, (numbers(2, 3),), (np.array(1.0),))


def dtype_changes(a, n):
    for i in range(n):
        a = a / 2
    return a


theme.add(dtype_changes, (ints(1, 2), 2), (ints(1, 2), 0))


def layout_changes(a, n):
    for i in range(n):
        a = a.T
    return a


theme.add(layout_changes, (numbers(2, 3), 1), (numbers(2, 3), 2), (numbers(2, 3), 0))


def size_one_broadcast_grows(a, b, n):
    for i in range(n):
        a = a + b
    return a


theme.add(size_one_broadcast_grows, (floats(1), floats(1, 2, 3), 2), (floats(1), floats(1, 2, 3), 0))


def unbound_after_no_iteration(n):
    for i in range(n):
        y = i * 2
    return y


theme.add(unbound_after_no_iteration, (3,), (0,))


def unbound_array_after_no_iteration(a, n):
    for i in range(n):
        b = a * i
    return b.sum()


theme.add(unbound_array_after_no_iteration, (floats(1, 2), 3), (floats(1, 2), 0))


def unbound_in_first_iteration(n):
    for i in range(n):
        if i > 0:
            t = prev + i
        else:
            t = 0
        prev = t
    return t


theme.add(unbound_in_first_iteration, (4,), (0,))


def unbound_read_too_early(n):
    for i in range(n):
        if i == 1:
            z = q
        q = i
    return z


theme.add(unbound_read_too_early, (3,), (1,))


def unbound_truly(n):
    for i in range(n):
        a = b
        b = i
    return a


theme.add(unbound_truly, (2,))


def unbound_never_read(n):
    for i in range(n):
        if i > 100:
            y = 1
    return n


theme.add(unbound_never_read, (3,))


def bound_in_one_branch_used_in_same(n):
    total = 0
    for i in range(n):
        ready = i > 1
        if ready:
            v = i * 1.5
        if ready:
            total += v
    return total


theme.add(bound_in_one_branch_used_in_same, (4,), (1,))


def index_type_after_loops(a):
    best = 0
    for i in range(len(a)):
        if a[i] > a[best]:
            best = i
    return best, a[best]


theme.add(index_type_after_loops, (floats(1, 5, 2),), (floats(1),))


def numpy_integer_state(a):
    k = a.argmax()
    for i in range(3):
        k = k + 1
    return k


theme.add(numpy_integer_state, (floats(1, 5, 2),))


def python_and_numpy_ints(a):
    n = 0
    n += a.shape[0]
    m = a.sum()
    return n, m, n + m, n / m, m // n


theme.add(python_and_numpy_ints, (ints(1, 2, 3),))


def tuple_state(n):
    p = (0, 1.0)
    for i in range(n):
        p = (p[1], p[0] + i)
    return p


theme.add(tuple_state, (3,), (0,))


def list_state_replaced(n):
    p = [0, 1]
    for i in range(n):
        p = [p[1], p[0] + p[1]]
    return p


theme.add(list_state_replaced, (5,), (0,))


def list_state_mutated(n):
    p = [0.0, 1.0]
    for i in range(n):
        p[i % 2] += i
    return p


theme.add(list_state_mutated, (5,), (0,))


def dict_state(n):
    d = {"x": 0.0, "n": 0}
    for i in range(n):
        d["x"] += 0.5
        d["n"] += 1
    return d


theme.add(dict_state, (3,), (0,))


def function_state(n):
    f = np.sin
    for i in range(n):
        f = np.cos if f is np.sin else np.sin
    return f is np.sin


theme.add(function_state, (1,), (2,))


def zero_divisions_in_state(n):
    x = 1.0
    for i in range(n):
        x = x / (n - i - 1)
    return x


theme.add(zero_divisions_in_state, (0,), (3,))


def max_of_int_and_float(a):
    m = 0
    for x in a:
        m = max(m, x)
    return m


theme.add(max_of_int_and_float, (floats(-1, -2),), (floats(-1, 2),), ([1, 2.5],), ([-1, -2.5],))
