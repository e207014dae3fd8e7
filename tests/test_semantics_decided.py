"""Questions about sizes that no proof answers: the example does, and guards hold it."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import needs_compiler
from same import Tolerance, compare, decorate, same

RNG = np.random.default_rng(5)
A = RNG.random((7, 7)) + 7 * np.eye(7)
V = RNG.random(7)
W = RNG.random(9)

PRODUCTS = Tolerance(ulp=16, atol=1e-14)
"""Products of a few floats are added up in another order than BLAS does."""


def lu(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]


def forward(l, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - l[i, :i] @ x[:i]) / l[i, i]


def symmetric(alpha, c, a, b):
    t = np.zeros(c.shape[1])
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[:i, j] += alpha * b[i, j] * a[i, :i]
            t[j] = b[:i, j] @ a[i, :i]
        c[i, :] += alpha * b[i, :] * a[i, i] + alpha * t


def autocorrelation(x, m):
    n = len(x)
    r = np.zeros(m)
    for lag in range(m):
        r[lag] = (x[: n - lag] * x[lag:]).sum() / n
    return r


def implicit(n, u):
    v = np.zeros_like(u)
    p = np.zeros_like(u)
    for j in range(1, n - 1):
        p[1 : n - 1, j] = -0.3 / (0.2 * p[1 : n - 1, j - 1] + 1.6)
        v[1 : n - 1, j] = u[j, 0 : n - 2] + 2.0 * u[j, 1 : n - 1] - p[1 : n - 1, j - 1]
    for j in range(n - 2, 0, -1):
        v[j, 1 : n - 1] = p[1 : n - 1, j] * v[j + 1, 1 : n - 1] + u[1 : n - 1, j]
    return v


def lagged(x, lag):
    return x[lag:] - x[:-lag]


def inner(image):
    m, n = image.shape
    return (image[1:, :] - image[: m - 1, :])[:, 1:] + (image[:, 1:] - image[:, : n - 1])[1:, :]


def windows(x, w):
    out = np.empty(len(x) - w + 1)
    for i in range(len(out)):
        out[i] = x[i : i + w].mean() + x[i : i + w].max()
    return out


def made(m, k):
    a = np.zeros((m, k - 1)) + 0.5
    a[: m - 2] += 1.0
    return a


def halves(x, h):
    s = 0.0
    for i in range(h, len(x) - h):
        s += (x[i - h : i] * x[i + 1 : i + h + 1]).sum()
    return s


def backwards(x, k):
    y = np.zeros(k)
    for i in range(k - 1, -1, -1):
        y[i] = x[i:k].sum() + y[i + 1 : k] @ x[i + 1 : k]
    return y


def triangle(x, y, n):
    s = 0.0
    for i in range(n):
        for j in range(i, n):
            s += x[i : j + 1] @ y[: j - i + 1]
    return s


PROGRAMS = [
    (lu, [(A,), (A[:5],), (A[:, :5],), (A[:0],), (A[:1],), (A.T,)]),
    (forward, [(A, V, V), (A, V[:3], V), (A[:, :3], V, V), (A, W, W), (A, V, V[:3]), (A[:0], V[:0], V)]),
    (symmetric, [(0.5, A, A, A), (0.5, A[:5], A, A), (0.5, A, A[:, :3], A), (0.5, A, A, A[:, :1])]),
    (autocorrelation, [(W, 4), (W, 9), (W, 12), (W, 0), (W, -3), (W[:0], 0), (W[:1], 3), (W, 1)]),
    (implicit, [(7, A), (5, A), (9, A), (2, A), (0, A), (-3, A), (7, A[:5]), (7, A[:, :6])]),
    (lagged, [(W, 2), (W, 5), (W, 9), (W, 12), (W, 0), (W, -2), (W, 1), (W[:1], 1)]),
    (inner, [(A,), (A[:3],), (A[:1],), (A[:0],), (A[:, :1],)]),
    (windows, [(W, 3), (W, 1), (W, 9), (W, 10), (W, 12), (W, 0), (W, -1)]),
    (made, [(4, 5), (1, 5), (4, 1), (4, 0), (-1, 3), (2, 2), (3, 3)]),
    (halves, [(W, 2), (W, 0), (W, 1), (W, 5), (W, -1), (W[:2], 1)]),
    (backwards, [(W, 5), (W, 9), (W, 11), (W, 0), (W, -2), (W, 1)]),
    (triangle, [(W, V, 5), (W, V, 7), (W, V, 8), (W, V, 12), (W, V[:1], 4), (W, V, 0)]),
]
CASES = [pytest.param(function, cases, id=function.__name__) for function, cases in PROGRAMS]


@pytest.mark.parametrize(("function", "cases"), CASES)
def test_whichever_call_comes_first(function, cases):
    for first in range(len(cases)):
        decorated = decorate(function)
        for case in [cases[first], *cases]:
            compare(function, decorated, case, tol=PRODUCTS)


@needs_compiler
@pytest.mark.parametrize(("function", "cases"), CASES)
def test_the_first_call_is_compiled_whole(function, cases):
    decorated = decorate(function, cache=False)
    case = [np.copy(a) if isinstance(a, np.ndarray) else a for a in cases[0]]
    decorated(*case)
    report = decorated.explain(*case)
    assert "no compiled form" not in report and "plain Python" not in report, report


@needs_compiler
def test_few_specialisations_for_any_size_and_lag():
    decorated = decorate(lagged)
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(0, 40))
        x, lag = rng.random(n), int(rng.integers(1, 12))
        try:
            expected = lagged(x, lag)
        except ValueError:
            continue
        np.testing.assert_array_equal(decorated(x, lag), expected)
    assert len(decorated.specializations) <= 4


def test_the_order_of_several_questions():
    def mixed(x, y, k, m):
        z = x[:k] + y[m : m + k]
        return z, x[k:].sum(), np.ones(m).sum()

    for case in [(W, V, 3, 2), (W, V, 3, 6), (W, V, 0, 0), (W, V, -2, 3), (W, V, 3, -5), (W, V, 9, 9)]:
        same(mixed, *case)
