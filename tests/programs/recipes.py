"""Typical scalar and one-dimensional algorithms."""

import math

import numpy as np

from .corpus import Theme, floats, ints, layouts, numbers

theme = Theme(__name__)


def edit_distance(a, b):
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), np.int64)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


theme.add(edit_distance, (ints(1, 2, 3, 4), ints(2, 3, 5)), ("kitten", "sitting"), (ints(), ints(1)))


def longest_common_subsequence(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j])
    return table[-1, -1]


theme.add(longest_common_subsequence, (ints(1, 2, 3, 4, 1), ints(3, 4, 1, 2)), compiled=True)


def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1)
    for i in range(len(weights)):
        for c in range(capacity, weights[i] - 1, -1):
            best[c] = max(best[c], best[c - weights[i]] + values[i])
    return best


theme.add(knapsack, (ints(1, 3, 4), floats(15, 20, 30), 6), (ints(), floats(), 2), compiled=True)


def sieve(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if prime[i]:
            prime[i * i :: i] = False
    return np.nonzero(prime)[0]


theme.add(sieve, (50,), (2,), (1,))


def sieve_loops(n):
    prime = np.ones(n + 1, np.uint8)
    count = 0
    for i in range(2, n + 1):
        if prime[i]:
            count += 1
            j = i * i
            while j <= n:
                prime[j] = 0
                j += i
    return count


theme.add(sieve_loops, (100,), (1,), compiled=True)


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


theme.add(collatz, (27,), (1,), (2**70,))


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


theme.add(gcd, (48, 18), (17, 5), (0, 5), (-12, 8), (2**80, 2**70))


def digits(n):
    s = 0
    while n > 0:
        n, d = divmod(n, 10)
        s += d
    return s


theme.add(digits, (98765,), (0,))


def is_prime(n):
    if n < 2:
        return False
    k = 2
    while k * k <= n:
        if n % k == 0:
            return False
        k += 1
    return True


theme.add(is_prime, (97,), (91,), (1,), compiled=True)


def horner(coefficients, x):
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y


theme.add(horner, (numbers(5), 1.5), ([1, 2, 3], 2), (numbers(5), numbers(3)), ((), 1.0))


def newton_root(x):
    y = x
    for _ in range(50):
        new = 0.5 * (y + x / y)
        if abs(new - y) < 1e-12:
            break
        y = new
    return new


theme.add(newton_root, (2.0,), (9,), (0.0,), compiled=True)


def bisection(low, high, n):
    def f(x):
        return x * x * x - x - 2

    for _ in range(n):
        mid = (low + high) / 2
        if f(low) * f(mid) <= 0:
            high = mid
        else:
            low = mid
    return mid


theme.add(bisection, (1, 2, 30), (1, 2, 0), compiled=True)


def secant(f, a, b):
    for _ in range(20):
        fa, fb = f(a), f(b)
        if fb == fa:
            break
        a, b = b, b - fb * (b - a) / (fb - fa)
    return b


theme.add(secant, (lambda x: x * x - 2, 1.0, 2.0))


def trapezoid(a, b, n):
    h = (b - a) / n
    s = 0.5 * (math.sin(a) + math.sin(b))
    for i in range(1, n):
        s += math.sin(a + i * h)
    return s * h


theme.add(trapezoid, (0.0, 3.0, 50), (0, 1, 1), (0, 1, 0), ulp=64, compiled=True)


def simpson(y, h):
    return h / 3 * (y[0] + y[-1] + 4 * y[1:-1:2].sum() + 2 * y[2:-1:2].sum())


theme.add(simpson, (numbers(9), 0.1), (numbers(18)[::2], 0.1), compiled=True)


def runge_kutta(y, h, n):
    def f(t, y):
        return -2 * y + t

    t = 0.0
    for _ in range(n):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y


theme.add(runge_kutta, (1.0, 0.1, 10), (numbers(3), 0.1, 10), (1, 0.1, 0), compiled=True)


def lorenz(state, dt, n):
    path = np.zeros((n, 3))
    x, y, z = state
    for i in range(n):
        dx = 10 * (y - x)
        dy = x * (28 - z) - y
        dz = x * y - 8 / 3 * z
        x, y, z = x + dx * dt, y + dy * dt, z + dz * dt
        path[i] = x, y, z
    return path


theme.add(lorenz, (floats(1, 1, 1), 0.01, 10), ((1.0, 1.0, 1.0), 0.01, 3))


def verlet(x, v, dt, n):
    a = -x
    for _ in range(n):
        x = x + v * dt + 0.5 * a * dt * dt
        new = -x
        v = v + 0.5 * (a + new) * dt
        a = new
    return x, v


theme.add(verlet, (1.0, 0.0, 0.1, 10), (numbers(3), numbers(3), 0.1, 10), (1, 0, 0.1, 0), compiled=True)


def moving_average(a, w):
    out = np.empty(len(a) - w + 1)
    s = a[:w].sum()
    out[0] = s / w
    for i in range(w, len(a)):
        s += a[i] - a[i - w]
        out[i - w + 1] = s / w
    return out


theme.add(moving_average, (numbers(10), 3), (numbers(3), 3), (numbers(2), 3), compiled=True)


def moving_average_by_sums(a, w):
    c = np.cumsum(np.concatenate((np.zeros(1), a)))
    return (c[w:] - c[:-w]) / w


theme.add(moving_average_by_sums, (numbers(10), 3), (numbers(2), 3))


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
