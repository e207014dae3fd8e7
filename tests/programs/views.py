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
