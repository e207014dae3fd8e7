"""Functions that are mapped over arrays in blocks: local ones, and ones that aren't, with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

RNG = np.random.default_rng(3)
X = RNG.random((60, 41))
Y = RNG.random((60, 41))
V = RNG.random(60)
CUBE = RNG.random((18, 14, 11))
PICTURE = (RNG.random((40, 30)) * 255).astype(np.uint8)
Z = X[:, 0] * 1.5 - 1.0 + 1j * X[:, 1]


def elementwise(u, v):
    return np.sqrt(u * u + v * v) - np.where(u > v, u, 2 * v)


def laplacian(u, c):
    out = np.zeros_like(u)
    out[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1] * c
    return out


def copied_borders(u):
    out = u.copy()
    out[1:-1] = 0.25 * (u[:-2] + 2 * u[1:-1] + u[2:])
    out[0] = out[1]
    out[-1] = 2 * out[-2] - u[-3]
    return out


def steps(u, count):
    u = u.copy()
    n = u.shape[0]
    for _ in range(count):
        u[1 : n - 1] = 0.5 * (u[2:] + u[:-2])
    return u


def two_buffers(u, count):
    u = u.copy()
    v = np.zeros_like(u)
    for _ in range(count):
        v[1:-1] = u[1:-1] * 0.5 + u[2:] * 0.25
        u, v = v, u
    return u


def differences(u):
    return np.diff(u, axis=0), u[3:] - u[:-3], np.diff(u[:, 0], n=2)


def padded(u):
    return np.pad(u, ((2, 3), (1, 0)))


def gradients(u):
    return np.gradient(u, axis=0)


def rolled(u, v, count):
    for _ in range(count):
        around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
        u, v = u + 0.1 * around - u * v * v, v + 0.05 * u * v * v
    return u, v


def rolled_indices(u):
    n = len(u)
    out = np.empty(n)
    for i in range(n):
        out[i] = u[(i + 1) % n] - u[(i - 1) % n]
    return out


def before_first(u):
    out = np.zeros(len(u))
    for i in range(len(u)):
        out[i] = u[i - 1] if u[i] > 0.5 else 0.0
    return out


def by_elements(u):
    n, m = u.shape
    out = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            s = 0.0
            if i > 0:
                s += u[i - 1, j]
            if j < m - 1:
                s -= u[i, j + 1]
            out[i, j] = s + u[i, j] * 2
    return out


def clamped_indices(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[max(i - 2, 0)] + u[min(i + 1, n - 1)] - 2 * u[i]
    return out


def neighbours(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        for d in range(-2, 3):
            if 0 <= i + d and i + d < n:
                out[i] += u[i + d]
    return out


def convolved(u, w):
    out = np.zeros(len(u) - len(w) + 1)
    for i in range(len(out)):
        for j in range(len(w)):
            out[i] += u[i + j] * w[j]
    return out


def medians(u):
    n, m = u.shape
    out = u.copy()
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            out[i, j] = np.sort(u[i - 1 : i + 2, j - 1 : j + 2].ravel())[4]
    return out


def medians_by_numpy(u):
    out = u.copy()
    out[1:-1] = np.median(np.stack([u[:-2], u[1:-1], u[2:]]), axis=0)
    return out


def sharpened(img, amount, r):
    acc = np.zeros_like(img)
    for dy in range(-r, r + 1):
        for dx in range(-r, r + 1):
            acc[r:-r, r:-r] += img[r + dy : img.shape[0] - r + dy, r + dx : img.shape[1] - r + dx]
    acc /= (2 * r + 1) ** 2
    return img + amount * (img - acc)


def mandelbrot(c, most):
    out = np.zeros(c.shape, dtype=np.int64)
    for i in range(c.shape[0]):
        z = 0j
        for _ in range(most):
            z = z * z + c[i]
            if z.real * z.real + z.imag * z.imag > 4.0:
                break
            out[i] += 1
    return out


def roots(u):
    x = np.ones_like(u)
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            v = 1.0
            while abs(v * v - u[i, j]) > 1e-9:
                v = 0.5 * (v + u[i, j] / v)
            x[i, j] = v
    return x


def by_rows(u):
    out = u.copy()
    for k, row in enumerate(u):
        out[k] = row * 2 - row[0]
    return out


def with_a_table(u, t):
    out = np.zeros(len(u))
    for i in range(len(u)):
        out[i] = t[i] + u[i, 0]
    return out


def cube(u):
    out = np.zeros_like(u)
    out[1:-1, 1:-1, 1:-1] = u[2:, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1] - u[1:-1, 1:-1, 2:]
    return out


def edges(img):
    a = img.astype(np.int32)
    gx = a[1:-1, 2:] - a[1:-1, :-2]
    gy = a[2:, 1:-1] - a[:-2, 1:-1]
    return np.minimum(np.abs(gx) + np.abs(gy), 255).astype(np.uint8)


def turned(u):
    return u.T * 2, u[:, ::-1]


def skips(u):
    out = np.zeros(len(u))
    for i in range(len(u)):
        if u[i, 0] > 0.8:
            continue
        out[i] = u[i, 1]
    return out


def sorted_window(u):
    out, part = np.zeros(len(u)), np.zeros(3)
    for i in range(len(u)):
        part[:] = u[i, :3]
        part.sort()
        out[i] = part[1]
    return out


def shrinks(u, count):
    for _ in range(count):
        u = (u[2:] + u[1:-1] + u[:-2]) / 3
    return u


LOCAL: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = (
    (elementwise, (X, Y)),
    (laplacian, (X, 0.5)),
    (copied_borders, (X,)),
    (steps, (X, 4)),
    (two_buffers, (X, 5)),
    (padded, (X,)),
    (gradients, (X,)),
    (rolled, (X, Y, 3)),
    (rolled_indices, (V,)),
    (before_first, (V,)),
    (by_elements, (X,)),
    (clamped_indices, (V,)),
    (neighbours, (V,)),
    (convolved, (V, np.array([0.5, 0.25, -1.0]))),
    (medians, (X,)),
    (medians_by_numpy, (X,)),
    (sharpened, (X, 0.5, 2)),
    (mandelbrot, (Z, 60)),
    (roots, (X,)),
    (cube, (CUBE,)),
    (edges, (PICTURE,)),
    (shrinks, (X, 3)),
)
"""Local along all of their axes."""

LOCAL_BY_ROWS: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = (
    (differences, (X,)),
    (by_rows, (X,)),
    (with_a_table, (X, V)),
    (turned, (X,)),
    (skips, (X,)),
    (sorted_window, (X,)),
)
"""Local along the first axis."""


# Not local along the first axis


def mean(u):
    return u - u.mean(axis=0)


def length(u):
    return u / u.shape[0]


def places(u):
    out = u.copy()
    for k in range(len(u)):
        out[k] = u[k] * k
    return out


def recurrence(u):
    out = u.copy()
    for k in range(1, len(u)):
        out[k] = out[k - 1] * 0.5 + u[k]
    return out


def running_total(u):
    total, out = 0.0, np.zeros(len(u))
    for k in range(len(u)):
        total += u[k, 0]
        out[k] = total
    return out


def every_pair(u):
    out = np.zeros(len(u))
    for i in range(len(u)):
        for j in range(len(u)):
            out[i] += u[i, 0] - u[j, 0]
    return out


def outer(u):
    return u[:, 0][:, None] - u[:, 0][None, :]


def first_row(u):
    return u - u[0]


def stops(u):
    out = np.zeros(len(u))
    for i in range(len(u)):
        if u[i, 0] > 0.9:
            break
        out[i] = u[i, 1]
    return out


def until_small(u):
    x = u.copy()
    while x.max() > 0.1:
        x = x * 0.5
    return x


def every_other(u):
    return u[::2]


def backwards(u):
    return u[::-1]


def sorts(u):
    return np.sort(u, axis=0)


def product(u):
    return u.T @ u


def flat(u):
    return u.reshape(-1)


def writes(u):
    u[1:] = 0.0
    return u


def last_to_first(u):
    out = u.copy()
    out[0] = u[-1]
    return out


def prints(u):
    print("here")
    return u * 2


NOT_LOCAL: tuple[tuple[Callable[..., Any], str], ...] = (
    (mean, "joins all elements along the axis"),
    (length, "computes with the length of the axis"),
    (places, "computes with the place along the axis"),
    (recurrence, "needs what those before it have made"),
    (running_total, "hands something on from one place of the axis to the next"),
    (every_pair, "from one place of the axis to the next"),
    (outer, "joins each place of the axis with each"),
    (first_row, "uses elements of one end of the axis at all of its places"),
    (stops, "leaves the loop at one place of the axis"),
    (until_small, "joins all elements along the axis"),
    (every_other, "places that only the run says"),
    (backwards, "every other place, or goes backwards"),
    (sorts, "may look at any place of the axis"),
    (product, "adds up products along the axis"),
    (flat, "puts the axis together with another one"),
    (writes, "writes to its argument"),
    (last_to_first, "elements of one end of the axis to the other"),
    (prints, "which come in one order"),
)
