"""Typical numerical kernels over grids, matrices and images."""

import numpy as np

from .corpus import Theme, floats, fortran, layouts, numbers

theme = Theme(__name__)


def relax(u, f, tol, max_iter):
    for it in range(max_iter):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - f[1:-1, 1:-1])
        err = np.abs(new - u).max()
        u = new
        if err < tol:
            break
    return u, it


theme.add(
    relax,
    (numbers(8, 9), numbers(8, 9, seed=1), 0.02, 50),
    (fortran(numbers(8, 9)), numbers(8, 9, seed=1), 1e-3, 3),
    (numbers(2, 2), numbers(2, 2), 1e-3, 3),
    (numbers(8, 9), numbers(8, 9, seed=1), 0.02, 0),
    compiled=True,
)


def mandelbrot(n, limit):
    counts = np.zeros((n, n), np.int64)
    for i in range(n):
        for j in range(n):
            cx = -2.0 + 3.0 * j / n
            cy = -1.5 + 3.0 * i / n
            x = y = 0.0
            k = 0
            while k < limit:
                xx = x * x
                yy = y * y
                if xx + yy > 4.0:
                    break
                y = 2.0 * x * y + cy
                x = xx - yy + cx
                k += 1
            counts[i, j] = k
    return counts


theme.add(mandelbrot, (12, 30), (0, 5), compiled=True)


def mandelbrot_arrays(c, limit):
    z = np.zeros_like(c)
    count = np.zeros(c.shape, int)
    for _ in range(limit):
        inside = np.abs(z) <= 2
        z = np.where(inside, z * z + c, z)
        count += inside
    return count


theme.add(mandelbrot_arrays, (numbers(4, 5, dtype=complex), 10), compiled=True)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


theme.add(
    softmax, *layouts(numbers(4, 7)), (numbers(1, 1),), (np.array([[0.0, np.inf]]),), ulp=16, compiled=True
)


def log_sum_exp(x):
    m = x.max()
    return m + np.log(np.exp(x - m).sum())


theme.add(log_sum_exp, (numbers(9),), (floats(1000, 1000),), ulp=16)


def k_means_step(points, centres):
    k = len(centres)
    labels = np.zeros(len(points), np.int64)
    for i in range(len(points)):
        best = np.inf
        for c in range(k):
            d = ((points[i] - centres[c]) ** 2).sum()
            if d < best:
                best = d
                labels[i] = c
    new = np.zeros_like(centres)
    for c in range(k):
        mine = labels == c
        if mine.any():
            new[c] = points[mine].mean(axis=0)
    return new, labels


theme.add(k_means_step, (numbers(20, 2), numbers(3, 2, seed=5)), compiled=True)


def distances(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=-1))


theme.add(distances, (numbers(4, 3), numbers(5, 3, seed=1)), (numbers(1, 3), numbers(0, 3)), compiled=True)


def floyd_warshall(d):
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


theme.add(floyd_warshall, (np.abs(numbers(6, 6)),), (fortran(np.abs(numbers(5, 5))),), compiled=True)


def floyd_warshall_rows(d):
    for k in range(d.shape[0]):
        d = np.minimum(d, d[:, k : k + 1] + d[k])
    return d


theme.add(floyd_warshall_rows, (np.abs(numbers(6, 6)),), compiled=True)


def lu(a):
    n = a.shape[0]
    a = a.copy()
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return np.tril(a, -1) + np.eye(n), np.triu(a)


theme.add(lu, (numbers(5, 5) + 5 * np.eye(5),), (np.zeros((2, 2)),), compiled=True)


def cholesky(a):
    n = len(a)
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(j):
                s += low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(a[i, i] - s)
            else:
                low[i, j] = (a[i, j] - s) / low[j, j]
    return low


theme.add(cholesky, (np.eye(4) * 5 + 1,), (np.array([[4.0]]),), compiled=True)


def gauss_solve(a, b):
    n = len(b)
    for k in range(n):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.sum(a[i, i + 1 :] * x[i + 1 :])) / a[i, i]
    return x


theme.add(gauss_solve, (numbers(5, 5), numbers(5, seed=1)))


def tridiagonal_solve(a, b, c, d):
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.zeros(n)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


theme.add(tridiagonal_solve, (numbers(6), numbers(6) + 5, numbers(6), numbers(6)), compiled=True)


def gram_schmidt(a):
    q = a.copy()
    for j in range(a.shape[1]):
        for k in range(j):
            q[:, j] -= (q[:, k] * a[:, j]).sum() * q[:, k]
        q[:, j] /= np.sqrt((q[:, j] ** 2).sum())
    return q


theme.add(gram_schmidt, (numbers(4, 3),), (fortran(numbers(4, 3)),), compiled=True)


def power_iteration(a, v, n):
    for _ in range(n):
        w = a @ v
        v = w / np.sqrt((w * w).sum())
    return v, v @ (a @ v)


theme.add(power_iteration, (numbers(4, 4), np.ones(4), 5), ulp=256, atol=1e-12)


def jacobi(a, b, n):
    x = np.zeros_like(b)
    d = np.diag(a)
    for _ in range(n):
        x = (b - (a * x).sum(axis=1) + d * x) / d
    return x


theme.add(jacobi, (numbers(4, 4) + 9 * np.eye(4), numbers(4), 10))


def conjugate_gradient(a, b, n):
    x = np.zeros_like(b)
    r = b - (a * x).sum(axis=1)
    p = r.copy()
    rr = (r * r).sum()
    for k in range(n):
        ap = (a * p).sum(axis=1)
        alpha = rr / (p * ap).sum()
        x += alpha * p
        r -= alpha * ap
        new = (r * r).sum()
        if new < 1e-20:
            break
        p = r + new / rr * p
        rr = new
    return x, k


theme.add(conjugate_gradient, (np.eye(5) * 4 + 1, numbers(5), 10), compiled=True)


def sized_on_the_way(x, k):
    y = x * 2.0 + 1.0
    first = np.exp(y[:k])
    rest = np.sqrt(np.abs(y[2 * k :])) + 1.0
    return first, rest, first.sum() + rest.sum()


theme.add(
    sized_on_the_way,
    (numbers(9), 3),
    (numbers(9), -2),
    (numbers(9), 40),
    (numbers(0), 1),
    ulp=4,
    atol=1e-14,
    compiled=True,
)
