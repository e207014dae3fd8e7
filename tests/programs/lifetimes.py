"""Variables and arrays that are read once more after what looks like the last time."""

import numpy as np

from .corpus import Theme, numbers

theme = Theme(__name__)

FOUR, COUNTED = np.array([3.0, 1.0, 2.0, 5.0]), np.array([3, 1, 2, 5])


# Accumulators that take the place of what is accumulated


def largest_of_what_it_moves(x, s):
    s = (x + s).max()
    return s


def least_root_of_what_it_moves(x, s):
    s = np.sqrt(x + s).min()
    return s


def product_of_what_it_moves(x, s):
    s = (x - s).prod()
    return s


def sum_of_what_it_scales(x, s):
    s = (x * s).sum()
    return s


def count_of_what_equals_it(x, c):
    c = (x == c).sum()
    return c


def place_of_what_is_nearest_to_it(x, s):
    s = np.abs(x - s).argmin()
    return s


def truth_of_what_equals_it(x, b):
    b = (x > 1).all() and b
    b = ((x > 2) == b).any()
    return b


def largest_by_way_of_a_temporary(x, s):
    t = x * s
    s = t.max()
    return s


def largest_of_what_is_below_the_largest(x, s):
    t = x.max()
    t = (x - t).max()
    return t + s * 0


def largest_in_each_trip(x, alpha):
    n = 0
    while n < 3:
        alpha = np.abs(x * alpha - 1).max()
        n += 1
    return alpha


def places_that_name_the_next_row(m, i):
    total = 0
    for _ in range(len(m)):
        i = m[i].argmin()
        total += i
    return total, i


def index_that_becomes_a_place(m):
    total = 0
    for i in range(m.shape[0]):
        i = m[i].argmin()
        total += i
    return total


def length_that_becomes_the_largest(x, n):
    n = x[:n].max()
    return n


def sum_of_as_many_as_it_says(m, n):
    n = m[:n, :n].sum()
    return n


# Arrays with which a loop begins each time anew


def zeros_for_each_row(n, m, steps):
    z = np.zeros(n)
    total = 0.0
    for _ in range(m):
        c = z
        for _ in range(steps):
            c = c * 0.5 + 1.0
        total += c.sum()
    return total


def hidden_state_of_each_row(w, xs):
    h0 = np.zeros(w.shape[0])
    outs = np.empty((xs.shape[0], w.shape[0]))
    for b in range(xs.shape[0]):
        h = h0
        for t in range(xs.shape[1]):
            h = np.tanh(h @ w + xs[b, t])
        outs[b] = h
    return outs


def ones_for_each_trip_of_while(x, m, steps):
    z = np.ones(x.shape[0])
    out = 0.0
    while m > 0:
        c = z
        t = 0
        while t < steps:
            c = np.maximum(c - x, 0.25 * c)
            t += 1
        out += c.max()
        m -= 1
    return out


def copy_in_each_step(x, m, steps):
    z = x * 2.0
    out = 0.0
    for _ in range(m):
        c = z
        for _ in range(steps):
            d = c + 1.0
            c = d.copy()
        out += c.sum()
    return out


def settled(z, x, steps):
    for _ in range(steps):
        z = z * 0.5 + x
    return z.sum()


def array_given_to_a_helper_each_time(x, m, steps):
    z = x * 2.0
    out = 0.0
    for _ in range(m):
        out += settled(z, x, steps)
    return out


def array_taken_in_a_branch(x, m, steps):
    z = x * 2.0
    out = 0.0
    for k in range(m):
        if k != 1:
            c = z
            for _ in range(steps):
                c = c * 0.5 + 1.0
            out += c.sum()
    return out


# Numbers that stand in an array while their variable gets another


def sum_stored_before_the_next(x, y, a, b):
    s = x.sum()
    a[0:1] = s
    s = y.sum()
    b[:] = a[0:1] * b
    return s


def largest_stored_before_the_next(x, y, b, n):
    z = np.zeros(1)
    s = x.max()
    z[:] = s
    s = y.max()
    b[:] = z * b + s
    return s + n * 0


def argument_stored_before_a_sum(a, y, s, n):
    a[0:1] = s
    s = y.sum()
    y += a[0:1]
    return s + n * 0


# Elements and temporaries that have another name as well


def element_written_by_its_other_name(p, q, x, c):
    r = p if c > 0 else q
    p[0:1] = x[0:1]
    r[0:1] = x[1:2]
    return p[0:1] * x


def one_element_handed_round(x, n):
    p = np.zeros(1)
    r = np.ones(1)
    y = x * 0
    for k in range(n):
        p[:] = x[k : k + 1]
        r[:] = x[1:2] * 2
        y += p * x
        r = p
    return y


def array_written_by_its_other_name(p, q, x, c):
    r = p if c > 0 else q
    p[:] = x
    r[:] = x * 2
    return p * x


def first_big(v):
    for k in range(v.shape[0]):
        if v[k] > 3.0:
            return v[k]
    return 0.0


def write_that_a_view_reads(x, y):
    t = x * 2.0
    v = t[1:]
    h = first_big(v)
    t[:] = y * 3
    w = v + 1
    return w, h


