"""Slices whose ends are sizes of other arrays, in every order of the sizes."""

import numpy as np

from .corpus import Theme, floats, numbers

theme = Theme(__name__)


def cell(z, c):
    n = c.shape[1]
    i, f, o = (part / (1 + part * part) for part in (z[:, :n], z[:, n : 2 * n], z[:, 3 * n :]))
    c = f * c + i * z[:, 2 * n : 3 * n]
    return o * c, c


theme.add(
    cell,
    (numbers(3, 8), numbers(3, 2)),
    (numbers(2, 12), numbers(2, 3)),
    (numbers(2, 4), numbers(2, 1)),
    (numbers(3, 7), numbers(3, 2)),
    (numbers(3, 9), numbers(3, 2)),
    (numbers(2, 0), numbers(2, 0)),
)


def cut_to(a, b, c):
    part = a[: len(b)]
    part[...] = part * 2
    return part * c + 1, a[len(b) :] - 1, a


theme.add(
    cut_to,
    (numbers(5), numbers(3), numbers(3)),
    (numbers(9), numbers(4), numbers(4)),
    (numbers(3), numbers(5), numbers(3)),
    (numbers(4), numbers(4), numbers(4)),
    (numbers(2), numbers(3), numbers(3)),
    (numbers(3), numbers(0), numbers(0)),
)


def blocks(a, b):
    n = len(b)
    total = np.zeros(n)
    for k in range(3):
        total += a[k * n : (k + 1) * n] * b
    return total + a[2 * n : 3 * n]


theme.add(
    blocks,
    (numbers(6), numbers(2)),
    (numbers(13), numbers(4)),
    (numbers(5), numbers(2)),
    (floats(1), floats(2)),
)


def shifted_by_a_kernel(a, w):
    n = len(a) - len(w) + 1
    out = np.zeros(n)
    for k in range(len(w)):
        out += a[k : k + n] * w[k]
    return out


theme.add(shifted_by_a_kernel, (numbers(9), numbers(3)), (numbers(4), numbers(4)), (numbers(6), numbers(1)))


def sum_of_ends(a, b):
    n = len(b)
    return a[:n] + a[len(a) - n :], a[-n:] * b if n else b


theme.add(
    sum_of_ends,
    (numbers(7), numbers(2)),
    (numbers(3), numbers(3)),
    (numbers(2), numbers(3)),
    (numbers(4), numbers(0)),
)


def common_part(a, b):
    n = min(len(a), len(b))
    return a[:n] * b[:n] + 1, a[n:] * 2 - 1, n, type(n)


theme.add(
    common_part,
    (numbers(4), numbers(6)),
    (numbers(7), numbers(3)),
    (numbers(5), numbers(5)),
    (numbers(0), numbers(2)),
    (numbers(1), numbers(2)),
)


def padded(a, b):
    out = np.zeros(max(len(a), len(b)))
    out[: len(a)] += a * 2
    out[-len(b) :] += b * 3
    return out


theme.add(
    padded,
    (numbers(4), numbers(6)),
    (numbers(7), numbers(3)),
    (numbers(5), numbers(5)),
    (numbers(2), numbers(0)),
)


def at_most_ten(a, b):
    n = min(10, len(a), 2 * len(b) + 1)
    picked = max(len(a), np.int64(3)), min(len(b), True), max(1.0, len(a)), min(len(a), len(b)) // 2
    return a[:n].sum() + b[: max(n - 2, 0)].sum(), picked, [type(value) for value in picked]


theme.add(
    at_most_ten,
    (numbers(12), numbers(6)),
    (numbers(7), numbers(2)),
    (numbers(2), numbers(5)),
    (numbers(3), numbers(0)),
)


def iterations_of_the_shorter(a, b):
    total = 0.0
    for k in range(min(a.shape[0], b.shape[1])):
        total += a[k] * b[0, k]
    return total, a[min(a.shape) - 1], b[min(b.shape) - 1, max(b.shape) - 1]


theme.add(
    iterations_of_the_shorter,
    (numbers(4), numbers(2, 6)),
    (numbers(7), numbers(3, 3)),
    (numbers(2), numbers(5, 4)),
    (numbers(2), numbers(0, 4)),
)
