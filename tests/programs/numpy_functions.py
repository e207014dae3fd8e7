"""NumPy's functions over dtypes, shapes and layouts; what follows needs their shapes to be right."""

import numpy as np

from .corpus import Theme, backwards, floats, fortran, ints, layouts, numbers, readonly, strided

theme = Theme(__name__)

_MATRICES = (
    *layouts(numbers(3, 4)),
    *layouts(numbers(3, 4, dtype=np.float32)),
    (numbers(1, 4),),
    (numbers(4, 1),),
    (numbers(1, 1),),
    (numbers(0, 4),),
)
_VECTORS = (*layouts(numbers(5)), (numbers(1),), (numbers(0),), *layouts(numbers(6, dtype=np.float32)))
_SMALL_INTS = tuple((numbers(3, 4, dtype=dtype),) for dtype in (bool, np.int8, np.uint8, np.int16, np.int64))


def spread(a):
    return a.var() + 1, a.std() * 2, np.var(a, ddof=1), np.std(a, ddof=2)


theme.add(spread, *_MATRICES, *_VECTORS, *_SMALL_INTS)


def spread_along_axes(a):
    return (
        a.var(axis=0) + 1,
        np.std(a, axis=1) * 2,
        (a - a.mean(axis=0)) / (a.std(axis=0) + 1),
        np.var(a, axis=1, keepdims=True) * a,
        np.std(a, axis=-1, ddof=1, keepdims=True) + a,
    )


theme.add(spread_along_axes, *_MATRICES, *_SMALL_INTS)


def spread_of_big(a):
    return a.var(), a.std(axis=0), a.mean(), np.mean(a, axis=0)


theme.add(
    spread_of_big,
    (numbers(9000),),
    (numbers(9001, dtype=np.float32),),
    (numbers(300, 40, dtype=np.float32),),
    (numbers(9000, dtype=np.uint8),),
    (numbers(9000, dtype=np.int32),),
)


def means(a):
    return a.mean() + 1, a.mean(axis=0) + 1, np.mean(a, axis=1, keepdims=True) + a, (a > 0).mean()


theme.add(means, *_MATRICES, *_SMALL_INTS, (numbers(3, 4, dtype=np.complex64),))


def ranges(a):
    return np.ptp(a) + 1, np.ptp(a, axis=0) + 1, np.ptp(a, axis=1, keepdims=True) + a


theme.add(ranges, *_MATRICES, (numbers(3, 4, dtype=np.int32),))


def one_bound(a):
    return np.clip(a, 0, None) + 1, np.clip(a, None, 1), a.clip(0), a.clip(max=1), np.clip(a, -1, 1)


theme.add(one_bound, *_MATRICES, (numbers(3, 4, dtype=np.int64),), (numbers(3, dtype=np.uint8),))


def bounds_out_of_range(a):
    return np.clip(a, -5, 300) + 1, np.clip(a, 3, 2**40)


theme.add(bounds_out_of_range, (numbers(4, dtype=np.uint8),), (numbers(4, dtype=np.int16),))


def outer(a, b):
    return np.outer(a, b) + 1, np.outer(b, a) * 2


theme.add(
    outer,
    (numbers(3), numbers(4)),
    (numbers(0), numbers(4)),
    (strided(numbers(3)), backwards(numbers(2))),
    (numbers(2, 2), numbers(3)),
    (fortran(numbers(2, 3)), numbers(2)),
    (ints(1, 2), numbers(2, dtype=np.float32)),
)


def joined(a, b):
    return (
        np.concatenate([a, b]) + 1,
        np.concatenate((a, b, a), axis=0) * 2,
        np.vstack([a, b]) + 1,
        np.concatenate([a[1:], a[:1]]) - a,
    )


theme.add(
    joined,
    (numbers(3, 4), numbers(2, 4)),
    (numbers(3, 4), numbers(2, 3)),
    (numbers(3, 4), numbers(4)),
    (numbers(3), numbers(3)),
    (numbers(0), numbers(0)),
    (fortran(numbers(3, 4)), fortran(numbers(2, 4))),
    (strided(numbers(3, 4)), backwards(numbers(3, 4))),
    (ints(1, 2), numbers(2)),
    (numbers(2, dtype=np.float32), ints(1, 2)),
)


