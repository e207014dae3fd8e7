"""Typical kernels: cellular automata, images, particles, learning."""

import numpy as np

from .corpus import Theme, ints, layouts, numbers

theme = Theme(__name__)


def game_of_life(board, n):
    for _ in range(n):
        around = np.zeros(board.shape, int)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if i or j:
                    around += np.roll(np.roll(board, i, 0), j, 1)
        board = ((around == 3) | ((board == 1) & (around == 2))).astype(board.dtype)
    return board


theme.add(game_of_life, (numbers(6, 6, dtype=bool).astype(np.uint8), 3))


def game_of_life_loops(board):
    n, m = board.shape
    out = np.zeros_like(board)
    for i in range(n):
        for j in range(m):
            c = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di != 0 or dj != 0:
                        c += board[(i + di) % n, (j + dj) % m]
            if c == 3 or (board[i, j] and c == 2):
                out[i, j] = 1
    return out


theme.add(game_of_life_loops, (numbers(6, 6, dtype=bool).astype(np.int64),), compiled=True)


def convolution(image, kernel):
    n, m = image.shape
    p, q = kernel.shape
    out = np.zeros((n - p + 1, m - q + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (image[i : i + p, j : j + q] * kernel).sum()
    return out


theme.add(convolution, (numbers(6, 7), numbers(3, 2)), (numbers(2, 2), numbers(2, 2)), compiled=True)


def blur(image):
    out = image.copy()
    out[1:-1] = (image[:-2] + 2 * image[1:-1] + image[2:]) / 4
    out[:, 1:-1] = (out[:, :-2] + 2 * out[:, 1:-1] + out[:, 2:]) / 4
    return out


theme.add(blur, *layouts(numbers(5, 6)), (numbers(5, 6, dtype=np.float32),), compiled=True)


def diffusion(u, k, dt, steps):
    for _ in range(steps):
        lap = np.zeros_like(u)
        lap[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        u += dt * k * lap
        u[0], u[-1] = u[1], u[-2]
        u[:, 0], u[:, -1] = u[:, 1], u[:, -2]


theme.add(diffusion, (numbers(6, 6), 1.0, 0.1, 4), (numbers(6, 6), 1.0, 0.1, 0), compiled=True)


def grey_scott(u, v, steps):
    for _ in range(steps):
        uvv = u * v * v
        u += 0.1 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) - 2 * u) - uvv + 0.04 * (1 - u)
        v += 0.05 * (np.roll(v, 1, 1) + np.roll(v, -1, 1) - 2 * v) + uvv - 0.1 * v
    return u.sum(), v.max()


theme.add(grey_scott, (np.abs(numbers(5, 5)), np.abs(numbers(5, 5, seed=1)) / 4, 3))


def n_body_step(x, v, m, dt):
    n = len(x)
    a = np.zeros_like(x)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            d = x[j] - x[i]
            r2 = (d * d).sum() + 1e-3
            a[i] += m[j] * d / (r2 * np.sqrt(r2))
    v += a * dt
    x += v * dt
    return 0.5 * (m * (v * v).sum(axis=1)).sum()


theme.add(n_body_step, (numbers(4, 3), numbers(4, 3, seed=1), np.abs(numbers(4)), 0.01), compiled=True)


def matrix_power(a, n):
    result = np.eye(len(a))
    while n > 0:
        if n & 1:
            result = result @ a
        a = a @ a
        n >>= 1
    return result


theme.add(matrix_power, (numbers(3, 3), 5), (numbers(3, 3), 0), ulp=256, atol=1e-12)


def matmul_loops(a, b):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            s = 0.0
            for p in range(k):
                s += a[i, p] * b[p, j]
            c[i, j] = s
    return c


theme.add(
    matmul_loops,
    (numbers(3, 4), numbers(4, 5)),
    (numbers(3, 4), numbers(3, 5)),
    (numbers(0, 4), numbers(4, 5)),
)


def connected_components(grid):
    n, m = grid.shape
    labels = np.zeros((n, m), np.int64)
    current = 0
    for i in range(n):
        for j in range(m):
            if grid[i, j] and labels[i, j] == 0:
                current += 1
                stack = [(i, j)]
                while stack:
                    a, b = stack.pop()
                    if 0 <= a < n and 0 <= b < m and grid[a, b] and labels[a, b] == 0:
                        labels[a, b] = current
                        stack.extend([(a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)])
    return labels, current


theme.add(connected_components, (numbers(6, 6, dtype=bool),))


def integral_image(a):
    out = np.zeros((a.shape[0] + 1, a.shape[1] + 1))
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j]
            out[i + 1, j + 1] = out[i, j + 1] + row
    return out


theme.add(integral_image, *layouts(numbers(4, 5)), (np.arange(6).reshape(2, 3),), compiled=True)


def logistic_step(x, y, w, rate):
    p = 1 / (1 + np.exp(-(x * w).sum(axis=1)))
    grad = ((p - y)[:, None] * x).mean(axis=0)
    w -= rate * grad
    return p


theme.add(
    logistic_step, (numbers(6, 3), ints(0, 1, 1, 0, 1, 0), numbers(3), 0.1), ulp=64, atol=1e-14, compiled=True
)


def standardise(x):
    m = x.mean(axis=0)
    s = x.std(axis=0)
    s[s == 0] = 1
    return (x - m) / s


theme.add(standardise, (numbers(6, 3),), (np.ones((4, 2)),), ulp=4)
