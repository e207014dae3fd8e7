"""Subscripts written."""

import numpy as np

from .corpus import Theme, floats, ints, layouts, numbers

theme = Theme(__name__)


def write_constant_index(a):
    a[0] = 1.5
    a[-1] = 2


theme.add(write_constant_index, *layouts(numbers(4)), (ints(7, 8, 9),), ([1, 2],), compiled=None)


def write_then_return(a, i):
    b = np.abs(a) * 2 + a * a
    a[i] = b[0]
    return a[i]


theme.add(write_then_return, (floats(1, 2), 1), compiled=True)


def write_variable_index(a, i, x):
    a[i] = x
    return a[i]


theme.add(
    write_variable_index,
    (floats(1, 2), 1, 5),
    (floats(1, 2), -2, 5.5),
    (ints(1, 2), 0, 5.9),
    (floats(1, 2), 2, 5),
    (floats(1, 2), 0, floats(7)),
)


def write_wrong_values(a, x):
    a[0] = x


theme.add(
    write_wrong_values,
    (floats(1, 2), floats(7, 8)),
    (floats(1, 2), 1j),
    (floats(1, 2), "x"),
    (floats(1, 2), None),
    (np.zeros(2, np.int8), 300),
    (np.zeros(2, np.uint8), -1),
    (np.zeros(2, bool), 5),
    (ints(1), float("nan")),
)


def write_slices(a, b):
    a[1:] = b[:-1]
    a[::2] = 0
    a[-1:] += 5
    return a


theme.add(write_slices, (numbers(5), numbers(5, seed=1)), (numbers(1), numbers(1)))


def write_slice_of_wrong_length(a, b):
    a[1:] = b


theme.add(
    write_slice_of_wrong_length, (numbers(4), numbers(3)), (numbers(4), numbers(2)), (numbers(4), numbers(1))
)


def write_negative_steps(a, b):
    a[::-1] = b
    a[3:0:-2] = 9
    return a


theme.add(write_negative_steps, (numbers(5), numbers(5, seed=2)))


def write_broadcast(m, v):
    m[:] = v
    m[0] = 1
    m[:, 1] = v[0]
    m[1:, 1:] = v[1:]


theme.add(write_broadcast, (numbers(3, 4), numbers(4)), (numbers(3, 4), numbers(3)))


def write_extra_axes(a, b):
    a[...] = b
    return a


theme.add(write_extra_axes, (numbers(3), numbers(1, 3)), (numbers(3), numbers(2, 3)), (np.array(1.0), 5))


def write_casts(f32, i8, z, x):
    f32[:] = x
    i8[:] = x
    z[:] = x
    return f32, i8, z


theme.add(
    write_casts,
    (np.zeros(3, np.float32), np.zeros(3, np.int8), np.zeros(3, complex), floats(1.7, -2.2, 1e-3)),
    (np.zeros(3, np.float32), np.zeros(3, np.int8), np.zeros(3, complex), ints(1, 300, -5)),
)


def write_complex_into_float(a, z):
    a[:] = z


theme.add(write_complex_into_float, (numbers(2), numbers(2, dtype=complex)))


def write_chain_targets(a, b, i):
    a[i] = b[i] = a[i] + b[i]
    a[0], a[1] = a[1], a[0]
    i, a[i] = 1, 77
    return i


theme.add(write_chain_targets, (numbers(3), numbers(3, seed=1), 2))


def write_swap_rows(m):
    m[0], m[1] = m[1], m[0]


theme.add(write_swap_rows, (numbers(2, 3),))


def write_swap_rows_properly(m, i, j):
    m[[i, j]] = m[[j, i]]
    t = m[0].copy()
    m[0] = m[1]
    m[1] = t


theme.add(write_swap_rows_properly, (numbers(3, 3), 0, 2))


def write_integer_arrays(a, k, x):
    a[k] = x
    a[k] += 1
    return a


theme.add(
    write_integer_arrays,
    (numbers(5), ints(0, 2), 5),
    (numbers(5), ints(0, 0, 1), floats(1, 2, 3)),
    (numbers(5), ints(0, 7), 5),
    (numbers(5), ints(), 5),
)


def write_masks(a, x):
    a[a < 0] = x
    a[a > 1] *= 2
    return a


theme.add(write_masks, *((a, 0.0) for (a,) in layouts(numbers(6))), (numbers(3, 3), -1), (np.zeros(0), 1))


def write_mask_from_array(a, b):
    a[a < 0] = b[a < 0]


theme.add(write_mask_from_array, (numbers(6), numbers(6, seed=1)))


def write_mask_wrong_length(a):
    a[a < 0] = [1, 2, 3, 4, 5, 6, 7]


theme.add(write_mask_wrong_length, (numbers(6),))


def write_pairs(m, i, j):
    m[i, j] = -1
    m[i] = m[i] * 2
    m[:, j] = 0


theme.add(write_pairs, (numbers(3, 4), ints(0, 2), ints(1, 3)))


def add_at(a, k):
    np.add.at(a, k, 1)
    return a


theme.add(add_at, (numbers(4), ints(0, 0, 2)))


def scatter_in_loop(a, k):
    for i in range(len(k)):
        a[k[i]] += i


theme.add(scatter_in_loop, (numbers(4), ints(0, 0, -1)), (numbers(4), ints(1, 2, 9, 3)), compiled=True)


def write_in_nested_loops(m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] += m[i, j - 1] if j else i


theme.add(write_in_nested_loops, *layouts(numbers(3, 4)), compiled=True)


def write_row_slices(m, n):
    for i in range(n):
        m[i, i:] = i
        m[i + 1 :, i] = -i
        m[i] /= 2


