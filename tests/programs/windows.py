"""Arrays of one iteration that are read in later ones and behind loops; zeros written in part."""

import numpy as np

from .corpus import Theme, numbers

theme = Theme(__name__)

SIX, FORTY = np.arange(1.0, 7.0), np.arange(1.0, 41.0)


def window_of_the_iteration_before(x):
    s = 0.0
    for i in range(len(x)):
        if i > 0:
            s += p.sum()  # noqa: F821
        p = x[: i + 1]
    return s


def window_set_in_some_iterations(x):
    for i in range(len(x)):
        if i < 3:
            w = x[: i + 1]
    return w.sum()


def window_before_a_break(x):
    s = 0.0
    for i in range(len(x)):
        if i == 3:
            break
        w = x[:i]
    w[-1] = 7
    return w.sum() + w[1]


def window_that_is_too_short(x):
    for i in range(len(x)):
        if i == 3:
            break
        w = x[:i]
    return w[2]


def buffer_written_in_the_next_iteration(x):
    s = 0.0
    for i in range(len(x)):
        if i:
            p[:] = 1.0  # noqa: F821
            s += p[-1]  # noqa: F821
        p = np.zeros(100 * i + 1)
    return s


def buffer_added_to_in_the_next_iteration(x):
    s = 0.0
    for i in range(len(x)):
        if i:
            p += 1.0  # noqa: F821
            s += p.sum()  # noqa: F821
        p = x[: i + 1] * 0.5
    return s


def window_scaled_behind_the_loop(x):
    for i in range(3):
        if i < 2:
            w = x[: i + 1]
    return w * 1.0


def last_window(x):
    for i in range(len(x)):
        w = x[:i]
    return w.sum()


def window_or_none(x):
    for i in range(len(x)):
        if x[i] > 2:
            k = i // 2
            w = x[k:]
        else:
            w = None
    return None if w is None else w.sum()


def none_and_then_windows(x):
    previous = None
    s = 0.0
    for i in range(len(x)):
        if previous is not None:
            s += previous.sum()
            previous[-1] = 0.0
        previous = x[: i + 1] * 2
    return s


def rows_of_every_other_iteration(x):
    s = 0.0
    for i in range(len(x)):
        if i % 2 == 0:
            m = np.outer(x[i:], x)
        else:
            m[0] = m[-1] * 2
            s += m.sum()
    return s


def best_prefix(x):
    best = -1.0
    for i in range(1, len(x)):
        w = x[:i]
        if w.mean() > best:
            best = w.mean()
            b = w
    return b.sum(), b[-1]


def window_of_an_inner_loop(x):
    for i in range(len(x)):
        for j in range(i):
            if j == 2:
                break
            v = x[j : j + 2]
    return v.sum()


def window_of_a_while(x):
    k = 1
    while k < 4:
        if k > 1:
            s = w.sum()  # noqa: F821
        w = x[:k]
        k += 1
    return s, w.sum()


def first_above(x, c):
    k = 0
    while True:
        k += 1
        if x[k] > c:
            return x[:k]


def windows_of_a_helper(x):
    return first_above(x, 3.0).sum() + first_above(x, 1.0).sum()


def windows_in_a_tuple(x):
    t = (x, x)
    for i in range(4):
        s = t[0].sum() + t[1].sum()
        t = (x[: i + 1], x[i:])
    return s, t


def window_in_two_branches(x):
    for i in range(len(x)):
        if x[i] > 2:
            w = x[:i]
        elif x[i] > 1:
            w = x[i:]
        if i > 2:
            w[0] = -1.0
    return w.sum()


for _program in (
    window_of_the_iteration_before,
    window_set_in_some_iterations,
    window_before_a_break,
    window_that_is_too_short,
    buffer_written_in_the_next_iteration,
    buffer_added_to_in_the_next_iteration,
    window_scaled_behind_the_loop,
    last_window,
    window_or_none,
    none_and_then_windows,
    rows_of_every_other_iteration,
    best_prefix,
    window_of_an_inner_loop,
    window_of_a_while,
    windows_of_a_helper,
    windows_in_a_tuple,
    window_in_two_branches,
):
    theme.add(_program, (SIX,), (FORTY,), (SIX[:3],), ulp=16)


