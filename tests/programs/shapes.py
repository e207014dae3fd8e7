"""Shape functions, joining, choosing, matrix products."""

import numpy as np

from .corpus import Theme, floats, fortran, ints, layouts, numbers, strided

theme = Theme(__name__)


def reshapes(a):
    return a.reshape(2, 6), a.reshape(-1), np.reshape(a, (3, -1)), a.reshape((4, 3)) + 1, a.reshape(12, 1)


theme.add(reshapes, *layouts(numbers(3, 4)), (numbers(12),))


def reshape_wrong(a):
    return a.reshape(5, -1)


theme.add(reshape_wrong, (numbers(3, 4),), (numbers(10),))


def reshape_order(a):
    return a.reshape(4, 3, order="F"), a.ravel(order="F"), a.flatten(order="F"), np.ravel(a)


theme.add(reshape_order, *layouts(numbers(3, 4)))


def reshape_by_sizes(a):
    n = a.shape[0]
    return a.reshape(n // 2, 2).sum(axis=1), a.reshape(2, n // 2).T


theme.add(reshape_by_sizes, (numbers(6),), (numbers(10),), (numbers(5),))


def transposes(t):
    return t.T, t.transpose(), np.transpose(t), np.swapaxes(t, 0, -1), t.T + 1, np.moveaxis(t, 0, -1)


theme.add(transposes, *layouts(numbers(2, 3)), *layouts(numbers(2, 3, 4)))


def transposes_by_axes(t):
    return t.transpose(1, 0, 2), t.transpose((2, 0, 1)) * 2, np.transpose(t, (0, 2, 1)).copy()


theme.add(transposes_by_axes, (numbers(2, 3, 4),), (fortran(numbers(2, 3, 4)),))


def expands(a):
    return np.expand_dims(a, 0), np.expand_dims(a, -1), np.atleast_2d(a), np.expand_dims(a, (0, 2))


theme.add(expands, (numbers(3),), (strided(numbers(3)),))


def squeezes(a):
    return a.squeeze(), np.squeeze(a, axis=0), a.squeeze() * 2


theme.add(squeezes, (numbers(1, 3, 1),), (numbers(1, 1),), (numbers(2, 3),))


def broadcasts(a):
    b = np.broadcast_to(a, (2, 3, 4))
    return b, b + 1, np.broadcast_to(1.5, (2, 2)), np.broadcast_to(a, (2, 3, 4)).sum(axis=0)


theme.add(broadcasts, (numbers(4),), (numbers(3, 1),), (numbers(2, 1, 1),))


def broadcast_wrong(a):
    return np.broadcast_to(a, (2, 3))


theme.add(broadcast_wrong, (numbers(2),), (numbers(3),))


def stretched_axes(a, b):
    n, m = b.shape
    wide = np.broadcast_to(a[:, :1], (n, m))
    deep = np.broadcast_to(a[:, None, :1], (n, 4, m))
    results = np.exp(wide), wide * b, b - wide[::-1], np.where(wide > b, wide, b), deep[1:] + 1.0
    totals = wide.sum(), wide.sum(axis=0), deep.max(axis=1), np.cumsum(wide, axis=0), wide.mean(axis=1)
    copies = wide.copy(), np.sort(deep, axis=1), wide.astype(np.float32), wide.T + 1, wide.reshape(-1) * 2
    return results, totals, copies, wide, np.broadcast_to(a[:1, :1], (n, m)) @ b.T


theme.add(
    stretched_axes,
    (numbers(3, 4), numbers(3, 5)),
    (numbers(3, 4), fortran(numbers(3, 5))),
    (fortran(numbers(3, 4)), numbers(3, 5)),
    (numbers(3, 1), numbers(3, 1)),
    (numbers(1, 2), numbers(1, 3)),
    (numbers(2, 2, dtype=np.float32), numbers(2, 1)),
)


def stretched_too_far(a):
    return np.broadcast_to(a[:, :2], (3, 4))


theme.add(stretched_too_far, (numbers(3, 4),))


def broadcasting(a, b):
    return a + b, a * b - a, np.maximum(a, b), a < b


theme.add(
    broadcasting,
    (numbers(3, 4), numbers(4)),
    (numbers(3, 1), numbers(1, 4)),
    (numbers(3, 4), numbers(3, 1)),
    (numbers(2, 3, 4), numbers(3, 4)),
    (numbers(0, 4), numbers(1, 4)),
    (numbers(1), numbers(0)),
    (numbers(3, 4), numbers(3)),
    (np.array(2.0), numbers(3)),
)


def broadcast_then_matches(a, b):
    c = a + b
    return c * a, c - b, c.shape


theme.add(
    broadcast_then_matches, (numbers(3), numbers(1)), (numbers(1), numbers(3)), (numbers(3), numbers(3))
)


def concatenates(a, b):
    return np.concatenate((a, b)), np.concatenate([a, a + 1, b]), np.hstack((a, b)), np.append(a, b)


theme.add(concatenates, (numbers(3), numbers(2)), (numbers(0), ints(1, 2)), (numbers(3)[::-1], numbers(2)))


def concatenates_matrices(a, b):
    return (
        np.concatenate((a, b), axis=1),
        np.concatenate((a, b)),
        np.vstack((a, b)),
        np.concatenate((a, b), axis=-1),
    )


theme.add(
    concatenates_matrices, (numbers(2, 3), numbers(2, 3, seed=1)), (numbers(2, 3), fortran(numbers(3, 3)))
)


def stacks(a, b):
    return (
        np.stack((a, b)),
        np.stack([a, b], axis=1),
        np.stack((a, b, a * b), axis=-1),
        np.column_stack((a, b)),
    )


theme.add(stacks, (numbers(3), numbers(3, seed=1)), (numbers(3), ints(1, 2, 3)), (numbers(3), numbers(2)))


def splits(a):
    left, right = np.split(a, 2)
    return left, right, np.array_split(a, 3)


theme.add(splits, (numbers(6),), (numbers(5),))


def split_and_used(m):
    left, right = np.split(m, 2, axis=1)
    top, *rest = np.vsplit(m, [1, 2])
    left += 1
    return left * right, top + np.hsplit(m, 3)[-1], rest, np.split(m, (1, 5))[1] * 2


theme.add(
    split_and_used,
    *layouts(numbers(3, 6)),
    (numbers(1, 6),),
    (numbers(3, 5),),
    (numbers(4, 0),),
    (numbers(6),),
)


def split_lists(m, k):
    parts = np.array_split(m, 3)
    parts.append(m[0])
    return len(parts), parts, [part.sum() for part in np.split(m, [k, -1])], np.dsplit(m[None], 2)


theme.add(split_lists, (numbers(6, 4), 2), (numbers(7, 4), 9), (numbers(3, 2), -2), (numbers(3, 3), 1))


def wheres(a, b):
    return (
        np.where(a > 0, a, b),
        np.where(a > 0, 1, 0),
        np.where(a > b, a, -1.5),
        np.where(a > 0, 1.0, np.nan),
    )


theme.add(
    wheres,
    (numbers(5), numbers(5, seed=1)),
    (numbers(3, 4), numbers(4)),
    (ints(1, -1), floats(2, 3)),
    (1.5, 2),
)


def where_one_argument(a):
    return np.where(a > 0), np.where(a > 0)[0]


theme.add(where_one_argument, (numbers(5),), (numbers(2, 3),))


def where_dtypes(m, f32, i8):
    return np.where(m, f32, 1), np.where(m, i8, 2.5), np.where(m, f32, i8), np.where(m, i8, 300)


theme.add(where_dtypes, (numbers(4, dtype=bool), numbers(4, dtype=np.float32), numbers(4, dtype=np.int8)))


def clips(a):
    return np.clip(a, -1, 1), a.clip(0, None), np.clip(a, None, 0.5), np.clip(a, a.min(), 0), a.clip(max=0)


theme.add(clips, (numbers(5),), (numbers(2, 3),), (ints(-5, 5),), (np.array([np.nan, 2.0]),))


def clips_out(a):
    np.clip(a, 0, 1, out=a)
    return a


theme.add(clips_out, (numbers(5),))


def selects(a):
    return np.select([a < -1, a < 1], [a * 2, a - 1], default=9), np.piecewise(a, [a < 0, a >= 0], [-1, 1])


theme.add(selects, (numbers(6),))


def rolls(a):
    return np.roll(a, 1), np.roll(a, -2), np.flip(a), a[::-1].copy(), np.roll(a, 100)


theme.add(rolls, *layouts(numbers(5)), (numbers(0),))


def rolls_axes(m):
    return (
        np.roll(m, 1, axis=0),
        np.roll(m, (1, -1), axis=(0, 1)),
        np.flip(m, axis=1),
        np.fliplr(m),
        np.roll(m, 2),
    )


theme.add(rolls_axes, *layouts(numbers(3, 4)))


def repeats(a):
    return np.repeat(a, 2), np.tile(a, 2), np.repeat(a, 2, axis=0), np.pad(a, 1)


theme.add(repeats, (numbers(3),), (numbers(2, 2),))


def triangles(m):
    return np.triu(m), np.tril(m, -1), np.rot90(m)


theme.add(triangles, (numbers(3, 3),))
