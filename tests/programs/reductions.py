"""Reductions over all elements and along axes, scans, sorting."""

import numpy as np

from .corpus import Theme, floats, fortran, ints, layouts, numbers, strided

theme = Theme(__name__)

_SHAPES = (
    (numbers(3, 4),),
    (numbers(1, 4),),
    (numbers(3, 1),),
    (fortran(numbers(3, 4)),),
    (strided(numbers(3, 4)),),
)
_NANS = np.array([[1.0, np.nan, -2.0], [np.inf, 0.0, -0.0]])


def sums(a):
    return (
        a.sum(),
        np.sum(a, axis=0),
        a.sum(axis=1),
        a.sum(-1),
        np.sum(a, axis=0, keepdims=True),
        a.sum(axis=(0, 1)),
    )


theme.add(sums, *_SHAPES, (np.zeros((0, 4)),), (_NANS,), compiled=True)


def sums_of_vector(a):
    return a.sum(), np.sum(a), a.sum(axis=0), a.sum(keepdims=True), sum(a)


theme.add(sums_of_vector, *layouts(numbers(300)), (numbers(1),), (numbers(0),), compiled=True)


def sums_long(a):
    return a.sum(), a.mean(), (a * a).sum(), a[::2].sum(), np.float32(1) * a.sum()


theme.add(sums_long, (numbers(1000),), (numbers(129),), (numbers(5000, dtype=np.float32),))


def sums_long_rows(m):
    return m.sum(axis=0), m.sum(axis=1), m.sum(), m.mean(axis=1), m.T.sum(axis=0)


theme.add(sums_long_rows, (numbers(30, 200),), (fortran(numbers(30, 200)),), (numbers(200, 9),))


def sums_of_small_types(b, i8, u8, f32, c64):
    return (
        b.sum(),
        i8.sum(),
        u8.sum(),
        f32.sum(),
        c64.sum(),
        i8.prod(),
        f32.mean(),
        i8.mean(),
        b.mean(),
        c64.mean(),
    )


_SMALL = tuple(numbers(20, dtype=d) for d in (bool, np.int8, np.uint8, np.float32, np.complex64))
theme.add(sums_of_small_types, _SMALL)


def sums_with_dtype(a):
    return a.sum(dtype=np.float32), np.sum(a, dtype=np.int64), a.mean(dtype=np.float64), a.prod(dtype=complex)


theme.add(sums_with_dtype, (numbers(5),), (ints(1, 2, 3),))


def sums_with_initial_and_where(a):
    return np.sum(a, initial=10), np.sum(a, where=a > 0), np.max(a, initial=0), np.prod(a, initial=2)


theme.add(sums_with_initial_and_where, (numbers(5),), (numbers(0),))


def products(a):
    return a.prod(), np.prod(a, axis=0), a.prod(axis=-1, keepdims=True)


theme.add(products, *_SHAPES, (np.zeros((0, 4)),), (ints(1, 2, 3),))


def extremes(a):
    return (
        a.min(),
        a.max(),
        np.min(a, axis=0),
        a.max(axis=1),
        np.amax(a),
        a.min(axis=-1, keepdims=True),
        np.ptp(a),
    )


theme.add(extremes, *_SHAPES, (_NANS,), (np.arange(6, dtype=np.int8).reshape(2, 3),), compiled=True)


def extremes_of_nothing(a):
    return a.max()


theme.add(extremes_of_nothing, (numbers(0),), (numbers(2),))


def extremes_of_nothing_along_axis(a):
    return a.min(axis=1)


theme.add(extremes_of_nothing_along_axis, (np.zeros((0, 4)),), (np.zeros((3, 0)),))


def means(a):
    return a.mean(), np.mean(a, axis=0), a.mean(axis=1, keepdims=True), np.average(a)


theme.add(means, *_SHAPES, (np.zeros((0, 2)),), (np.arange(6).reshape(2, 3),))


def spreads(a):
    return a.var(), a.std(), np.var(a, axis=0), a.std(axis=1), a.var(ddof=1), np.std(a, axis=0, keepdims=True)


theme.add(spreads, *_SHAPES, (_NANS,), (np.arange(6).reshape(2, 3),), ulp=4)


def truths(a):
    return a.any(), a.all(), np.any(a > 1, axis=0), np.all(a > -5, axis=1), (a > 0).any(axis=0, keepdims=True)


theme.add(truths, *_SHAPES, (np.zeros((0, 2)),), (_NANS,))


def counts(a):
    return np.count_nonzero(a), np.count_nonzero(a > 0, axis=0), (a > 0).sum(), np.count_nonzero(a, axis=1)