def zeros_written_but_for_the_first(x):
    t = np.exp(x)
    q = t.sum()
    z = np.zeros(len(x))
    z[1:] = t[1:] * q
    return z


def zeros_written_at_every_other(x):
    t = np.exp(x)
    q = t.sum()
    z = np.zeros_like(x)
    z[::2] = t[::2] * q
    return z, z.sum() * q


def zeros_written_in_the_middle(x):
    t = np.exp(x)
    q = t.max()
    z = np.zeros(x.shape)
    z[1:-1] = t[1:-1] - q
    return z


def zeros_written_in_a_loop(x, n):
    z = np.zeros(x.size)
    for i in range(n):
        t = np.exp(x - i)
        q = t.sum()
        y = np.zeros(x.size)
        y[i:] = t[i:] * q
        z += y
    return z


for _program in (zeros_written_but_for_the_first, zeros_written_at_every_other, zeros_written_in_the_middle):
    theme.add(_program, (numbers(6),), (numbers(1),), ulp=16, compiled=True)
theme.add(zeros_written_in_a_loop, (numbers(6), 3), (numbers(6), 0), ulp=16, compiled=True)


def sums_of_rows_in_some_iterations(m, n):
    s = m[:, 0] * 1.0
    for k in range(n):
        if k < 3:
            s = m.sum(1)
    return s


def sums_of_columns_until_a_break(m, n):
    s = m[0] * 1.0
    for k in range(n):
        if k > 3:
            break
        s = m.sum(0) * k
        m[0] += 1.0
    return s


def largest_of_rows_until_a_break(m, n):
    k = 0
    while True:
        k += 1
        if k > n:
            break
        s = m.max(1)
    return s


def means_of_rows_but_for_some(m, n):
    s = t = m[:, 0] * 0.0
    for k in range(n):
        if k % 2:
            continue
        s = m.mean(1)
        t = t + s
    return s, t


def places_of_rows_in_some_iterations(m, n):
    s = np.zeros(len(m), dtype=np.int64)
    for k in range(n):
        if k > 1:
            s = m.argmax(1)
    return s, m[0, s[0]]


def sums_of_squares_in_some_iterations(m, n):
    s = m[:, 0]
    for k in range(n):
        if k == n - 1:
            s = (m * m).sum(1)
    return s


def sums_of_squares_taking_turns(m, n):
    s = m[:, 0] * 1.0
    q = m[:, 1] * 2.0
    for k in range(n):
        if k % 2 == 0:
            s = np.exp(m * k).sum(1)
        s, q = q, s
    return s, q


def sorted_backwards_in_some_iterations(m, n):
    s = m[0] * 1.0
    for k in range(n):
        if k < 3:
            s = np.sort(m[0][::-1])
    return s


def sums_until_a_return(m, n):
    s = m[:, 0] * 1.0
    for k in range(n):
        s = np.exp(m).sum(1)
        if k == 1:
            return s
    return s


def sums_kept_in_rows(m, n):
    s = m[:, 0] * 1.0
    kept = np.zeros((n, len(m)))
    for k in range(n):
        if k != 1:
            s = ((m[:, 0] + k)[:, None] * m).sum(axis=1)
        kept[k] = s
    return kept


def sums_of_one_column(m, n):
    c = m[:, :1]
    s = c[0] * 1.0
    for k in range(n):
        if k == n - 1:
            s = c.sum(0)
    return s


for _program in (
    sums_of_rows_in_some_iterations,
    sums_of_columns_until_a_break,
    largest_of_rows_until_a_break,
    means_of_rows_but_for_some,
    places_of_rows_in_some_iterations,
    sums_of_squares_in_some_iterations,
    sums_of_squares_taking_turns,
    sorted_backwards_in_some_iterations,
    sums_until_a_return,
    sums_kept_in_rows,
    sums_of_one_column,
):
    theme.add(_program, (numbers(4, 5), 5), (numbers(3, 4), 0), (numbers(3, 4), 2), ulp=16)
