"""The functions that are measured, undecorated, and their arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


def mandelbrot(left: float, top: float, step: float, width: int, height: int, max_iter: int) -> np.ndarray:
    """Scalar loops with a `break`."""
    counts = np.full((height, width), max_iter)
    for row in range(height):
        c_im = top - step * row
        for col in range(width):
            c_re = left + step * col
            re = im = 0.0
            for n in range(max_iter):
                re, im = re * re - im * im + c_re, 2.0 * re * im + c_im
                if re * re + im * im > 4.0:
                    counts[row, col] = n
                    break
    return counts


def escape_times(xs: np.ndarray, ys: np.ndarray, max_iter: int) -> np.ndarray:
    """The same set on axes that are arrays, as NumPy users have them."""
    out = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for j in range(len(ys)):
        for i in range(len(xs)):
            x = 0.0
            y = 0.0
            n = 0
            while n < max_iter:
                x2 = x * x
                y2 = y * y
                if x2 + y2 > 4.0:
                    break
                y = 2.0 * x * y + ys[j]
                x = x2 - y2 + xs[i]
                n += 1
            out[j, i] = n
    return out


def relax(u: np.ndarray, f: np.ndarray, tol: float, max_iter: int) -> tuple[np.ndarray, int]:
    """A 5-point stencil in a time loop with a stopping test."""
    for it in range(max_iter):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - f[1:-1, 1:-1])
        err = np.abs(new - u).max()
        u = new
        if err < tol:
            break
    return u, it


def relax_by_hand(u: np.ndarray, f: np.ndarray, tol: float, max_iter: int) -> tuple[np.ndarray, int]:
    """`relax` as somebody who knows Numba writes it."""
    rows, cols = u.shape
    new, old = u.copy(), u.copy()
    it = 0
    for it in range(max_iter):
        err = 0.0
        for i in range(1, rows - 1):
            for j in range(1, cols - 1):
                value = 0.25 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1] - f[i, j])
                err = max(err, abs(value - old[i, j]))
                new[i, j] = value
        new, old = old, new
        if err < tol:
            break
    return old, it


def softmax(x: np.ndarray) -> np.ndarray:
    """Softmax over rows."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_by_row(x: np.ndarray) -> np.ndarray:
    """The nearest to `softmax` that Numba accepts: it knows neither `max(axis=)` nor `keepdims`."""
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        e = np.exp(x[i] - x[i].max())
        out[i] = e / e.sum()
    return out


def write_sum(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> None:
    """So little work that the time is that of the call."""
    d[0] = a[0] + b[0] + c[0]


def add_all(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """A new array: the least that is compiled."""
    return a + b + c + d


def return_sum(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """As `write_sum`, but with a result."""
    return a[0] + b[0] + c[0] + d[0]


@dataclass(frozen=True)
class Case:
    """One program: as a NumPy user wrote it, and what `numba.njit` is given."""

    plain: Callable[..., Any]
    for_njit: Callable[..., Any]  # the same source wherever Numba accepts it
    by_hand: Callable[..., Any]  # what somebody who knows Numba writes
    arguments: Callable[[], tuple[Any, ...]]


def stencil_arguments() -> tuple[Any, ...]:
    rng = np.random.default_rng(1)
    return rng.random((300, 300)), 0.01 * rng.random((300, 300)), 0.0, 100


def axes() -> tuple[Any, ...]:
    return np.linspace(-2.0, 1.0, 120), np.linspace(-1.25, 1.25, 80), 300


def softmax_arguments() -> tuple[Any, ...]:
    return (np.random.default_rng(2).normal(size=(2000, 500)),)


CASES = {
    "escape": Case(escape_times, escape_times, escape_times, axes),
    "mandelbrot": Case(mandelbrot, mandelbrot, mandelbrot, lambda: (-2.2, 1.2, 3.2 / 200, 200, 150, 200)),
    "stencil": Case(relax, relax, relax_by_hand, stencil_arguments),
    "softmax": Case(softmax, softmax_by_row, softmax_by_row, softmax_arguments),
}
