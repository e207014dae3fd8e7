"""Programs on arrays that once gave wrong answers, each with the arguments that showed it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from same import same

Array = NDArray[Any]


def negative_after_checked(a: Array, k: int) -> Any:
    """A constant negative index of a view is counted from the end, also where it needs no check."""
    w = a[2:]
    w[k] = w[k] * 3 + w[-1]
    w[k] -= 1
    a[::-1][k] += 5
    return a


def negative_read_then_written(a: Array, k: int) -> Any:
    """As above, through a reversed view: unwrapped it would lie behind the array."""
    s = a[k] + a[-1]
    a[k] += a[-2]
    t = a[::-1]
    u = t[-1] + t[k] + t[-3]
    t[-3] -= u
    return s, u, a


def negative_in_loop(a: Array, n: int) -> Any:
    """Reads and writes that count from the end, with indices that leave the array later."""
    w = a[1:]
    for i in range(n):
        w[-1] = w[-1] + i
        w[-2] += w[-1]
        w[i] = w[-i]
    return a


def negative_of_slice(b: Array, k: int) -> Any:
    """The last element of a slice of a reversed array."""
    w = np.flip(b)
    w = w[: len(w) - k]
    w[1] = 1
    return w * 2 + w[-1]


def bound_of_slice_in_loop(a: Array, b: Array, c: Array, k: int) -> Any:
    """The bound of a slice made outside is needed by the kernel inside the loop."""
    w = c[-k:]
    for _ in range(3):
        if c.sum() > w.any():
            a, b = b, a
    return a.all()


def whole_reshape(a: Array, b: Array) -> Any:
    """A view of a whole argument is an array of its own."""
    v = a.reshape(-1)
    b[1:] = a[:-1] * 2 + b[1:]
    return v


def whole_slice_in_loop(b: Array) -> Any:
    """As above, as the state of a loop."""
    for _ in range(3):
        b[0] += 1
        b = b[:]
    return b


def best_of_loop(a: Array, n: int) -> Any:
    """Two names of one array, made in a loop, come back as one object."""
    best = a
    t = a
    for i in range(n):
        t = a * i
        if t[1] > best[0]:
            best = t
    return best, t


def broadcast_in_place(a: Array, m: Array) -> Any:
    """Operands that don't fit in place have an exception of their own."""
    b = a[:1]
    b += m
    return a