theme.add(counts, *_SHAPES, (np.zeros((0, 2)),))


def positions(a):
    return (
        a.argmax(),
        a.argmin(),
        np.argmax(a, axis=0),
        a.argmin(axis=1),
        np.argmax(a, axis=-1, keepdims=True),
    )


theme.add(positions, *_SHAPES, (_NANS,), (np.array([[1, 1], [0, 0]]),))


def positions_of_nothing(a):
    return a.argmax()


theme.add(positions_of_nothing, (numbers(0),))


def bad_axis(a):
    return a.sum(axis=2)


theme.add(bad_axis, (numbers(2, 2),), (numbers(2, 2, 2),))


def variable_axis(a, axis):
    return a.sum(axis=axis), np.max(a, axis=axis)


theme.add(variable_axis, (numbers(2, 3), 0), (numbers(2, 3), 1), (numbers(2, 3), None), (numbers(2, 3), -1))


def three_axes(t):
    return t.sum(axis=1), t.max(axis=(0, 2)), t.mean(axis=(-1, 0), keepdims=True), t.sum(axis=2).sum(axis=0)


theme.add(three_axes, *layouts(numbers(2, 3, 4)))


def nan_reductions(a):
    return np.nansum(a), np.nanmax(a), np.nanmean(a), np.nanargmin(a), np.nansum(a, axis=0)


theme.add(nan_reductions, (_NANS,))


def scans(a):
    return np.cumsum(a), a.cumsum(), np.cumprod(a), np.diff(a), np.maximum.accumulate(a)


theme.add(scans, *layouts(numbers(6)), (numbers(0),), (ints(1, 2, 3),), (np.array([100, 100], np.int8),))


def scans_along_axes(m):
    return np.cumsum(m), np.cumsum(m, axis=0), m.cumsum(axis=1), m.cumprod(axis=-1), np.diff(m, axis=0)


theme.add(scans_along_axes, *_SHAPES)


def sorts(a):
    return np.sort(a), np.sort(a)[::-1], np.argsort(a, kind="stable"), np.unique(a), np.median(a)


theme.add(sorts, *layouts(numbers(7)), (floats(3, np.nan, 1, -0.0, 0.0),), (ints(3, 1, 2, 1),))


def sorts_axes(m):
    return np.sort(m), np.sort(m, axis=0), np.sort(m, axis=None), m.argsort(axis=1)


theme.add(sorts_axes, *_SHAPES)


def searches(a, x):
    return np.searchsorted(a, x), np.searchsorted(a, a[0], side="right"), np.digitize(x, a)


theme.add(searches, (floats(1, 2, 3), floats(0, 1.5, 2, 9)))


def reductions_of_expressions(a, b):
    return (
        (a * b).sum(),
        ((a - b) ** 2).mean(),
        np.abs(a - b).max(),
        (a > b).any(),
        np.sqrt((a * a).sum(axis=1)),
    )


theme.add(
    reductions_of_expressions,
    (numbers(3, 4), numbers(3, 4, seed=1)),
    (numbers(3, 4), numbers(4)),
    compiled=True,
)


def normalised_rows(m):
    return m / m.sum(axis=1, keepdims=True), m - m.mean(axis=0), (m.T / m.max(axis=1)).T


theme.add(normalised_rows, *_SHAPES)


def reduction_in_loop(m):
    out = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        out[i] = m[i].sum() + m[:i].sum() - m[i, 1:].max()
    return out


theme.add(reduction_in_loop, (numbers(4, 5),), (fortran(numbers(4, 5)),))


def ufunc_methods(a):
    return np.add.reduce(a), np.multiply.reduce(a, axis=0), np.add.accumulate(a), np.multiply.outer(a, a)


theme.add(ufunc_methods, (numbers(4),), (numbers(2, 3),))


def reduction_of_scalar(x):
    return np.sum(x), np.max(x), np.mean(x), np.any(x), np.argmax(x)


theme.add(reduction_of_scalar, (3,), (2.5,), (np.float32(1),))


def reduction_of_list(items):
    return np.sum(items), np.max(items), np.mean(items), np.prod(items, axis=0)


theme.add(reduction_of_list, ([1, 2, 3],), ([1.5, 2],), ([[1, 2], [3, 4]],))


def reduction_out(a, out):
    r = np.sum(a, axis=0, out=out)
    return r


theme.add(reduction_out, (numbers(3, 4), np.zeros(4)))


def einsum_and_trace(a, b):
    return np.einsum("ij,ij->i", a, b), np.trace(a), np.einsum("ij->j", a)


theme.add(einsum_and_trace, (numbers(3, 3), numbers(3, 3, seed=1)), ulp=8, atol=1e-14)
