"""Writes in place where operands overlap, swapped buffers, read-only arrays."""

import numpy as np

from .corpus import Theme, floats, fortran, ints, layouts, numbers, readonly

theme = Theme(__name__)


def swap_buffers(u, n):
    v = np.zeros_like(u)
    for k in range(n):
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        u, v = v, u
    return u


theme.add(swap_buffers, (numbers(6), 1), (numbers(6), 2), (numbers(6), 5), (numbers(6), 0), compiled=True)


def swap_two_arguments(u, v, n):
    for k in range(n):
        v[:] = u * 0.5 + 1
        u, v = v, u
    return u


theme.add(swap_two_arguments, (numbers(4), numbers(4, seed=1), 3), (numbers(4), numbers(4, seed=1), 2))


def running_sum_in_place(a):
    a[1:] += a[:-1]
    return a


theme.add(running_sum_in_place, *layouts(floats(1, 2, 3, 4, 5)))


def shift_right(a):
    a[1:] = a[:-1]


theme.add(shift_right, *layouts(floats(1, 2, 3, 4, 5)))


def shift_left(a):
    a[:-1] = a[1:]


theme.add(shift_left, *layouts(floats(1, 2, 3, 4, 5)))


def shift_rows(m):
    m[1:] = m[:-1]
    m[:, 1:] = m[:, :-1] * 2


theme.add(shift_rows, *layouts(numbers(3, 4)))


def reverse_in_place(a):
    a[:] = a[::-1]


theme.add(reverse_in_place, *layouts(floats(1, 2, 3, 4, 5)))


def transpose_in_place(m):
    m[:] = m.T


theme.add(transpose_in_place, *layouts(numbers(3, 3)))


def transpose_adds_itself(m):
    m += m.T
    return m


theme.add(transpose_adds_itself, *layouts(numbers(3, 3)))


def first_row_broadcast_over_itself(m):
    m -= m[0]
    m[:] = m * m[:, :1]


theme.add(first_row_broadcast_over_itself, (numbers(3, 3),))


def overlapping_arguments(a, b):
    b[:] = a * 2
    return a


def _halves():
    base = numbers(6)
    return base[:4], base[2:]


theme.add(overlapping_arguments, _halves(), _halves()[::-1], (numbers(4), numbers(4, seed=1)))


def same_array_twice(a, b):
    a[0] = 10
    b += a
    return a, b


_one = numbers(3)
theme.add(same_array_twice, (_one, _one), (numbers(3), numbers(3, seed=2)), (_one, _one[::-1]))


def overlapping_loop(a, b):
    for i in range(len(b)):
        b[i] = a[i] + a[i + 1]
    return b


def _shifted(gap):
    base = np.arange(10.0)
    return base[:8], base[gap : gap + 6]


theme.add(overlapping_loop, _shifted(0), _shifted(1), _shifted(3), (numbers(8), np.zeros(6)))


def stencil_on_itself(u):
    u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


theme.add(stencil_on_itself, *layouts(numbers(5, 6)), (numbers(2, 2),), (numbers(2, 5),), compiled=True)


def stencil_loops_on_itself(u):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


theme.add(stencil_loops_on_itself, *layouts(numbers(5, 6)), compiled=True)


def interleaved(a):
    even = a[::2]
    odd = a[1::2]
    even += odd
    odd -= even
    return even, odd


theme.add(interleaved, (numbers(6),), (numbers(6)[::-1],))


def view_in_loop(m):
    for i in range(m.shape[0]):
        row = m[i]
        row[0] = i
        row[1:] = row[1:] + row[0]
    return row


theme.add(view_in_loop, (numbers(3, 4),), (fortran(numbers(3, 4)),))


def view_chosen_by_branch(a, flag):
    if flag:
        v = a[:2]
    else:
        v = a[2:]
    v[:] = 0
    return v


theme.add(view_chosen_by_branch, (numbers(4), True), (numbers(4), False))


def view_rebound_in_loop(a):
    v = a
    for k in range(3):
        v = v[1:]
        v[0] = k
    return v


theme.add(view_rebound_in_loop, (numbers(5),))


def copy_then_write(a):
    b = a.copy()
    b[0] = 100
    c = a + 0
    c[1] = 200
    return a, b, c


theme.add(copy_then_write, (numbers(3),))


def astype_no_copy(a):
    b = a.astype(np.float64, copy=False)
    b[0] = 5
    c = a.astype(np.float64)
    c[1] = 6
    return b, c


theme.add(astype_no_copy, (numbers(3),), (numbers(3, dtype=np.float32),))


def asarray_writes(a):
    b = np.asarray(a, dtype=np.float64)
    b[0] = 7
    return b


theme.add(asarray_writes, (numbers(3),), (ints(1, 2),), ([1.0, 2.0],))


def readonly_read(a):
    return a.sum(), a * 2, a[1:]


theme.add(readonly_read, (readonly(numbers(3)),))


def readonly_written(a):
    b = a * 2
    a[0] = 1
    return b


theme.add(readonly_written, (readonly(numbers(3)),), (numbers(3),))


def readonly_augmented(a):
    a += 1


theme.add(readonly_augmented, (readonly(numbers(3)),))


def broadcast_view(a):
    b = np.broadcast_to(a, (3, 4))
    return b, b.sum(axis=0)


theme.add(broadcast_view, (numbers(4),), (numbers(3, 1),))


def broadcast_view_written(a):
    b = np.broadcast_to(a, (3, 4))
    b[0, 0] = 1


theme.add(broadcast_view_written, (numbers(4),))


