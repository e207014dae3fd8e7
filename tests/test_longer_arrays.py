"""NumPy's functions that pad, insert, append, delete, take slopes and vary together, by programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import explanation, needs_compiler
from same import compare, decorate

RNG = np.random.default_rng(11)
X, M, INTS = RNG.random(9), RNG.random((5, 7)), np.arange(6)


def edge(a, w):
    return np.pad(a, w, mode="edge")


def reflect(a, w):
    return np.pad(a, w, "reflect")


def symmetric(a, w):
    return np.pad(a, w, mode="symmetric")


def wrap(a, w):
    return np.pad(a, w, mode="wrap")


def constant(a, w):
    return np.pad(a, w)


def halves(a, w):
    return np.pad(a, w // 2, mode="reflect")


def on_each_side(a, w):
    return np.pad(a, ((1, w), (0, 2)), mode="edge")


def padded_with_a_value_too(a, w):
    return np.pad(a, w, mode="edge", constant_values=0)


@pytest.mark.parametrize(
    "program", [edge, reflect, symmetric, wrap, constant, halves, on_each_side, padded_with_a_value_too]
)
@pytest.mark.parametrize("array", [X, X[:1], X[:2], M, M[:1], M.T, INTS, X[::2], X[:0], M > 0.5])
def test_padded_as_far_as_one_likes(program: Callable[..., object], array: np.ndarray) -> None:
    fast = decorate(program)
    for width in (0, 1, 3, 4, 12, -1):
        compare(program, fast, (array, width), calls=1)


def appended(a, v):
    return np.append(a, v)


def put_first(a, v):
    return np.insert(a, 0, v)


def put_third(a, v):
    return np.insert(a, 2, v)


def left_out(a, v):
    return np.delete(a, v)


def each_left_out(a, v):
    s = 0.0
    for i in range(len(a)):
        s += np.delete(a, i).sum() * v
    return s


NUMBERS = (0, 2, -1, 1.5, np.int8(3), np.float32(0.25), 1j, True, 9, -9, -10)


@pytest.mark.parametrize("program", [appended, put_first, put_third, left_out, each_left_out])
@pytest.mark.parametrize("array", [X, X[:1], X[:0], X[::-2], INTS, INTS.astype("uint8"), X.astype("f4"), M])
def test_one_element_more_or_less(program: Callable[..., object], array: np.ndarray) -> None:
    for number in NUMBERS:
        compare(program, decorate(program), (array, number), calls=1)


SLOPES: dict[str, Callable[..., Any]] = {
    "alone": lambda a: np.gradient(a),
    "with a step": lambda a: np.gradient(a, 0.5),
    "with an int": lambda a: np.gradient(a, 2),
    "with no step": lambda a: np.gradient(a, 0.0),
    "across": lambda a: np.gradient(a, axis=-1),
    "down": lambda a: np.gradient(a, 0.25, axis=0),
    "both": lambda a: np.gradient(a, 0.25, 3),
}


@pytest.mark.parametrize("name", SLOPES)
@pytest.mark.parametrize("array", [X, X[:1], X[:2], M, M.T, M[:1], (M * 9).astype("u1"), X.astype("f4")])
def test_slopes_between_neighbours(name: str, array: np.ndarray) -> None:
    with np.errstate(all="ignore"):
        compare(SLOPES[name], decorate(SLOPES[name]), (array,))


TOGETHER: dict[str, Callable[..., Any]] = {
    "cov": lambda a: np.cov(a),
    "cov of columns": lambda a: np.cov(a, rowvar=False),
    "corrcoef": lambda a: np.corrcoef(a),
    "corrcoef of columns": lambda a: np.corrcoef(a, rowvar=False),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TOGETHER)
@pytest.mark.parametrize("array", [M, M.T, M[:1], M[:, :1], M[:2], X, INTS.reshape(2, 3), np.ones((3, 4))])
def test_how_rows_vary_together(name: str, array: np.ndarray) -> None:
    compare(TOGETHER[name], decorate(TOGETHER[name]), (array,))


GRIDS: dict[str, Callable[..., Any]] = {
    "mgrid": lambda n, m: np.mgrid[0:n, 0:m],
    "mgrid from below": lambda n, m: np.mgrid[-m : n + 1, m : n * m],
    "mgrid in steps": lambda n, m: np.mgrid[0:n:2, 0:m],
    "mgrid of floats": lambda n, m: np.mgrid[0 : n * 1.5, 0:m],
    "indices": lambda n, m: np.indices((n, m)) * 2,
    "indices of float32": lambda n, m: np.indices((n, m), dtype=np.float32),
    "arange": lambda n, m: np.arange(n * m, n * n + 5, 3) * 2,
    "arange of powers": lambda n, m: [np.arange(1, 2**k, 2).sum() for k in range(n)],
}


@pytest.mark.parametrize("name", GRIDS)
def test_grids_of_sizes_that_the_run_tells(name: str) -> None:
    fast = decorate(GRIDS[name])
    for sizes in ((3, 4), (5, 2), (0, 3), (1, 1), (2, -3)):
        compare(GRIDS[name], fast, sizes, calls=1)


def middles(a, k):
    out = np.zeros(a.shape)
    for i in range(a.shape[0] - k):
        for j in range(a.shape[1] - k):
            w = a[i : i + k, j : j + k]
            flat = w.flatten()
            flat[0] = 0.0
            out[i, j] = np.median(w) + flat.sum() + w[w > 0.5].sum()
    return out


def test_windows_of_a_matrix() -> None:
    fast = decorate(middles)
    for k in (1, 2, 3):
        compare(middles, fast, (M, k))


def diagonals(a, k):
    d = np.diag(a)
    x = d * 1.0
    for i in range(k):
        x = (d - a @ x) / d
        if np.abs(x).max() > 1e6:
            return x, i
    return x, k


def test_a_diagonal_in_a_loop() -> None:
    compare(diagonals, decorate(diagonals), (M[:5, :5] + np.eye(5) * 9, 4), tol=8)


def products(a, b):
    return a @ b, (a @ b).sum(), a @ a.transpose(0, 2, 1)


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 0)])
def test_stacks_of_matrices_in_any_order(order: tuple[int, ...]) -> None:
    a = RNG.random(tuple(np.array((4, 5, 6))[list(order)])).transpose(np.argsort(order))
    fast = decorate(products)
    for b in (RNG.random((4, 6, 3)), RNG.random((4, 3, 6)).transpose(0, 2, 1), RNG.random((6, 2))):
        compare(products, fast, (a, b), tol=8)


@needs_compiler
def test_they_are_compiled() -> None:
    def f(a: np.ndarray, k: int) -> object:
        p = np.pad(a, k, mode="reflect")
        gy, gx = np.gradient(p)
        yy, xx = np.mgrid[0:k, 0:k]
        c = np.cov(p)
        return np.sqrt(gx * gx + gy * gy).sum() + (yy * xx).sum() + c.sum() + np.insert(a[0], 0, 0.0).sum()

    fast = decorate(f)
    fast(RNG.random((30, 40)), 3)
    assert "no compiled form" not in explanation(fast, RNG.random((30, 40)), 3)
