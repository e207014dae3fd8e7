"""Typical one-dimensional algorithms: smoothing, sorting, searching, series."""

import numpy as np

from .corpus import Theme, floats, ints, layouts, numbers

theme = Theme(__name__)


def exponential_smoothing(a, alpha):
    out = a.copy()
    for i in range(1, len(a)):
        out[i] = alpha * a[i] + (1 - alpha) * out[i - 1]
    return out


theme.add(
    exponential_smoothing, *((a, 0.3) for (a,) in layouts(numbers(6))), (ints(1, 5, 9), 0.5), compiled=True
)


def histogram(a, bins, low, high):
    counts = np.zeros(bins, np.int64)
    for x in a:
        k = int((x - low) / (high - low) * bins)
        if 0 <= k < bins:
            counts[k] += 1
    return counts


theme.add(
    histogram, (numbers(30), 5, -2.0, 2.0), (numbers(0), 5, 0, 1), (floats(np.nan), 2, 0, 1), compiled=True
)


def running_max(a):
    out = np.empty_like(a)
    best = -np.inf
    for i in range(len(a)):
        if a[i] > best:
            best = a[i]
        out[i] = best
    return out


theme.add(running_max, *layouts(numbers(8)), (floats(np.nan, 1, np.nan),), compiled=True)


def cumulative_products(a):
    p = 1.0
    for i in range(a.shape[0]):
        p *= a[i]
        a[i] = p
    return p


theme.add(cumulative_products, (numbers(6),), (numbers(0),))


def bubble_sort(a):
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return i


theme.add(bubble_sort, *layouts(numbers(7)), (ints(3, 1, 2),), ([3, 1, 2],), compiled=True)


def insertion_sort(a):
    for i in range(1, len(a)):
        x = a[i]
        j = i - 1
        while j >= 0 and a[j] > x:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = x


theme.add(insertion_sort, (numbers(7),), (ints(3, 1, 2),), (numbers(0),), compiled=True)


def quick_sort(a, low, high):
    if low >= high:
        return
    p = a[high]
    i = low
    for j in range(low, high):
        if a[j] < p:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[high] = a[high], a[i]
    quick_sort(a, low, i - 1)
    quick_sort(a, i + 1, high)


theme.add(quick_sort, (numbers(9), 0, 8), (ints(3, 1, 2), 0, 2))


def merge(a, b):
    out = np.empty(len(a) + len(b))
    i = j = k = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
        k += 1
    out[k : k + len(a) - i] = a[i:]
    out[k + len(a) - i :] = b[j:]
    return out


theme.add(merge, (floats(1, 3, 5), floats(2, 4)), (floats(), floats(1)), (floats(1), floats()), compiled=True)


def binary_search(a, x):
    low, high = 0, len(a) - 1
    while low <= high:
        mid = (low + high) // 2
        if a[mid] == x:
            return mid
        if a[mid] < x:
            low = mid + 1
        else:
            high = mid - 1
    return -1


theme.add(binary_search, (ints(1, 3, 5, 7), 5), (ints(1, 3, 5, 7), 4), (ints(), 1), compiled=True)


