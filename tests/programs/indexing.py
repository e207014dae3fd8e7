"""Subscripts read: numbers, slices, `None`, `...`, integer arrays and masks."""

import numpy as np

from .corpus import Theme, floats, fortran, ints, layouts, numbers, strided

theme = Theme(__name__)


def constant_index(a):
    return a[0], a[-1], a[2]


theme.add(constant_index, *layouts(numbers(4)), (numbers(3, 2),), ([1, 2, 3],), ((4, 5, 6),), compiled=None)


def constant_index_out_of_range(a):
    return a[3]


theme.add(constant_index_out_of_range, (floats(1, 2, 3),), (floats(1, 2, 3, 4),), (floats(),))


def negative_index_out_of_range(a):
    return a[-3]


theme.add(negative_index_out_of_range, (floats(1, 2),), (floats(1, 2, 3),))


def variable_index(a, i):
    return a[i]


theme.add(
    variable_index,
    (floats(1, 2, 3), 2),
    (floats(1, 2, 3), -3),
    (floats(1, 2, 3), 3),
    (floats(1, 2, 3), -4),
    (floats(1, 2, 3), np.int64(1)),
    (floats(1, 2, 3), np.uint8(1)),
)


def variable_index_wrong_type(a, i):
    return a[i]


theme.add(variable_index_wrong_type, (floats(1, 2), 1.0), (floats(1, 2), "x"), ([1, 2], 1.5))


def bool_index(a, i):
    return a[i]


theme.add(bool_index, (floats(1, 2), True), (floats(1, 2), False))


def two_indices(m, i, j):
    return m[i, j], m[i][j], m[i], m[:, j], m[-1, -1]


theme.add(two_indices, (numbers(2, 3), 1, 2), (fortran(numbers(2, 3)), 0, -1), (numbers(2, 3), 1, 3))


def too_many_indices(a):
    return a[0, 0]


theme.add(too_many_indices, (floats(1, 2),), (numbers(2, 2),))


def tuple_index(m, at):
    return m[at]


theme.add(tuple_index, (numbers(2, 3), (1, 2)), (numbers(2, 3), (1,)), (numbers(2, 3), ()))


def slices(a):
    return a[1:], a[:-1], a[1:-1], a[::2], a[1::2], a[::-1], a[-2:], a[:], a[5:2], a[3:1:-1], a[::-2]


theme.add(slices, *layouts(numbers(6)), (numbers(1),), (numbers(0),), ([1, 2, 3, 4],), ((1, 2, 3),))


def slices_clip(a):
    return a[-100:2], a[2:100], a[100:], a[:-100], a[100:-100:-1]


theme.add(slices_clip, (numbers(4),))


def variable_slices(a, i, j, k):
    return a[i:j], a[i:j:k], a[i:], a[:j], a[::k]


theme.add(
    variable_slices,
    (numbers(6), 1, 4, 2),
    (numbers(6), -2, -5, -1),
    (numbers(6), 4, 1, 1),
    (numbers(6), None, 3, None),
    (numbers(6), -100, 100, -3),
)


def slice_step_zero(a, k):
    return a[::k]


theme.add(slice_step_zero, (numbers(4), 0), (numbers(4), 2))


def slices_sum(a):
    return (a[1:] - a[:-1]).sum(), a[::2].sum(), a[::-1] * a, (a[1:-1] * 2)[::-1]


theme.add(slices_sum, *layouts(numbers(5)), compiled=True)


def two_slices(m):
    return m[1:, :-1], m[::-1, 1], m[0, ::2], m[:, None, 1], m[..., 0], m[0, ...], m[1:][:, 1:]


theme.add(two_slices, *layouts(numbers(3, 4)))


def new_axes(a):
    return a[None], a[:, None], a[None, :, None], a[..., np.newaxis], a[:, np.newaxis] * a[None]


theme.add(new_axes, *layouts(numbers(3)))


def ellipsis_three(t):
    return t[..., 0], t[0, ...], t[1, ..., 2], t[...], t[..., None, 1:], t[:, 1]


theme.add(ellipsis_three, *layouts(numbers(2, 3, 4)))


def scalar_of_row(m):
    s = 0.0
    for i in range(len(m)):
        s += m[i][-1] + m[i, 0]
    return s


theme.add(scalar_of_row, *layouts(numbers(3, 2)))


