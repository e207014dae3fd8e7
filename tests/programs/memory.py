"""Arrays that are updated from themselves in loops: what may share memory, and what is still read."""

import numpy as np

from .corpus import Theme, floats, numbers

theme = Theme(__name__)

SQUARE, VECTOR = numbers(4, 4), numbers(4, seed=1)


def residual_update(s, b, n):
    r = b * 1.0
    for i in range(n):
        r[:] = r - s @ b
    return r.sum()


def residual_update_out(s, b, n):
    r = b * 1.0
    p = b * 1.0
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r + p
    return p @ p


def two_states_without_products(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        x[:] = x - u
        y[:] = y + u * 0.1
    return x @ y


def momentum(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    for i in range(n):
        g = u - u.mean(0)
        v[:] = 0.9 * v - g / np.abs(g).max()
        u[:] = u + v
    return (u * s).sum()


def growth_in_while(s, b, n):
    x = b * 1.0
    i = 0
    while i < n:
        x[:] = x + s @ x
        i += 1
    return x.sum()


def adam(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[:] = 0.9 * m + 0.1 * g
        v[:] = 0.99 * v + 0.01 * g**2
        w[:] = w - 0.1 * m / (np.sqrt(v) + 1e-3)
    return w @ w


def adam_in_place(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m *= 0.9
        m += 0.1 * g
        v *= 0.99
        v += 0.01 * g**2
        w -= 0.1 * m / (np.sqrt(v) + 1e-3)
    return w @ w


def conjugate_gradient(s, b, n):
    r = b * 1.0
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += p
        r -= product
        p = r + p
    return x @ x


def leapfrog(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.1 * a
        x += 0.1 * v
    return x @ v


def runge_kutta_2(s, b, n):
    u = b * 1.0
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.1 * k1))
        u += 0.05 * (k1 + k2)
    return u @ u


def scaled_exponentials(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[:] = r + e / e.sum(1)[:, None]
    return (r * s).sum()


def sum_of_what_the_last_iteration_wrote(s, b, n):
    t = b * 1.0
    a = 0.0
    for i in range(n):
        x = t[i] + t[-1]
        a += x
        while x > 10:
            x -= 1.0
        t[:] = b * x
    return a


def read_before_written_in_a_branch(s, b, n):
    t = b * 1.0
    a = 0.0
    for i in range(n):
        if i % 2:
            a += t[0]
        else:
            t[:] = b * a + 1
    return a


for program in (
    residual_update,
    residual_update_out,
    two_states_without_products,
    momentum,
    growth_in_while,
    adam,
    adam_in_place,
    conjugate_gradient,
    leapfrog,
    runge_kutta_2,
    sum_of_what_the_last_iteration_wrote,
    read_before_written_in_a_branch,
):
    theme.add(program, (SQUARE, VECTOR, 4), (SQUARE, VECTOR, 0), (SQUARE, VECTOR, 1), ulp=64, compiled=True)

theme.add(scaled_exponentials, (SQUARE, numbers(4, 4, seed=2), 3), ulp=16, compiled=True)


def halving_or_counting(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.5
        s += y @ y
    return s


def accept_or_reject(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x - 0.1 * x**3
        if prop @ prop > 100.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s + acc


def reject_or_accept_by_size(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y + 0.1 * np.sin(y)
        s += (y**2).sum()
    return s + rej


for program in (halving_or_counting, accept_or_reject, reject_or_accept_by_size):
    theme.add(program, (VECTOR, 12), (VECTOR, 0), ulp=64, compiled=True)


# Indices that count from the end of a slice.


def last_of_a_slice(a):
    x = a[:4]
    x[-1] += 1.0
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_all_but_the_last(a):
    x = a[:-1]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-2] = s
    return s


def last_of_a_half(a):
    x = a[: len(a) // 2]
    s = 0.0
    for v in a:
        s += v * x[-1]
    x[-1] = s
    return s


def last_of_the_first_n(a, n):
    x = a[:n]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-1] = v
    return s


def last_of_a_split(a):
    x, y = np.split(a, 2)
    s = 0.0
    for v in a:
        s += v * x[-1] - y[-2]
    x[-1] = s
    return s


def corners_of_columns(m):
    x = m[:, :3]
    s = 0.0
    for i in range(3):
        s += x[0, -1] * i
        x[-1, -2] += s
    return s


def corners_of_rows(m):
    x = m[:2]
    s = 0.0
    for i in range(3):
        s += x[-1, 0] * i + m[:2][-1, -1]
        x[-1, -1] = s
    return s


SIX = floats(0, 1, 2, 3, 4, 5)


def last_of_a_slice_of_its_own(a):
    z = np.zeros(6)
    x = z[:4]
    x[-1] = 1.0
    for i in range(len(a)):
        z[i] += a[i] * x[-1]
    return z


for program in (
    last_of_a_slice,
    last_of_all_but_the_last,
    last_of_a_half,
    last_of_a_split,
    last_of_a_slice_of_its_own,
):
    theme.add(program, (SIX,), compiled=True)
theme.add(last_of_the_first_n, (SIX, 4), (SIX, 2), (SIX, 6))
theme.add(corners_of_columns, (numbers(4, 5),), compiled=True)
theme.add(corners_of_rows, (numbers(4, 5),), compiled=True)


# Rows of a matrix are in one piece, also where Numba forgets it.


def flat_rows(m, n):
    w = m[1:]
    s = 0.0
    for i in range(n):
        s += w.ravel()[-3:].sum() + w.ravel()[i]
        w.reshape(-1)[i] = s
    return s


def flat_rows_that_move(m, n):
    s = 0.0
    for i in range(n):
        w = m[i : i + 3]
        s += w.reshape(-1)[i]
    return s


theme.add(flat_rows, (numbers(6, 5), 3), compiled=True)
theme.add(flat_rows_that_move, (numbers(6, 5), 3), (numbers(6, 5), 0))


def read_by_a_condition_alone(s, b, n):
    a = 0.0
    for k in range(n):
        b = np.clip(s @ b, -2, 2)
        if b[k] > 1:
            break
        a += k
    return a


theme.add(read_by_a_condition_alone, (SQUARE, VECTOR, 3), (SQUARE * 0.1, VECTOR, 4), compiled=True)


# What iterations hand on, or keep.


def sum_before_all_is_written(s, b, n):
    x = b * 1.0
    a = 0.0
    for i in range(n):
        a += x.sum()
        t = b * a
        x[:] = t - s @ x
    return a


def three_in_turn(s, b, n):
    p = b * 1.0
    q = b * 2.0
    r = b * 3.0
    for i in range(n):
        t = s @ r + p * 0.5
        p, q, r = q, r, t
    return p @ q + r.sum()


def two_in_turn(s, b, n):
    o = b
    h = b * 0.5
    for i in range(n):
        z = np.tanh(s @ h) * o
        o = h
        h = z
    return h @ o


def best_of_some(s, b, n):
    best = b * 1.0
    for i in range(n):
        t = np.sin(b * i)
        v = t * 2
        if i == 1:
            best = v
    return best.sum()


for program in (sum_before_all_is_written, three_in_turn, two_in_turn, best_of_some):
    theme.add(program, (SQUARE, VECTOR, 4), (SQUARE, VECTOR, 0), (SQUARE, VECTOR, 1), ulp=64, compiled=True)


# Writes to arrays that nobody reads any more.


def write_after_the_last_read(b):
    x = b * 0.9
    y = x * 4.0
    x[0] = 1.0
    return y


def write_after_the_last_read_in_each_iteration(b, n):
    s = 0.0
    for i in range(n):
        x = b * 0.9 + i
        s += (x * 4).sum()
        x[0] = 1.0
    return s


def write_after_the_last_read_in_a_branch(b, n):
    x = b * 0.9
    y = x * 4.0
    if n > 3:
        x[0] = 1.0
    x[n] = 2.0
    return y


def write_to_what_has_its_size_inside(b, n):
    k = 0
    for v in b:
        if v > -9.0:
            k += 1
    x = b[:k] * 0.9
    y = np.sin(x) * x
    if n > 3:
        x[0] = 1.0
    x[n] = 2.0
    return y


def write_before_all_is_written_anew(b, n):
    x = b * 0.9
    s = 0.0
    for i in range(n):
        s += x[i]
    x[:] = b * 3.0
    y = x * 2.0 + np.sin(x)
    for i in range(n):
        s += y[i]
    x[1:2] = 4.0
    return y.sum() + s


def write_to_what_was_handed_on(b, n):
    ys = []
    x = b
    for i in range(n):
        x = x * 0.9
        ys.append(x * i)
        x[0] = 1
    return np.array(ys).sum()


theme.add(write_after_the_last_read, (SIX,), compiled=True)
theme.add(write_after_the_last_read_in_each_iteration, (SIX, 3), (SIX, 0), ulp=16, compiled=True)
theme.add(write_after_the_last_read_in_a_branch, (SIX, 4), (SIX, 2), (SIX, 9), compiled=True)
theme.add(write_to_what_has_its_size_inside, (SIX, 4), (SIX, 2), (SIX, 9), ulp=16, compiled=True)
theme.add(write_before_all_is_written_anew, (SIX, 3), (SIX, 0), ulp=16, compiled=True)
theme.add(write_to_what_was_handed_on, (SIX, 5), (SIX, 0), ulp=16)
