"""Programs that put arrays together of others' elements: repeated, rolled, spread over matrices."""

from __future__ import annotations

import numpy as np

from .places import natural

Array = np.ndarray


def repeat(a: Array, count: int) -> Array:
    """``np.repeat(a, count)``."""
    out = np.empty(natural(len(a) * count), a.dtype)
    for i in range(len(a)):
        for j in range(count):
            out[i * count + j] = a[i]
    return out


def tile(a: Array, count: int) -> Array:
    """``np.tile(a, count)``."""
    size = len(a)
    out = np.empty(natural(count * size), a.dtype)
    for j in range(count):
        for i in range(size):
            out[j * size + i] = a[i]
    return out


def roll(a: Array, shift: int) -> Array:
    """``np.roll(a, shift)``."""
    size = len(a)
    out = np.empty(size, a.dtype)
    first = int(shift) % size if size > 0 else 0
    rest = size - first
    for i in range(rest):
        out[first + i] = a[i]
    for i in range(first):
        out[i] = a[rest + i]
    return out


def roll_matrix(a: Array, down: int, right: int) -> Array:
    """``np.roll(a, (down, right), (0, 1))``."""
    rows, columns = a.shape
    out = np.empty(a.shape, a.dtype)
    first = int(right) % columns if columns > 0 else 0
    rest = columns - first
    top = int(down) % rows if rows > 0 else 0
    for i in range(rows):
        k = i + top
        if k >= rows:
            k -= rows
        for j in range(rest):
            out[k, first + j] = a[i, j]
        for j in range(first):
            out[k, j] = a[i, rest + j]
    return out


def lower_triangle(m: Array, k: int) -> Array:
    """``np.tril(m, k)``."""
    out = np.zeros(m.shape, m.dtype)
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if j - i <= k:
                out[i, j] = m[i, j]
    return out


def upper_triangle(m: Array, k: int) -> Array:
    """``np.triu(m, k)``."""
    out = np.zeros(m.shape, m.dtype)
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if j - i >= k:
                out[i, j] = m[i, j]
    return out


def diagonal_matrix(v: Array) -> Array:
    """``np.diag(v)`` of a vector."""
    out = np.zeros((len(v), len(v)), v.dtype)
    for i in range(len(v)):
        out[i, i] = v[i]
    return out


def kron(a: Array, b: Array) -> Array:
    """``np.kron(a, b)`` of vectors of one dtype."""
    size = len(b)
    out = np.empty(natural(len(a) * size), a.dtype)
    for i in range(len(a)):
        for j in range(size):
            out[i * size + j] = a[i] * b[j]
    return out


def kron_of_matrices(a: Array, b: Array) -> Array:
    """``np.kron(a, b)`` of matrices of one dtype."""
    rows, columns = b.shape
    out = np.empty((natural(a.shape[0] * rows), natural(a.shape[1] * columns)), a.dtype)
    for i in range(a.shape[0]):
        for k in range(rows):
            for j in range(a.shape[1]):
                for m in range(columns):
                    out[i * rows + k, j * columns + m] = a[i, j] * b[k, m]
    return out