def side_by_side(a, b):
    return (
        np.concatenate((a, b), axis=1) + 1,
        np.hstack((a, b)) * 2,
        np.stack([a, b]) + 1,
        np.stack([a, b], axis=-1) + 1,
        np.column_stack((a, b)),
    )


theme.add(
    side_by_side,
    (numbers(3, 4), numbers(3, 4)),
    (numbers(3, 0), numbers(3, 0)),
    (fortran(numbers(3, 4)), numbers(3, 4)),
    (numbers(3, 1), numbers(3, 1)),
    (numbers(2, 3, 2), numbers(2, 3, 2)),
)


def stacked(a, b):
    return np.stack([a, b]) + 1, np.stack((a, b), axis=1) * 2, np.hstack([a, b]), np.column_stack([a, b])


theme.add(stacked, (numbers(4), numbers(4)), (numbers(0), numbers(0)), (numbers(1), numbers(2)))


def grids(a, b):
    x, y = np.meshgrid(a, b)
    u, v = np.meshgrid(a, b, indexing="ij")
    return x + y, u * v


theme.add(grids, (numbers(3), numbers(4)), (numbers(0), numbers(2)), (ints(1, 2), strided(numbers(3))))


def counted(n):
    return (
        np.arange(n) * 2,
        np.arange(1, n) + 1,
        np.arange(n, 0, -2) + 1,
        np.arange(0, n, 3, dtype=np.float32),
    )


theme.add(counted, (7,), (1,), (0,), (-3,), (8,))


def counted_floats(a, step):
    return np.arange(0.0, 1.0, step) + 1, np.arange(len(a)) * a, np.arange(len(a), dtype=a.dtype) + a


theme.add(counted_floats, (numbers(4), 0.1), (numbers(0), 0.25), (numbers(1, dtype=np.float32), -1.0))


def spaced(a, n):
    x = np.linspace(0, 1, n)
    return x * 2, np.linspace(-1.5, a[0], len(a)) + a, np.linspace(0, 1, n, endpoint=False) + x


theme.add(spaced, (numbers(5), 4), (numbers(1), 1), (numbers(2, dtype=np.float32), 0), (numbers(2), -1))


def squares(a, n):
    return np.eye(n) + 1, np.eye(len(a)) @ a, np.eye(2, 3, k=1) * 2, np.identity(n), np.eye(n, dtype=np.int8)


theme.add(squares, (numbers(3, 3), 2), (numbers(1, 2), 1), (numbers(0, 2), 0), (numbers(2, 2), -1))


def displays(a, x):
    v = np.array([a[0], x, 1.5])
    m = np.array([[x, 1.0], [0.0, a[1]]])
    w = np.asarray([a, a]) + 1
    return v * 2, m @ a[:2], w, np.array([1, 2, 3]) * x, np.array([x, x], dtype=np.float32), np.array(a) + 1


theme.add(displays, (numbers(3), 2.0), (numbers(3), 4), (ints(1, 2, 3), 0.5), (numbers(1), 1.0))


def array_in_a_loop(a, n):
    total = np.zeros(2)
    for k in range(n):
        total += np.array([a[k], k * 1.0])
    return total


theme.add(array_in_a_loop, (numbers(5), 5), (numbers(5), 0), (numbers(3), 4), compiled=True)


def running(a):
    return (
        np.cumsum(a) + 1,
        np.cumprod(a) + 1,
        a.cumsum(axis=0) + a,
        np.cumsum(a, axis=-1, dtype=np.float64) + 1,
        np.add.accumulate(a) + a,
        np.maximum.accumulate(a) + a,
    )


theme.add(running, *_MATRICES, *_VECTORS, (numbers(3, dtype=np.int8),))


