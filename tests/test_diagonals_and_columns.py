"""Diagonals, what a mask or places pick of one column or row, and arrays of sizes that the run computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part
from same import compare, decorate

Program = Callable[..., Any]
RNG = np.random.default_rng(8)
S = RNG.normal(size=(7, 7))
A = RNG.normal(size=(9, 3))


def jacobi(A, b, n):
    x = np.zeros(len(b))
    D = np.diag(A)
    R = A - np.diagflat(D)
    for _ in range(n):
        x = (b - R @ x) / D
    return x


def diagonals(A, n):
    total = 0.0
    for i in range(n):
        d = A.diagonal() * i + np.diagonal(A) - np.diag(A)
        total += d.sum() + np.diag(A).max()
    return total


def written_behind(A, n):
    """The diagonal shows what is written to the matrix."""
    d = np.diag(A)
    total = 0.0
    for i in range(n):
        A[i, i] = A[i, i] + 10.0
        A[0, n - i - 1] += 1.0
        total += d[i] + d.sum()
    return total, d


def of_the_transpose(A, n):
    total = np.zeros(len(A))
    for i in range(n):
        total += np.diag(A.T + i) * np.diag(A[::-1]) - np.diag(A[::-1, ::-1])
    return total


def assigned(A):
    d = np.diag(A)
    d[0] = 1.0
    return d


def walk(steps, walkers, n):
    x = np.zeros((walkers, 2), dtype=int)
    for t in range(n):
        way = steps[t]
        x[way == 0, 0] += 1
        x[way == 1, 0] -= 1
        x[way == 2, 1] += 2
        x[way > 1, -1] = t
    return x


def read_through(A, n):
    total = 0.0
    for i in range(n):
        total += A[A[:, 0] > 0, 1].sum() + A[A[:, i] < 0.5, i].max(initial=0.0)
        total += A[i, A[i] > 0].sum() * 2
        total += A[np.array([0, 2, 1]), 1][1] + A[1, np.array([0, -1])][1]
    return total


def written_at(A, places, n):
    for i in range(n):
        A[places, i] = i
        A[places + 1, 1] += A[places, 2]
        A[i, np.array([0, 2])] = A[0, :2]
    return A


def row_written_at(A, places, n):
    for i in range(n):
        A[i, places] = 0.0
        A[0, places] += i
    return A


def reshaped(A, n, k):
    """Shapes that the run knows; the rule of `reshape(-1)` looks at all of them."""
    rows, columns = A.shape
    total = A.reshape(columns, rows) + A.T.reshape(columns, rows)
    for _ in range(n):
        total = total + A.reshape((columns, -1)) * A.reshape(A.shape[1], A.shape[0])
        total[0, 0] += A[1:, 1:].reshape((-1,)).sum() + A.reshape(k, -1)[0, 0] + A.reshape(-1)[k]
    return total


def beyond(A, n, j):
    total = 0.0
    for i in range(n):
        total += A[A[:, 0] > i, j].sum()
    return total


def shorter_mask(A, n):
    mask = A[1:, 0] > 0
    total = 0.0
    for _ in range(n):
        total += A[mask, 0].sum()
    return total


def sized(grid, x):
    rows, cols = grid.shape
    q = np.zeros((rows * cols, 2), dtype=int)
    w = np.full(x[0], 1.5)
    e, o = np.ones((x[1], rows)), np.empty(int(x[0]) + 1, np.float32)
    total = 0
    for i in range(rows):
        q[i * cols] = i, 2
        o[0] = i
        total += q[:, 0].sum() + w.sum() + e.sum() + o[0] + len(o)
        u = np.zeros(x[0] - i)
        total += u.sum() + len(u)
    return q, w, e, total, u


def medians(img, k):
    h, w = img.shape
    out = np.zeros_like(img)
    for i in range(k, h - k):
        for j in range(k, w - k):
            out[i, j] = np.median(img[i - k : i + k + 1, j - k : j + k + 1].ravel())
    return out


def flat_windows(img, n):
    total = 0.0
    for i in range(n):
        part = np.ravel(img[i : i + 3, 1:3])
        img[i, 1] = 7.0
        img[i + 1, 2] -= 1.0
        total += part[0] + part.sum() * i
        row = img[i : i + 1, :2].ravel()
        img[i, 0] += 1.0
        line = img[:, 1:2].reshape(-1)
        img[:, 1] += 1.0
        total += row[0] + line[i] + img[:, 1:3].reshape(-1)[3] + np.amax(img) - np.amin(img[i])
    return total, part, row, line


CALLS: list[tuple[Program, list[tuple[Any, ...]]]] = [
    (jacobi, [(S + 9 * np.eye(7), S[0], 20), (S[:1, :1], S[0, :1], 3), (S.T, S[1], 5)]),
    (diagonals, [(S, 4), (S.T, 3), (S[:2, :2], 3), (S[:0, :0], 0)]),
    (written_behind, [(S.copy(), 7), (S.copy()[:3, :3], 3), (np.asfortranarray(S), 5)]),
    (of_the_transpose, [(S, 3), (S[:2, :2], 4)]),
    (walk, [(RNG.integers(0, 4, (12, 30)), 30, 12), (RNG.integers(0, 4, (3, 2)), 2, 3)]),
    (read_through, [(A, 3), (RNG.normal(size=(40, 3)), 3)]),
    (written_at, [(A.copy(), np.array([0, 3, 3]), 3), (A.copy(), np.array([-1, 2]), 2)]),
    (medians, [(RNG.random((8, 9)), 1), (RNG.random((8, 9)), 2), (RNG.random((8, 9)), 0), (S.T, 1)]),
    (flat_windows, [(RNG.random((8, 4)), 3), (RNG.random((4, 3)), 2), (RNG.random((3, 3)), 1)]),
    (sized, [(A, np.array([9, 2])), (S, np.array([7, 0])), (A[:2], np.array([5, 1]))]),
]


@pytest.mark.parametrize(("program", "calls"), CALLS, ids=[program.__name__ for program, _ in CALLS])
def test_they_are_compiled_and_right(program: Program, calls: list[tuple[Any, ...]]) -> None:
    decorated = decorate(program)
    for args in (*calls, calls[0]):  # a product rounds in an order of its own
        compare(program, decorated, args, tol=64 if program is jacobi else None)
    assert has_compiled_part(decorated)


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (diagonals, [(A, 2), (A.T, 2)]),
        (reshaped, [(A, 3, 3), (A[:4], 2, 1), (A[:, :2].copy(), 2, 9), (A, 2, 2)]),
        (jacobi, [(A, A[:, 0], 2)]),
        (assigned, [(S.copy(),)]),
        (beyond, [(A, 2, 3), (A, 2, -3), (A, 2, -4), (A, 0, 7)]),
        (shorter_mask, [(A, 2)]),
        (row_written_at, [(A.copy(), np.array([0, 2]), 3), (A.copy(), np.array([1, 3, -9]), 3)]),
        (row_written_at, [(A.copy(), np.array([-3, -4]), 2), (A.copy(), np.array([0]), 99)]),
        (written_at, [(A.copy(), np.array([0, 8]), 3), (A.copy(), np.array([0, 9]), 3)]),
        (read_through, [(A, 4), (A[:1], 1)]),
        (sized, [(A, np.array([-1, 2])), (A, np.array([3, 2])), (A, np.array([9, -2]))]),
        (sized, [(A, np.array([9.0, 2.0]))]),
    ],
)
def test_what_numpy_refuses_or_does_otherwise(program: Program, calls: list[tuple[Any, ...]]) -> None:
    for first in calls:
        decorated = decorate(program)
        for args in (first, *calls):
            compare(program, decorated, args)
