"""Typical scalar and one-dimensional algorithms."""

import math

import numpy as np

from .corpus import Theme, floats, ints, numbers

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