def row_and_column(a: Array, b: Array, x: float) -> Any:
    """An array of one column is C and F contiguous."""
    w = b.reshape(1, -1)
    v = w.T
    if x > 1:
        v = np.clip(np.maximum(v[:], 3) % (a[:, None] // b[:, None]), 0, 3)
    return v, w


def scalar_out_of_range(a: Array, k: int) -> Any:
    """An int that the dtype can't hold is an OverflowError, after what was written before."""
    a[0] = 7
    for i in range(-k, k):
        a[i] = i
    return a


def float_as_int(a: Array, b: Array) -> Any:
    """NaN and infinity stored as ints, element by element."""
    for i in range(len(b)):
        a[i] = b[i]
    return a


def zero_dimensions(a: Array) -> Any:
    """`astype` of an array without axes is an array, whatever dtype it had."""
    a += 1
    return a.astype(int), a.astype(np.float64)


def view_in_branch(a: Array, x: float) -> Any:
    """Views that branches make come back as objects of their own, in either branch."""
    v = a.reshape(-1)
    if x > 1:
        v = a[:]
        v += 1
    else:
        v = a.T
        v *= 2
    return v, a


def result_or_other(a: Array, x: float) -> Any:
    """A name for one of two arrays that come back as well."""
    t = a * 2 + 1
    b = a
    if t[0] > x:
        b = t
    return b, t


def previous(a: Array, n: int) -> Any:
    """The array of the last iteration and the one before are never one object."""
    p = a
    for _ in range(n):
        p = a
        a = a * 2 + p[0]
    return a, p


def _prefix(a: Array, k: int) -> Array:
    if k > 2:
        return a.ravel()
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    a[0] = s
    return a[:k]


def prefix_of_helper(a: Array, k: int) -> Any:
    """The first part of an array is not all of it."""
    w = _prefix(a, k)
    w += 1
    return w, a


def stored_numbers(a: Array, b: Array, x: Any) -> Any:
    """NumPy's numbers go through int() into signed ints and wrap in unsigned ones; Python's never wrap."""
    for i in range(len(b)):
        a[i] = b[i]
    a[1:] = b[0]
    a[-1] = x
    return a


def sums_of_views(m: Array, k: int) -> Any:
    """Sums of views in NumPy's order, which strides decide; columns of one element count as none."""
    s = m.sum(axis=0) + (m * 2).sum(axis=0), m[1:-1, :k].sum(), m[::-1].sum(), m.T[1:].sum(), m.T.prod()
    return s, (m + 1).sum(), m[:, ::-1].mean(), m[:, :1].sum(axis=0), m[:, None, :].sum(axis=0)


def zeros_of_both_signs(a: Array, b: Array) -> Any:
    """Of 0.0 and -0.0 elementwise functions take one for certain."""
    return np.maximum(a, b), np.minimum(a, b), np.clip(a, 0.0, 1.0), np.clip(b, -1.0, -0.0), np.maximum(b, a)


def elements_of_fresh(a: Array, b: Array, k: int) -> Any:
    """Elements are read after the loop that computes them, also in the midst of an expression."""
    w = b[k:]
    b = np.multiply(a, -b)
    b = b * 2 + 1
    s = w[0] + b[0]
    c = np.sqrt(np.abs(a * b)) + np.exp(-a)
    a[k] = c[1] + b[2]
    d = c * 2
    return s, d[1] * 3 + b[0], a


X = np.arange(10.0)
I = np.arange(9, dtype=np.int32)  # noqa: E741 (the letter of the dtype)


def temporary_read_elsewhere(x: Array) -> Any:
    """`t` may not live in `z`, whose elements are written while `t[::-1]` is still read."""
    t = x * 2 + 0.5
    y = t[::-1] + 1
    z = t * y
    return y, z


def temporary_read_in_rows(x: Array) -> Any:
    """The same along one axis of two, next to a sum of whole rows."""
    t = x * 2 + 0.5
    y = t[:, ::-1] + t[::-1]
    z = t * y + t.sum(axis=1, keepdims=True)
    return y, z


def written_after_its_last_read(x: Array, y: Array) -> Any:
    """A temporary that is overwritten when nobody reads it any more is not in the memory of the result."""
    a = x * y + x * y
    b = a.copy()
    c = b * 2
    a[...] = 0.0
    return c


CASES: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = (
    *((negative_after_checked, (X, k)) for k in (-1, 0, -8, -9, 7, 8)),
    *((negative_read_then_written, (a, k)) for a in (X, X[::2], X[:3]) for k in (0, 1, -2)),
    *((negative_in_loop, case) for case in ((X, 3), (X[:3], 1), (X[:3], 5), (X[:2], 2))),
    *((negative_of_slice, (a, k)) for a in (X, X[::-1]) for k in (0, 1)),
    *((bound_of_slice_in_loop, (I, X[:9], X > 3, k)) for k in (0, 2)),
    (whole_reshape, (X, X.copy())),
    (written_after_its_last_read, (X, X.copy())),
    (whole_slice_in_loop, (X,)),
    *((best_of_loop, (X, n)) for n in (0, 1, 3)),
    *((broadcast_in_place, (X, m)) for m in (X, X[:1], X[:0])),
    (row_and_column, (np.arange(1, 10), np.arange(2, 11), 2.5)),
    *((scalar_out_of_range, (np.arange(10, dtype=d), 3)) for d in (np.uint8, np.int8)),
    *((float_as_int, (np.arange(3), np.array([1, v, 2]))) for v in (np.inf, np.nan, 4.5)),
    *((zero_dimensions, (np.array(3, d),)) for d in (np.int64, np.uint8, np.float64)),
)


def temporary_of_two_nests(x: Array, s: float) -> Any:
    """A temporary that an earlier loop filled is not new in the one that reads it last."""
    y = x * s
    y += s
    y -= x[0]
    t = y / s
    u = -(t / s)
    return t, u.sum(), (u * x).sum()


def outer_with_numbers(a: Array, k: int, x: float) -> Any:
    """`outer` makes arrays of its operands: Python's numbers are int64 and float64 there, not weak."""
    return np.add.outer(a, 2), np.multiply.outer(k, a), np.subtract.outer(a, x) * 2, np.maximum.outer(a, a)


M = np.sin(np.arange(600.0)).reshape(20, 30)
Z = np.array([0.0, -0.0, np.nan, 1.0, 0.0, -0.0] * 3)
DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
NUMBERS = ([1.0, 300.5, -1.5], [1e10, 2.0], [np.nan, 1.0], [1.0, -np.inf])

CASES += (
    *((view_in_branch, (X, x)) for x in (1, 2)),
    *((result_or_other, (X, x)) for x in (0, 5)),
    *((previous, (X, n)) for n in (0, 1, 3)),
    *((prefix_of_helper, (a, k)) for a in (X, X[::2]) for k in (1, 3, -2, 0)),
    *((stored_numbers, (np.zeros(4, d), np.array(b), 3)) for d in DTYPES for b in NUMBERS),
    *((stored_numbers, (np.zeros(4, d), np.array([1, 200, -3]), x)) for d in DTYPES for x in (300, -1, 4.5)),
    *((sums_of_views, (m, 5)) for m in (M, M.T, M.reshape(-1, 1), M.reshape(1, -1), M[::2, ::-1], M[:, 3:])),
    *((elements_of_fresh, (X / 3, b, k)) for b in (X, np.arange(10)) for k in (2, -1)),
    (temporary_read_elsewhere, (np.arange(6.0),)),
    (temporary_read_in_rows, (M,)),
    (temporary_of_two_nests, (X / 3, 0.8)),
    *((outer_with_numbers, (np.arange(5).astype(d), 3, 0.5)) for d in ("f4", "f8", "i4", "u1", "?", "c8")),
    *((zeros_of_both_signs, (a, b)) for a in (Z, -Z) for b in (-Z, np.abs(Z), Z[::-1])),
)


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f"{f.__name__}-{k}" for k, (f, _) in enumerate(CASES)])
def test_same(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """The decorated function does what the plain one does."""
    same(f, *args)
