"""Views, aliasing and writes in place."""

import numpy as np

from .corpus import Theme, floats, fortran, layouts, numbers, strided

theme = Theme(__name__)


def write_through_view(a):
    b = a[1:]
    b[0] = 5
    return a[1]


theme.add(write_through_view, *layouts(numbers(4)))


def write_base_read_view(a):
    b = a[1:]
    a[1] = 50
    return b[0], b


theme.add(write_base_read_view, (floats(1, 2, 3),))


def view_of_view(a):
    b = a[1:]
    c = b[::2]
    c[:] = -1
    c[0] += 3
    return b


theme.add(view_of_view, (numbers(6),), (strided(numbers(6)),))


def transpose_written(m):
    t = m.T
    t[0] = 7
    t[1, 0] = 8
    return m


theme.add(transpose_written, *layouts(numbers(2, 3)))


def reshape_view_written(a):
    m = a.reshape(2, 3)
    m[1, 1] = 100
    m[0] = 5
    return m


theme.add(reshape_view_written, (numbers(6),), (numbers(2, 3),), (strided(numbers(6)),))


def reshape_copy_of_fortran(m):
    flat = m.reshape(-1)
    flat[0] = 100
    return flat


theme.add(reshape_copy_of_fortran, (numbers(2, 3),), (fortran(numbers(2, 3)),), (numbers(3, 4)[:, 1:],))


def ravel_view_or_copy(m):
    r = m.ravel()
    r[1] = 100
    return r, m.flatten()


theme.add(ravel_view_or_copy, *layouts(numbers(2, 3)))


def returned_slices(a):
    return a, a[1:], a[::-1], a[:0], a[1]


theme.add(returned_slices, *layouts(numbers(4)), (numbers(3, 4),))


def returned_transposes(m):
    return m.T, m.swapaxes(0, 1), m[None], m[..., None], m.reshape(-1, 1), m.squeeze()


theme.add(returned_transposes, *layouts(numbers(2, 3)), (numbers(1, 3),))


def returned_copy(a):
    return a.copy(), np.array(a), np.asarray(a), np.ascontiguousarray(a), a + 0


theme.add(returned_copy, *layouts(numbers(4)))


def returned_diagonal(m):
    return np.diag(m), m.diagonal(), np.diagonal(m, 1)


theme.add(returned_diagonal, (numbers(3, 3),))


def stretched_in_the_middle(x, n):
    y = np.broadcast_to(x[:, None, :1], (len(x), n, 4))
    return (y * 2.0).sum(axis=1), y, np.exp(y[:, 0])


theme.add(stretched_in_the_middle, (numbers(2, 3), 3), (numbers(1, 1), 1), (numbers(2, 3), 0), ulp=2)


def copies_that_are_only_read(a, b):
    kept = a.copy()
    wide = np.broadcast_to(a.sum(axis=1, keepdims=True), a.shape).copy()
    half = np.full(a.shape, 0.5)
    c = wide * b + half * kept
    a[0] = 7.0
    return c + kept, kept


theme.add(copies_that_are_only_read, (numbers(3, 4), numbers(3, 4, seed=1)), (numbers(0, 4), numbers(0, 4)))


def copies_in_a_loop(a, n):
    total = np.zeros(a.shape)
    for k in range(n):
        before = a.copy()
        level = np.full(a.shape, 1.0 + k)
        a *= 0.5
        total += before - a * level
    return total


theme.add(copies_in_a_loop, (numbers(5), 3), (numbers(2, 3), 4), compiled=True)