def fft_radix_2(x):
    n = len(x)
    a = np.array(x, dtype=np.complex128)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            a[i], a[j] = a[j], a[i]
    size = 2
    while size <= n:
        step = np.exp(-2j * np.pi / size)
        for start in range(0, n, size):
            w = 1 + 0j
            for k in range(size // 2):
                u = a[start + k]
                t = w * a[start + k + size // 2]
                a[start + k] = u + t
                a[start + k + size // 2] = u - t
                w *= step
        size *= 2
    return a


theme.add(fft_radix_2, (numbers(8),), (numbers(1),), ulp=64, atol=1e-14)


def recursive_fft(x):
    n = len(x)
    if n == 1:
        return x + 0j
    even = recursive_fft(x[::2])
    odd = recursive_fft(x[1::2])
    t = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate((even + t, even - t))


theme.add(recursive_fft, (numbers(8),), ulp=64, atol=1e-14)


def random_walk(steps):
    position = 0.0
    farthest = 0.0
    path = np.zeros(len(steps) + 1)
    for i, s in enumerate(steps):
        position += s
        path[i + 1] = position
        farthest = max(farthest, abs(position))
    return path, farthest


theme.add(random_walk, (numbers(10),), (numbers(0),))


def dot_loop(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


theme.add(dot_loop, (numbers(6), numbers(6, seed=1)), (numbers(6)[::-1], numbers(12)[::2]), compiled=True)


def count_inversions(a):
    c = 0
    for i in range(len(a)):
        for j in range(i):
            c += a[j] > a[i]
    return c


theme.add(count_inversions, (numbers(7),), (numbers(1),), (numbers(0),))


def maximum_subarray(a):
    best = here = a[0]
    start = end = first = 0
    for i in range(1, len(a)):
        if here < 0:
            here = a[i]
            first = i
        else:
            here += a[i]
        if here > best:
            best, start, end = here, first, i
    return best, start, end


theme.add(maximum_subarray, (ints(-2, 1, -3, 4, -1, 2, 1, -5),), (numbers(6),), compiled=True)


def pascal(n):
    rows = []
    for i in range(n):
        row = [1]
        for j in range(1, i):
            row.append(rows[i - 1][j - 1] + rows[i - 1][j])
        if i:
            row.append(1)
        rows.append(row)
    return rows


theme.add(pascal, (5,), (0,))


def fibonacci_array(n):
    f = np.zeros(n, np.int64)
    f[0] = f[1] = 1
    for i in range(2, n):
        f[i] = f[i - 1] + f[i - 2]
    return f


theme.add(fibonacci_array, (10,), (1,), (100,), compiled=True)


def pi_by_series(n):
    s = 0.0
    sign = 1
    for k in range(n):
        s += sign / (2 * k + 1)
        sign = -sign
    return 4 * s


theme.add(pi_by_series, (100,), (0,), compiled=True)


def monte_carlo_pi(x, y):
    inside = 0
    for a, b in zip(x, y):
        if a * a + b * b <= 1:
            inside += 1
    return 4 * inside / len(x)


theme.add(monte_carlo_pi, (numbers(50), numbers(50, seed=1)), (numbers(0), numbers(0)), compiled=True)


def polynomial_product(p, q):
    out = np.zeros(len(p) + len(q) - 1)
    for i, a in enumerate(p):
        out[i : i + len(q)] += a * q
    return out


theme.add(polynomial_product, (numbers(3), numbers(4)), (numbers(1), numbers(1)), compiled=True)


def run_lengths(a):
    values, lengths = [], []
    i = 0
    while i < len(a):
        j = i
        while j < len(a) and a[j] == a[i]:
            j += 1
        values.append(a[i])
        lengths.append(j - i)
        i = j
    return values, lengths


theme.add(run_lengths, (ints(1, 1, 2, 3, 3, 3),), (ints(),), ([1, 1, 2],))


def interpolate(x, xs, ys):
    out = np.zeros_like(x)
    for i in range(len(x)):
        k = 0
        while k < len(xs) - 2 and xs[k + 1] < x[i]:
            k += 1
        t = (x[i] - xs[k]) / (xs[k + 1] - xs[k])
        out[i] = (1 - t) * ys[k] + t * ys[k + 1]
    return out


theme.add(interpolate, (floats(0.5, 1.5, 2.5), floats(0, 1, 2, 3), floats(0, 1, 4, 9)), compiled=True)


def haversine(lat1, lon1, lat2, lon2):
    a = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 6371 * 2 * np.arcsin(np.sqrt(a))


theme.add(
    haversine,
    (numbers(4), numbers(4), numbers(4, seed=1), numbers(4, seed=2)),
    (0.1, 0.2, 0.3, 0.4),
    ulp=64,
    atol=1e-9,
)


def black_scholes(s, k, t, r, v):
    d1 = (np.log(s / k) + (r + v * v / 2) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    n1 = 0.5 * (1 + np.tanh(0.8 * d1))
    n2 = 0.5 * (1 + np.tanh(0.8 * d2))
    return s * n1 - k * np.exp(-r * t) * n2


theme.add(black_scholes, (np.abs(numbers(5)) + 1, 1.5, 0.5, 0.02, 0.3), ulp=128, atol=1e-12, compiled=True)


def monotone_in_place(a):
    changed = True
    rounds = 0
    while changed:
        changed = False
        for i in range(1, len(a)):
            if a[i] < a[i - 1]:
                a[i] = a[i - 1]
                changed = True
        rounds += 1
    return rounds


theme.add(monotone_in_place, (numbers(6),), (numbers(1),), compiled=True)