theme.add(write_row_slices, (numbers(4, 4), 4), (numbers(4, 4), 5))


def write_new_axis(a):
    m = np.zeros((3, 4))
    m[:, None, :] = a
    m[None, 0] = 5
    return m


theme.add(write_new_axis, (numbers(4),))


def write_fills_created(n):
    a = np.empty(n)
    a[:] = 3
    a[0] = n
    b = np.empty((n, 2), np.int32)
    b[:, 0] = 1
    b[:, 1] = np.arange(n)
    return a, b


theme.add(write_fills_created, (4,), (1,), (0,))


def augmented_on_bool_and_ints(b, i, u):
    b |= True
    i //= 2
    i **= 2
    u >>= 1
    return b, i, u


theme.add(augmented_on_bool_and_ints, (numbers(3, dtype=bool), ints(5, -5), np.array([200, 3], np.uint8)))


def augmented_true_divide_of_ints(a):
    a /= 2
    return a


theme.add(augmented_true_divide_of_ints, (ints(1, 2),), (floats(1, 2),))


def augmented_wrong_shapes(a, b):
    a += b
    return a


theme.add(
    augmented_wrong_shapes, (numbers(3), numbers(2)), (numbers(3), numbers(2, 3)), (numbers(1), numbers(3))
)


def augmented_matmul(a, b):
    a @= b
    return a


theme.add(
    augmented_matmul,
    (numbers(3, 3), numbers(3, 3, seed=1)),
    (numbers(2, 3), numbers(3, 3, seed=1)),
    (numbers(2, 3), numbers(3, 2, seed=1)),
    (numbers(3, 3, dtype=np.float32), numbers(3, 3, seed=1)),
    (numbers(3), numbers(3, 3, seed=1)),
    (numbers(3, 3), numbers(3)),
    (ints(1, 2), numbers(2, 2)),
    ulp=16,
    atol=1e-14,
)


def augmented_matmul_of_parts(a, b):
    a[:2] @= b
    a[::-1] @= a[:3] @ b
    return a


theme.add(augmented_matmul_of_parts, (numbers(3, 3), numbers(3, 3, seed=1)), ulp=16, atol=1e-14)


def augmented_row(m):
    for i in range(1, len(m)):
        m[i] += m[i - 1]
        m[i, 0] *= 2
    return m


theme.add(augmented_row, *layouts(numbers(3, 4)))


def side_effect_order(a):
    log = []

    def index(k):
        log.append(k)
        return k

    a[index(0)] = a[index(1)] + a[index(2)]
    a[index(1)] += index(2)
    return log


theme.add(side_effect_order, (numbers(3),))


def write_of_numbers_for_nan(a):
    b = a * 2
    b[0] = np.nan
    c = np.nan_to_num(b, copy=False, nan=2.0)
    c[1] = 7
    return b, np.sum(b * b)


theme.add(write_of_numbers_for_nan, *layouts(numbers(5)), *layouts(numbers(3, 4)), (ints(7, 8, 9),))


def write_of_numbers_for_nan_in_loop(a, n):
    b = a / a
    s = 0.0
    for i in range(n):
        np.nan_to_num(b[::2], False, i)
        b[i] += 1
        s += b[0] * 2
    return s, b


theme.add(write_of_numbers_for_nan_in_loop, (floats(0, 2, 0), 3))


def write_of_numbers_for_nan_if(a, flag):
    b = a * 2
    c = np.nan_to_num(b, copy=flag)
    c[1] = 7
    return b, c


theme.add(write_of_numbers_for_nan_if, (floats(1, np.nan, 3), True), (floats(1, np.nan, 3), False))


def write_by_selection(a):
    b, c, d = a * 2, a * 3, a * 4
    middle = np.median(b, None, None, True)
    lower = np.quantile(c, 0.3, overwrite_input=True)
    low = np.nanpercentile(d, [10, 20], overwrite_input=True)
    return middle, lower, low, np.sum(b * a), np.sum(c * a), np.sum(d * a), b, c


theme.add(write_by_selection, (floats(3, 1, 2, 9, -4, 5, 0.5),), (numbers(40)[::-1].copy(),))


def write_of_bytes(a):
    b = a * 2
    c = b.byteswap(inplace=True)
    b.byteswap(True)
    c[0] = 3
    return b.sum(), c


theme.add(write_of_bytes, (floats(1, 2, 3),))


# Floats that fit no int, known when the kernel is compiled: LLVM would leave out what is written


def nans_to_ints(z, x):
    z[:] = x * np.nan
    return z


def full_of_nans_to_ints(z, x):
    t = np.full(len(x), np.nan)
    z[:] = t + x
    return z


def full_of_large_to_ints(z, x):
    t = np.full(len(x), 1e15)
    z[:] = t * 1e15
    return z


def rests_of_nan_to_ints(z, x):
    z[:] = z % np.nan
    return z


def infinities_to_ints(z, x):
    z[:] = x + np.inf
    return z


def nans_to_ints_in_a_loop(z, x):
    r = np.inf * 0.0
    for i in range(len(x)):
        z[i : i + 1] = x[i : i + 1] + r
    return z


def some_nans_to_ints(z, x):
    z[:] = np.where(x > 2, x, np.nan)
    return z


for _program in (
    nans_to_ints,
    full_of_nans_to_ints,
    full_of_large_to_ints,
    rests_of_nan_to_ints,
    infinities_to_ints,
    nans_to_ints_in_a_loop,
    some_nans_to_ints,
):
    for _kind in ("int64", "int32", "int8", "uint8"):
        _whole = np.array([3, 1, 2, 2], _kind)
        theme.add(_program, (_whole, np.array([1.5, 2.0, 3.0, 4.0])), name=f"{_program.__name__}_{_kind}")