def index_arithmetic(a, n):
    s = 0.0
    for i in range(n):
        s += a[(3 * i + 1) % len(a)] - a[-1 - i] + a[i // 2]
    return s


theme.add(index_arithmetic, (numbers(7), 7), compiled=True)


def index_from_array(a, k):
    s = 0.0
    for i in k:
        s += a[i]
    for j in range(len(k)):
        s *= a[k[j]]
    return s


theme.add(index_from_array, (numbers(5), ints(0, 4, -1)), (numbers(5), ints(0, 5)))


def zero_dimensional(a):
    return a[()], a[...], a + 1, float(a), a.item(), a.shape


theme.add(zero_dimensional, (np.array(2.5),), (np.array(3, np.int32),))


def index_zero_dimensional(a):
    return a[0]


theme.add(index_zero_dimensional, (np.array(2.5),))


def integer_arrays(a, k):
    return a[k], a[k] * 2, a[k + 0].sum()


theme.add(
    integer_arrays,
    (numbers(5), ints(0, 3, 3, -1)),
    (numbers(5), ints()),
    (numbers(5), np.array([[0, 1], [2, 3]])),
    (numbers(5), np.array([1, 2], np.uint8)),
    (numbers(5), ints(0, 5)),
    (numbers(3, 2), ints(2, 0)),
)


def integer_list(a):
    return a[[0, 2]], a[[]]


theme.add(integer_list, (numbers(4),))


def integer_arrays_of_pairs(m, i, j):
    return m[i, j], m[i], m[:, j], m[i, 0], m[i[:, None], j]


theme.add(
    integer_arrays_of_pairs, (numbers(3, 4), ints(0, 2), ints(1, 3)), (numbers(3, 4), ints(0), ints(-1))
)


def float_index_array(a, k):
    return a[k]


theme.add(float_index_array, (numbers(4), floats(0, 1)))


def masks(a):
    positive = a[a > 0]
    return positive, positive.sum(), a[~(a > 0)], a[(a > -1) & (a < 1)].size


theme.add(masks, *layouts(numbers(7)), (numbers(3, 4),), (np.zeros(0),), (-np.ones(3),))


def mask_of_rows(m, rows):
    return m[rows], m[rows, 0], m[:, m[0] > 0]


theme.add(
    mask_of_rows, (numbers(3, 4), np.array([True, False, True])), (numbers(3, 4), np.array([True, False]))
)


def nonzero_indices(a):
    (k,) = np.nonzero(a > 0)
    return k, a[k], np.flatnonzero(a), np.argwhere(a > 0)


theme.add(nonzero_indices, (numbers(6),), (np.zeros(3),))


def take_and_choose(a, k):
    return np.take(a, k), a.take(k), np.take_along_axis(a, k, 0), a[np.argsort(a)]


theme.add(take_and_choose, (numbers(5), ints(0, 4, 2)))


def gather_in_loop(a, k):
    out = np.zeros(len(k))
    for i in range(len(k)):
        out[i] = a[k[i]]
    return out


theme.add(gather_in_loop, (numbers(5), ints(4, -5, 0)), (numbers(5), ints(1, 5)), (numbers(0), ints()))


def item_and_tolist(a):
    return a.item(0), a.tolist(), a.item(-1)


theme.add(item_and_tolist, (numbers(3),), (numbers(2, 2),), (ints(1, 2),))


def subscripts_of_text(text, i):
    return text[i], text[::-1], text[1:]


theme.add(subscripts_of_text, ("abc", 1), ("abc", -1), ("abc", 5))


def wrap_around(a):
    n = len(a)
    out = np.empty_like(a)
    for i in range(n):
        out[i] = a[i - 1] + a[(i + 1) % n]
    return out


theme.add(wrap_around, *layouts(numbers(5)), (numbers(1),))


def index_strided_matrix(m):
    return m[1], m[:, 1], m[1, 1]


theme.add(index_strided_matrix, (strided(numbers(3, 4)),), (numbers(3, 4).T,))


def index_with_huge_integer(a, i):
    return a[i]


theme.add(index_with_huge_integer, (numbers(3), 2**63), (numbers(3), -(2**70)))


def picked_and_computed(a, i, j):
    rows, columns = a[i], a[:, j]
    rows += 1
    return rows * 2 + a[0], columns - 1, a[i, j[: i.size]] * 3, a[[0, 1, 0]] + 1, rows, a


theme.add(
    picked_and_computed,
    *((x, np.array([2, 0, 2]), np.array([1, 3, 3, 0])) for (x,) in layouts(numbers(3, 4))),
    (numbers(3, 4), np.array([-1, 0]), np.array([1, -4])),
    (numbers(3, 4), np.array([5]), np.array([0])),
    (numbers(3, 4), np.array([0]), np.array([7])),
    (numbers(3, 4), np.array([], np.int64), np.array([0])),
    (numbers(1, 4), np.array([0]), np.array([0])),
)


def picked_by_tables(a, t):
    found = a[t]
    found[0] = 9
    return found + 1, a[t, t.T].sum(), a[:, t] * 2, a


theme.add(
    picked_by_tables,
    *((x, np.array([[2, 0], [1, 1]])) for (x,) in layouts(numbers(3, 3))),
    (numbers(3, 3), np.asfortranarray([[2, 0], [1, 1]])),
    (numbers(3, 3, 2), np.array([[2, 0], [1, 1]])),
)


def masked_and_computed(a, m):
    found = a[m]
    found += 1
    return found * 2, a[m].sum(), a


theme.add(
    masked_and_computed, (numbers(3, 4), numbers(3, 4) > 0), (numbers(3, 4), np.array([True, False, True]))
)