def write_that_a_view_sums(x, y):
    t = x * 2.0
    v = t[1:]
    h = first_big(v)
    t[:] = y * 3
    z = t * 2
    return z.sum() + (v * v).sum() + h


# Expressions that are stored, of variables that change before what was stored is read


def next_of_what_changes(x, b, k):
    a = np.zeros(1, np.int64)
    a[:] = k + 1
    k = int(x.argmin())
    b[:] = a * b
    return b, k


def multiple_of_what_changes(x, b, k):
    a = np.zeros(2, np.int64)
    a[0:1] = 2 * k + 1
    k = int(x.argmin())
    b[:] = a[0:1] * b + k
    a[1:2] = k - 1
    k = int(x.argmax())
    b += a[1:2]
    return b, k


def place_before_what_changes(x, k):
    places = np.zeros(2, np.int64)
    places[0:1] = k - 1
    k = int(x.argmax())
    places[1:2] = places[0:1] + k
    return places, k


def next_of_what_changes_in_each_trip(x, n):
    a = np.zeros(1, np.int64)
    out = np.zeros(len(x), np.int64)
    k = 1
    for i in range(n):
        a[:] = 2 * k + i
        k = int((x * a).argmax()) % 2
        out += a * k + x
    return out, k


def double_of_a_largest_that_changes(x, n):
    a = np.zeros(1, np.int64)
    m = int(x.max()) + n
    a[:] = m * 2
    m = int(x.min()) + 3
    x[:] = a * x
    return x, m


def negative_of_a_largest_that_changes(x, y, a, b):
    s = x.max()
    a[0:1] = -s
    s = y.max()
    b[:] = a[0:1] * b
    return s


for _program in (
    largest_of_what_it_moves,
    least_root_of_what_it_moves,
    product_of_what_it_moves,
    sum_of_what_it_scales,
    largest_by_way_of_a_temporary,
    largest_of_what_is_below_the_largest,
    largest_in_each_trip,
):
    theme.add(_program, (FOUR, 2.0), (numbers(9) + 3, 0.25), ulp=16)
theme.add(sum_of_what_it_scales, (COUNTED, 2), name="sum_of_ints_that_it_scales")
theme.add(count_of_what_equals_it, (COUNTED, 3), (COUNTED, 4))
theme.add(place_of_what_is_nearest_to_it, (FOUR, 3), (FOUR, 5))
theme.add(truth_of_what_equals_it, (FOUR, True), (FOUR, False))
theme.add(places_that_name_the_next_row, (numbers(7, 7), 3), (numbers(30, 30), 0))
theme.add(index_that_becomes_a_place, (numbers(7, 7),), (numbers(50, 50),))
theme.add(length_that_becomes_the_largest, (COUNTED, 3), (COUNTED, 1))
theme.add(sum_of_as_many_as_it_says, (np.ones((5, 5), np.int64), 3), (np.ones((5, 5), np.int64), 2))
theme.add(zeros_for_each_row, (4, 3, 2), (5, 2, 1), (5, 2, 0), ulp=16)
theme.add(hidden_state_of_each_row, (numbers(3, 3), numbers(4, 5, 3)), ulp=64)
theme.add(ones_for_each_trip_of_while, (np.abs(FOUR) / 9, 3, 4), (FOUR, 2, 0), ulp=16)
theme.add(copy_in_each_step, (FOUR, 3, 2), (FOUR, 2, 0), ulp=16)
theme.add(array_given_to_a_helper_each_time, (FOUR, 3, 2), (FOUR, 2, 0), ulp=16)
theme.add(array_taken_in_a_branch, (FOUR, 4, 2), (FOUR, 2, 0), ulp=16)
theme.add(sum_stored_before_the_next, (FOUR, FOUR * 7, FOUR * 1, FOUR * 3), ulp=16)
theme.add(largest_stored_before_the_next, (FOUR, FOUR * 7, FOUR * 3, 2), ulp=16)
theme.add(argument_stored_before_a_sum, (FOUR * 1, FOUR * 2, 3.0, 1), ulp=16)
for _program in (element_written_by_its_other_name, array_written_by_its_other_name):
    theme.add(_program, (FOUR * 1, FOUR * 2, FOUR, 1), (FOUR * 1, FOUR * 2, FOUR, -1))
theme.add(one_element_handed_round, (FOUR, 3), (FOUR, 0))
theme.add(write_that_a_view_reads, (FOUR, FOUR * 2), (COUNTED[:2] * 1.0, FOUR[:2]))
theme.add(write_that_a_view_sums, (FOUR, FOUR * 2), (COUNTED[:2] * 1.0, FOUR[:2]), ulp=16)
for _program in (next_of_what_changes, multiple_of_what_changes):
    theme.add(_program, (COUNTED, FOUR * 2, 2), (np.arange(9), numbers(9), 1), ulp=4)
for _program in (
    place_before_what_changes,
    next_of_what_changes_in_each_trip,
    double_of_a_largest_that_changes,
):
    theme.add(_program, (COUNTED, 4), (np.arange(9), 3))
theme.add(negative_of_a_largest_that_changes, (FOUR, FOUR * 7, FOUR * 1, FOUR * 3))
