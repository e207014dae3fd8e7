"""Arrays made from nothing or like others."""

import numpy as np

from .corpus import Theme, floats, fortran, ints, layouts, numbers

theme = Theme(__name__)


def zeros_and_ones(n):
    return (
        np.zeros(n),
        np.ones(n),
        np.zeros((n, 2)),
        np.ones((2, n), np.int32),
        np.zeros(n, dtype=bool),
        np.zeros(()),
    )


theme.add(zeros_and_ones, (3,), (0,), (1,))


def zeros_of_dtypes(n):
    return (
        np.zeros(n, np.float32),
        np.zeros(n, "int8"),
        np.ones(n, complex),
        np.zeros(n, int),
        np.ones(n, np.uint64),
    )


theme.add(zeros_of_dtypes, (3,), (np.int64(2),))


def zeros_negative(n):
    return np.zeros(n)


theme.add(zeros_negative, (-1,), (2,))


def zeros_of_float_size(n):
    return np.zeros(n)


theme.add(zeros_of_float_size, (2.0,))


def zeros_fortran(n):
    a = np.zeros((n, n), order="F")
    a[0, 1:] = 3
    return a, a + 1


theme.add(zeros_fortran, (3,))


def fulls(n, x):
    return np.full(n, x), np.full((2, n), 1.5), np.full(n, 7, dtype=np.float32), np.full((n, n), x, np.int64)


theme.add(fulls, (3, 2), (0, 2.5), (2, True))


def empties(n):
    a = np.empty((n, 3))
    b = np.empty(n, np.int16)
    return a.shape, a.dtype, b.shape, b.dtype, a.flags.c_contiguous


theme.add(empties, (3,), (0,))


def likes(a):
    return (
        np.zeros_like(a),
        np.ones_like(a),
        np.full_like(a, 3),
        np.empty_like(a).shape,
        np.zeros_like(a, dtype=bool),
    )


theme.add(likes, *layouts(numbers(2, 3)), (ints(1, 2),), (numbers(2, dtype=complex),), (2.5,))


def like_written(a):
    b = np.zeros_like(a)
    b[...] = a
    b[0] = 9
    return b


theme.add(like_written, (numbers(2, 3),), (fortran(numbers(2, 3)),))


def aranges(n):
    return (
        np.arange(n),
        np.arange(1, n),
        np.arange(0, n, 2),
        np.arange(n, 0, -1),
        np.arange(n, dtype=np.float32),
    )


theme.add(aranges, (5,), (0,), (-2,))


def aranges_of_floats(a, b, h):
    return np.arange(a, b, h), np.arange(b), np.arange(a, b)


theme.add(aranges_of_floats, (0.0, 1.0, 0.1), (0.5, 3.2, 0.7), (0, 3, 0.5), (1.0, 0.0, 0.1))


def arange_step_zero(h):
    return np.arange(0, 5, h)


theme.add(arange_step_zero, (0,), (1,))


def linspaces(n):
    return (
        np.linspace(0, 1, n),
        np.linspace(-2.5, 3, n),
        np.linspace(0, 1, n, endpoint=False),
        np.linspace(1, 1, n),
    )


theme.add(linspaces, (5,), (1,), (2,), (0,), (50,))


def linspace_of_variables(a, b):
    x = np.linspace(a, b, 7)
    return x, x[1] - x[0], (x * x).sum()


theme.add(linspace_of_variables, (0, 1), (0.25, -3.5))


def eyes(n):
    return np.eye(n), np.identity(n), np.eye(n, 2), np.eye(n, k=1), np.eye(n, dtype=np.int8) * 2


theme.add(eyes, (3,), (1,), (0,))


def arrays_from_values(x, y):
    return np.array([x, y]), np.array([[x, y], [y, x]]), np.array((x, y), dtype=np.float32), np.array(x)


theme.add(arrays_from_values, (1, 2), (1, 2.5), (True, False), (1j, 2), (np.float32(1), np.float32(2)))


def arrays_from_arrays(a, b):
    return np.array([a, b]), np.array([a, a * 2]).sum(axis=0), np.array([a[0], b[1], 3.0])


theme.add(arrays_from_arrays, (numbers(2), numbers(2, seed=1)), (ints(1, 2), floats(1, 2)))


def ragged(a, b):
    return np.array([a, b])


theme.add(ragged, (numbers(2), numbers(3)))


def grid(n):
    x = np.linspace(-1, 1, n)
    y = x[:, None]
    return x * x + y * y, np.exp(-(x * x + y * y))


theme.add(grid, (5,), (1,), ulp=4, compiled=True)


def built_in_loop(n):
    a = np.zeros(n)
    for i in range(n):
        a[i] = a[i - 1] + i
    return a


theme.add(built_in_loop, (5,), (0,), compiled=True)


def created_in_loop(n):
    total = np.zeros(2)
    for i in range(n):
        t = np.zeros(2)
        t[0] += i
        t[1] += 1
        total += t
    return total


theme.add(created_in_loop, (4,), (0,))


def created_by_size_of_argument(a):
    n = a.shape[0]
    out = np.empty(2 * n + 1)
    out[:n] = a
    out[n:] = 0
    out[-1] = n
    return out


theme.add(created_by_size_of_argument, (numbers(3),), (numbers(0),))


def from_lists(n):
    return np.array([i * 0.5 for i in range(n)]), np.array(list(range(n))), np.array([]), np.array(range(n))


theme.add(from_lists, (3,), (0,))


def indices_and_masks(n):
    i, j = np.indices((n, n))
    return np.abs(i - j), i == j, np.arange(n) % 2 == 0


theme.add(indices_and_masks, (3,))


def random_with_seed(n):
    rng = np.random.default_rng(5)
    return rng.normal(size=n), rng.integers(0, 10, n), rng.random()


theme.add(random_with_seed, (3,), (0,))


def scalars_made(x):
    return np.float32(x), np.int64(x), np.uint8(x), np.float64(x), np.bool_(x), np.complex64(x), np.int8(x)


theme.add(scalars_made, (3,), (2.7,), (True,))


def constants_of_numpy():
    return np.pi, np.e, np.inf, -np.inf, np.nan, np.finfo(np.float64).eps, np.iinfo(np.int32).max


theme.add(constants_of_numpy)
