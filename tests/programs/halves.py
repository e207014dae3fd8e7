"""Parts of arrays whose ends are quotients of sizes: halves, thirds, every other one."""

import numpy as np

from .corpus import Theme, floats, layouts, numbers

theme = Theme(__name__)

LENGTHS = tuple((numbers(n),) for n in (8, 7, 2, 1, 0))


def folded(a):
    half = len(a) // 2
    return a[:half] * 2 + a[half : 2 * half] ** 2


theme.add(folded, *LENGTHS, *layouts(numbers(6)))


def second_half(a):
    half = a.shape[0] // 2
    return a[half:] * 2 + 1, a[-half:] * 3 - 1, half, -half


theme.add(second_half, *LENGTHS)


def middle(a):
    quarter = len(a) // 4
    part = a[quarter : len(a) - quarter]
    part[...] = part * 2 + 1
    return part.sum(), part[quarter // 2], a


theme.add(middle, *LENGTHS, (numbers(11),))


def quotient_beyond_the_end(a):
    k = (len(a) + 7) // 2
    return a[:k] * 2 + 1, a[k:] * 2 + 1, a[: (len(a) - 5) // 2] * 2 + 1, a[(len(a) - 5) // 2 :] * 2 + 1


theme.add(quotient_beyond_the_end, *LENGTHS, (numbers(12),))


def pairs_of_halves(m):
    rows, columns = m.shape[0] // 2, m.shape[1] // 3
    corner = m[:rows, :columns] + m[rows : 2 * rows, columns : 2 * columns]
    corner += m[:rows, -columns:] if columns else 0
    return corner.T * 2, corner.shape, rows * columns, rows / 2, rows // -2, rows % 3


theme.add(
    pairs_of_halves, (numbers(4, 6),), (numbers(5, 7),), (numbers(1, 9),), (numbers(6, 2),), (numbers(0, 0),)
)


def butterfly(a):
    n = len(a)
    out = a.copy()
    for k in range(n // 2):
        out[k] = a[k] + a[k + n // 2]
        out[k + n // 2] = a[k] - a[k + n // 2]
    return out, out[n // 2]


theme.add(butterfly, *LENGTHS)


def interleaved(a):
    half = (len(a) + 1) // 2
    out = np.empty_like(a)
    out[::2] = a[:half]
    out[1::2] = a[half:]
    return out * 2 + a


theme.add(interleaved, *LENGTHS)


def median_of_sorted(a):
    n = len(a)
    return (a[n // 2] + a[(n - 1) // 2]) / 2, a[n // 2 - 1]


theme.add(median_of_sorted, *LENGTHS, (floats(1, 2, 3),))


def divided_by_nothing(a, k):
    return len(a) // k, len(a) // 0.0


theme.add(divided_by_nothing, (numbers(3), 0), (numbers(3), 2))


def halved_twice(a):
    n = len(a)
    while n > 1:
        n = n // 2
        a[:n] = a[:n] + a[n : 2 * n]
    return a[0], n


theme.add(halved_twice, (numbers(8),), (numbers(7),), (numbers(1),), (numbers(0),))