def by_ufuncs(a):
    return (
        np.add.reduce(a) + 1,
        np.maximum.reduce(a) + 1,
        np.minimum.reduce(a, axis=-1) * 2,
        np.multiply.reduce(a, axis=0, keepdims=True) + a,
    )


theme.add(by_ufuncs, *_MATRICES[:-1], (numbers(4, 0),), (numbers(3, dtype=np.int8),))


def ordered(a):
    return np.sort(a) + a, np.argsort(a) + 1, np.sort(a, axis=0) + a, a.argsort(axis=0) + 1


theme.add(ordered, *_MATRICES, *_VECTORS)


def shifted(a, k):
    return (
        np.roll(a, 1) + a,
        np.roll(a, k) - a,
        np.roll(a, -1, axis=0) + a,
        np.diff(a) + 1,
        np.diff(a, axis=0),
    )


theme.add(shifted, *((m, 2) for (m,) in _MATRICES), (numbers(4, dtype=bool), 1), (numbers(0), 1))


def picked(a, index):
    return np.take(a, [0, -1]) + 1, np.take(a, index) * 2, a.take(index, axis=0), np.repeat(a, 2) + 1


theme.add(
    picked, (numbers(4), ints(1, 3)), (numbers(4), ints(7)), (numbers(4), ints()), (numbers(3, 2), ints(0))
)


def repeated(a, n):
    return np.repeat(a, n, axis=0) + 1, np.tile(a, n) * 2, np.tile(a, (2, 1)) + 1


theme.add(
    repeated,
    (numbers(2, 3), 2),
    (numbers(3), 3),
    (numbers(3), 0),
    (fortran(numbers(2, 3)), 1),
    (numbers(3), -1),
)


def found(a):
    i, j = np.nonzero(a > 0)
    (k,) = np.nonzero(a[0])
    places = np.argwhere(a > 0)
    return i * 10 + j, k + 1, places, np.where(a > 0)[1] + 1, np.unique(a) + 1, a[i, j] * 2


theme.add(found, *_MATRICES, (numbers(3, 4, dtype=np.int8),))


def corners(a):
    return np.trace(a) + 1, np.diagonal(a) + 1, a.diagonal() * 2, np.tril(a) + a, np.triu(a, 1) * a


theme.add(corners, *_MATRICES, (numbers(3, 3, dtype=np.int32),))


def write_to_a_diagonal(a):
    np.diagonal(a)[0] = 1
    return a


theme.add(write_to_a_diagonal, (numbers(3, 3),))


def narrowed(a):
    b = a[None, :, None]
    return np.squeeze(b) + 1, np.squeeze(b, axis=0) * 2, b.squeeze(axis=(0, 2)) + 1, np.squeeze(a[:2]) + 1


theme.add(narrowed, (numbers(3),), (numbers(1),), (numbers(0),), (strided(numbers(3)),))


def stretched(a, n):
    b = np.broadcast_to(a, (n, len(a)))
    return b + 1, b.sum(), np.broadcast_to(a[:, None], (len(a), 2)) + 1, np.sort(b), np.concatenate([b, b])


theme.add(stretched, (numbers(3), 2), (numbers(1), 3), (numbers(0), 2), (readonly(numbers(3)), 2))


def write_to_a_stretched(a):
    b = np.broadcast_to(a, (2, 3))
    b[0, 0] = 1
    return a


theme.add(write_to_a_stretched, (numbers(3),))


def parts(z):
    z.real[0] = 5
    return np.real(z) + 1, np.imag(z) + 1, z.real + z.imag, z.real.sum(), np.conj(z).imag * 2


theme.add(
    parts,
    (numbers(3, dtype=complex),),
    (numbers(3, dtype=np.complex64),),
    (strided(numbers(3, dtype=complex)),),
    (numbers(3),),
    (numbers(2, 2, dtype=complex),),
)


def rounded(a):
    return np.round(a, 2) + 1, a.round(1) * 2, np.round(a) + 1, np.around(a, -1)