def out_argument(a, b):
    np.add(a, b, out=a)
    np.multiply(a, 2, a)
    r = np.sqrt(np.abs(b), out=b)
    return r


theme.add(out_argument, (numbers(3), numbers(3, seed=1)))


def out_argument_view(a):
    np.negative(a[1:], out=a[:-1])
    return a


theme.add(out_argument_view, (numbers(4),))


def fill_and_sort_in_place(a):
    a.sort()
    b = a.copy()
    b.fill(3)
    return b


theme.add(fill_and_sort_in_place, *layouts(numbers(6)))


def copyto(a, b):
    np.copyto(a, b)
    np.copyto(a[:1], 9)
    return a


theme.add(copyto, (numbers(3), numbers(3, seed=1)))


def real_and_imag_views(z):
    z.real[0] = 5
    z.imag[:] = 0
    return z.real, z.imag, z.conj()


theme.add(real_and_imag_views, (numbers(3, dtype=np.complex128),), (numbers(3),))


def alias_in_tuple(a):
    pair = (a, a[1:])
    pair[1][0] = 42
    return pair


theme.add(alias_in_tuple, (numbers(3),))


def helper_returns_view(a):
    def tail(x):
        return x[1:]

    t = tail(a)
    t[0] = 3
    return t


theme.add(helper_returns_view, (numbers(3),))


def helper_writes(a):
    def bump(x, k):
        x[k] += 1

    bump(a, 0)
    bump(a[1:], 0)
    return a


theme.add(helper_writes, (numbers(3),))


def view_kept_over_loop(a, n):
    v = a[1:3]
    for i in range(n):
        a *= 2
        v += 1
    return v


theme.add(view_kept_over_loop, (numbers(5), 3), (numbers(5), 0))


def negative_stride_view_written(a):
    r = a[::-1]
    for i in range(len(r)):
        r[i] = i
    return r


theme.add(negative_stride_view_written, (numbers(4),), (numbers(4)[::-1],))


def array_state_aliases_argument(a, n):
    b = a
    for i in range(n):
        b = b + 1
    b[0] = -5
    return b


theme.add(array_state_aliases_argument, (numbers(3), 2), (numbers(3), 0))


def zero_dimensional_view(a):
    v = a[0, ...]
    v[...] = 12
    return v, v[()], a[()]


theme.add(zero_dimensional_view, (numbers(3),))


def transposed_vector_is_a_new_view(a):
    b = a.T
    return b, a.T.T, a.T.reshape(-1), a.reshape(a.shape), a.squeeze(), a.view(), a[:], a[...]


theme.add(transposed_vector_is_a_new_view, (numbers(3),), (numbers(2, 3),))


# What waits for its reader holds back writes of its memory, by whatever name


def first_big(v):
    for k in range(v.shape[0]):
        if v[k] > 3.0:
            return v[k]
    return 0.0


def sum_with_a_reshaped_view_waits(x, y):
    t = x * 2.0
    v = t.reshape(1, len(x))
    t[:] = y * 3
    w = v + 1
    return w * (y[0] + 2)


def sum_with_a_slice_waits(x, y):
    t = x * 2.0
    v = t[1:]
    h = first_big(v)
    t[:] = y * 3
    w = v + 1
    s = y[0] * h
    return w * s, h


def sum_with_a_slice_waits_for_a_branch(x, y):
    t = x * 2.0
    v = t[1:]
    h = first_big(v)
    t[:] = y * 3
    w = v + 1
    s = y.sum() * h
    if s > 3:
        s = s + 1
    return w * s, h


def sum_with_either_of_two_waits(x, y, c):
    t = x * 2.0
    u = y * 3.0
    r = t if c > 0 else u
    t[:] = y * 5
    u[:] = x * 7
    w = r + 1
    s = y[0] + c
    return w * s


def sum_with_either_of_two_waits_in_a_loop(x, y, c):
    s = 0.0
    t = x * 2.0
    u = y * 3.0
    for i in range(3):
        r = t if i % 2 == c else u
        t[:] = y * (5 + i)
        u[:] = x * (7 + i)
        w = r + 1
        a = y[0] + i
        s += a
        s += (w * a).sum()
    return s


def sum_with_a_reshaped_view_waits_in_a_loop(x, y):
    t = x * 2.0
    v = t.reshape(1, len(x))
    z = np.zeros((1, len(x)))
    for i in range(3):
        t[:] = y * i
        w = v + 1
        z = z + w * (y[i] + 2)
    return z


def sums_with_raveled_products_wait(x, y):
    t = np.outer(x, y)
    v = t.ravel()
    t[:] = y * 3
    w = v + 1
    s = y[0] + 2
    t[:] = x * 4
    q = v * 2
    return w * s, q * (y[1] + s)


def sum_of_what_was_written_by_its_view_waits(x, y):
    t = x * 2.0
    v = t.reshape(1, len(x))
    v[:] = y * 3
    w = t + 1
    return w * (y[0] + 2)


for _program in (
    sum_with_a_reshaped_view_waits,
    sum_with_a_slice_waits,
    sum_with_a_slice_waits_for_a_branch,
    sum_with_a_reshaped_view_waits_in_a_loop,
    sums_with_raveled_products_wait,
    sum_of_what_was_written_by_its_view_waits,
):
    theme.add(_program, (floats(3, 1, 2, 5), floats(6, 2, 4, 10)), (numbers(9), numbers(9, seed=1)), ulp=16)
for _program in (sum_with_either_of_two_waits, sum_with_either_of_two_waits_in_a_loop):
    theme.add(_program, (numbers(4), numbers(4, seed=1), 1), (numbers(9), numbers(9, seed=1), 0), ulp=16)