theme.add(rounded, *_MATRICES, (numbers(3, dtype=np.int64),))


def products(a, b):
    return a @ b + 1, np.dot(a, b) * 2, np.matmul(a, b) - 1


theme.add(
    products,
    (numbers(3, 4), numbers(4, 2)),
    (numbers(4), numbers(4)),
    (numbers(3, 4), numbers(4)),
    (numbers(4), numbers(4, 2)),
    (numbers(3, 4), numbers(3, 4)),
    (numbers(2, 0), numbers(0, 2)),
    (ints(1, 2), numbers(2, dtype=np.float32)),
    ulp=16,
    atol=1e-14,
)


def stacks_of_matrices(a, b):
    return a @ b + 1, np.matmul(a, b) * 2


theme.add(
    stacks_of_matrices,
    (numbers(5, 3, 4), numbers(5, 4, 2)),
    (numbers(5, 3, 4), numbers(4, 2)),
    (numbers(3, 4), numbers(5, 4, 2)),
    (numbers(1, 3, 4), numbers(5, 4, 2)),
    (numbers(5, 3, 4), numbers(4)),
    (numbers(2, 3, 4), numbers(3, 4, 2)),
    ulp=16,
    atol=1e-14,
)


def norms(a):
    return np.linalg.norm(a) + 1, np.linalg.norm(a, axis=0) + 1, a / np.linalg.norm(a, axis=1, keepdims=True)


theme.add(norms, *_MATRICES, (numbers(3, 4, dtype=np.int64),))


def near(a, b):
    return np.isclose(a, b) & True, np.allclose(a, b), np.array_equal(a, b), np.isclose(a, 1.0, atol=0.5)


theme.add(near, (numbers(3, 4), numbers(3, 4)), (numbers(3, 4), numbers(4)), (numbers(3), numbers(3, seed=1)))


def with_keywords(a):
    out = np.empty(a.shape[1])
    result = np.sum(a, axis=0, out=out)
    out += 1
    return (
        np.sum(a, axis=0, keepdims=True, dtype=np.float32) + a,
        np.sum(a, where=a > 0),
        np.max(a, initial=0.0),
        np.zeros(shape=a.shape) + a,
        result,
        np.sum([a[0, 0], 1.0]),
    )


theme.add(with_keywords, (numbers(3, 4),), (fortran(numbers(3, 4)),), (numbers(3, 4, dtype=np.float32),))


def wrong_axis(a):
    return np.sum(a, axis=3)


theme.add(wrong_axis, (numbers(3),))


def wrong_pairs(a, b):
    return np.concatenate([a, b])


theme.add(wrong_pairs, (numbers(3, 4), numbers(3)), (numbers(3, 4), numbers(3, 5)))


def folded(a):
    return (
        sum(x * x for x in a),
        any(x > 1 for x in a),
        all(x > -3 for x in a),
        sum(x for x in a if x > 0),
        sum(i * x for i, x in enumerate(a)),
    )


theme.add(folded, *_VECTORS, (ints(1, 2),), (floats(float("nan"), 2.0),), compiled=True)


def folded_extremes(a):
    return max(a), min(a), max(x * x for x in a), min(abs(a[i]) for i in range(len(a)))


theme.add(folded_extremes, *_VECTORS, (ints(1, 2),), (floats(2.0, float("nan"), 3.0),), compiled=True)


def stops_in_time(a):
    return any(a[i] == a[i + 1] for i in range(len(a)))


theme.add(stops_in_time, (floats(1, 2, 2),), (floats(1, 2),), (floats(),))


def folded_ranges(n):
    return (
        sum(range(n)),
        sum(i * i for i in range(n)),
        sum(0.5 * i for i in range(n)),
        max(range(n), default=0),
    )


theme.add(folded_ranges, (5,), (0,), (1,))


def element_once(a, log):
    def seen(x):
        log.append(float(x))
        return x > 0

    return any(seen(x) for x in a), all(seen(x) for x in a)


theme.add(element_once, (floats(-1, 2, 3), []), (floats(), []))
