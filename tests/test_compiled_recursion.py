"""Functions that call themselves: functions of a kernel, which end as plain Python's do."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import IDENTITY, same

import jitscope as js

RNG = np.random.default_rng(0)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def power(x, n):
    if n == 0:
        return 1.0
    h = power(x, n // 2)
    return h * h if n % 2 == 0 else h * h * x


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def sort(a, low, high):
    if low >= high:
        return
    pivot = a[(low + high) // 2]
    i, j = low, high
    while i <= j:
        while a[i] < pivot:
            i += 1
        while a[j] > pivot:
            j -= 1
        if i <= j:
            a[i], a[j] = a[j], a[i]
            i += 1
            j -= 1
    sort(a, low, j)
    sort(a, i, high)


def simpson(f, a, b, tol):
    c = (a + b) / 2
    whole = (b - a) / 6 * (f(a) + 4 * f(c) + f(b))
    left = (c - a) / 6 * (f(a) + 4 * f((a + c) / 2) + f(c))
    right = (b - c) / 6 * (f(c) + 4 * f((c + b) / 2) + f(b))
    if abs(left + right - whole) < 15 * tol:
        return left + right + (left + right - whole) / 15
    return simpson(f, a, c, tol / 2) + simpson(f, c, b, tol / 2)


def peak(c):
    return simpson(lambda x: 1 / (1 + 25 * (x - c) ** 2), -1.0, 1.0, 1e-8)


def queens(n):
    board = np.zeros(n, dtype=np.int64)

    def fits(row, column):
        for k in range(row):
            if board[k] == column or abs(board[k] - column) == row - k:
                return False
        return True

    def place(row):
        if row == n:
            return 1
        found = 0
        for column in range(n):
            if fits(row, column):
                board[row] = column
                found += place(row + 1)
        return found

    return place(0)


def flood(g, i, j, old, new):
    if i < 0 or j < 0 or i >= g.shape[0] or j >= g.shape[1] or g[i, j] != old:
        return 0
    g[i, j] = new
    return (
        1
        + flood(g, i + 1, j, old, new)
        + flood(g, i - 1, j, old, new)
        + flood(g, i, j + 1, old, new)
        + flood(g, i, j - 1, old, new)
    )


def solve(grid):
    for r in range(9):
        for c in range(9):
            if grid[r, c] == 0:
                top, left = 3 * (r // 3), 3 * (c // 3)
                for v in range(1, 10):
                    box = grid[top : top + 3, left : left + 3]
                    if v not in grid[r] and v not in grid[:, c] and v not in box:
                        grid[r, c] = v
                        if solve(grid):
                            return True
                        grid[r, c] = 0
                return False
    return True


def extremes(a, low, high):
    if low == high:
        return a[low], a[low]
    middle = (low + high) // 2
    p, q = extremes(a, low, middle)
    r, s = extremes(a, middle + 1, high)
    return (p if p < r else r), (q if q > s else s)


def read_between(a):
    first = a[0]

    def go(n):
        before = a[0]
        a[0] = before + 1
        if n > 0:
            return go(n - 1) + before * a[0]
        return first

    return go(5)


def written_inside(a):
    b = a * 2

    def go(i):
        if i == len(b):
            return 0.0
        t = b[i]
        b[i] = 0
        return t + go(i + 1) + b.sum()

    return go(0), b


def of_either_kind(n):
    return 0 if n == 0 else of_either_kind(n - 1) + 0.5


def with_none(n):
    if n == 0:
        return None
    return 3 if n == 7 else with_none(n - 1)


def by_keyword(n, total=1.0):
    return total if n == 0 else by_keyword(n - 1, total=total * 1.5)


def negative(a, n):
    a[n] += 1.0
    if n == 0:
        raise ValueError(f"the end of {len(a)}")
    negative(a, n - 1)
    a[n] += 10.0


def beyond_64_bits(a, n):
    a[n % 5] += 1
    return 1 if n == 0 else n * beyond_64_bits(a, n - 1)


def beyond_the_end(a, n):
    a[n] = n
    return beyond_the_end(a, n + 1)


def sums(n):
    return 0.0 if n == -2 else 1 / n + sums(n - 1)


PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
COMPILED: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (fib, (12,)),
    (ackermann, (2, 9)),
    (power, (1.01, 1000)),
    (is_even, (11,)),
    (sort, (RNG.normal(size=300), 0, 299)),
    (peak, (0.3,)),
    (queens, (6,)),
    (flood, (np.zeros((12, 13), dtype=int), 3, 4, 0, 7)),
    (solve, (np.array([int(c) for c in PUZZLE]).reshape(9, 9),)),
    (extremes, (RNG.normal(size=50), 0, 49)),
    (written_inside, (np.array([3.0, 1.0, 4.0]),)),
    (of_either_kind, (4,)),
    (with_none, (5,)),
    (with_none, (9,)),
    (by_keyword, (5,)),
    (beyond_64_bits, (np.zeros(5), 10)),
    (beyond_64_bits, (np.zeros(5), 30)),
    (sums, (5,)),
    (sums, (-1,)),
]


@pytest.mark.parametrize(
    ("f", "args"), COMPILED, ids=[f"{f.__name__}{k}" for k, (f, _) in enumerate(COMPILED)]
)
def test_it_is_compiled_and_right(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    same(f, *args, calls=3)
    if IDENTITY:
        return
    module = js.to_code(js.function(f), *args, stage="module")
    assert "def cluster_0_" in module and "py_left(" in module


def joined(n):
    return [n] if n == 0 else [*joined(n - 1), n]


def halves(a):
    return a.sum() if len(a) <= 1 else halves(a[: len(a) // 2]) + halves(a[len(a) // 2 :])


def exchanged(a, b, n):
    if n > 0:
        a[n] += b[n - 1]
        b[n] -= a[n - 1]
        exchanged(b, a, n - 1)


def remembered(n, known):
    if n < 2:
        return n
    if n not in known:
        known[n] = remembered(n - 1, known) + remembered(n - 2, known)
    return known[n]


def drawn(rng, n):
    return 0.0 if n == 0 else rng.random() + drawn(rng, n - 1)


def printed(n):
    if n == 0:
        print("the end")
        return 0
    return printed(n - 1)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (joined, (5,)),
        (halves, (np.arange(7.0),)),
        (exchanged, (np.arange(5.0), np.arange(5.0) * 2, 4)),
        (remembered, (20, {})),
        (drawn, (np.random.default_rng(3), 5)),
        (printed, (3,)),
        (beyond_the_end, (np.zeros(5), 0)),
        (negative, (np.zeros(5), 4)),
        (read_between, (np.array([3.0, 1.0]),)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_no_function_of_numbers_is_right(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    same(f, *args, calls=3)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def test_it_ends_about_where_plain_python_does() -> None:
    decorated = js.function(depth)
    decorated(3)
    for n in range(sys.getrecursionlimit() - len(inspect.stack()) - 80, sys.getrecursionlimit() + 10, 3):
        try:
            expected = depth(n)
        except RecursionError:
            with pytest.raises(RecursionError):
                decorated(n + 10)
            break
        assert decorated(n - 10) == expected - 10
    with pytest.raises(RecursionError):
        decorated(10**9)
    assert decorated(3) == 3


def wide(n, a, b, p, q, r, s, t, u):
    if n <= 0:
        return a[0] + b[0] + p + q + r + s + t + u
    i = n % len(a)
    y0, y1, y2 = a[i] * q + b[i], b[i] * r + a[i], a[i] * s - b[i]
    y3, y4, y5 = b[i] * t + p, a[i] * u + q, b[i] * p - r
    inner = wide(n - 1, a, b, y0, y1, y2, y3, y4, y5)
    a[i] += y1 * 1e-3
    b[i] -= y2 * 1e-3
    return (inner * 0.5 + y0 * y1 + y2 * y3 - y4 * y5 + p * q + r * s + t * u) * 1e-3


@pytest.mark.parametrize("kilobytes", [0, 128, 256, 1024])
def test_a_thread_s_small_stack_holds_no_deep_recursion_of_ours(kilobytes: int) -> None:
    decorated, outcomes = js.function(wide), []

    def run() -> None:
        for n in (10, 500, 3000, 9000):
            a, b = (np.arange(1.0, 9.0) * 0.01 for _ in range(2))
            c, d = a.copy(), b.copy()
            numbers = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
            outcomes.append(decorated(n, a, b, *numbers) == wide(n, c, d, *numbers))
            outcomes.append(np.array_equal(a, c) and np.array_equal(b, d))

    limit, size = sys.getrecursionlimit(), threading.stack_size(kilobytes << 10)
    sys.setrecursionlimit(20_000)
    try:
        run()
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    assert outcomes == [True] * 16


def descent(x, n):
    return x * x if n == 0 else descent(x * 0.5, n - 1) + x


def test_a_gradient_goes_through() -> None:
    slope = js.grad(descent)(3.0, 4)
    assert slope == pytest.approx(sum(0.5**k for k in range(4)) + 2 * 3.0 * 0.5**8)


@js.function
def odd_name(a, n):
    return a * fib(n)


def test_to_code_shows_a_function_that_calls_itself() -> None:
    shown = js.to_code(odd_name, np.ones(3), 5, stage="module")
    assert "fib = cluster_0_fib(" in shown
    assert "recursive=True" in js.to_code(odd_name, np.ones(3), 5, stage="graph")


def counts_around(a, n):
    old = a[0]
    if n > 0:
        counts_around(a, n - 1)
    a[0] = a[0] + 1
    return old - a[0]


def waits(done, n):
    if n == 0:
        done[0] = 1
        return
    k = 0
    while done[0] == 0 and k < 1000:
        waits(done, n - 1)
        k += 1
    done[1] += k


def one_of_two(a, n):
    old = a[0]
    if n > 0:
        other_of_two(a, n - 1)
    a[0] += 1
    return old


def other_of_two(a, n):
    old = a[0]
    if n > 0:
        one_of_two(a, n - 1)
    a[0] += 1
    return old


def last_above(a, n):
    if n == 0:
        a[1] = 4
        return 0
    m = a[n]
    last_above(a, n - 1)
    return n if a[n] > m else -1


@pytest.mark.parametrize("f", [counts_around, waits, one_of_two, last_above])
@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.uint8])
def test_what_a_call_of_itself_writes_is_read_anew(f: Callable[..., Any], n: int, dtype: type) -> None:
    same(f, np.zeros(6, dtype=dtype), n)


def summed_beside(n, x):
    with js.jit_scope():
        y = x * 2.0 + 1.0
    return fibonacci_of(n) + y.sum()


def fibonacci_of(n):
    return n if n < 2 else fibonacci_of(n - 1) + fibonacci_of(n - 2)


def in_a_scope_that_is_off(n, x):
    with js.jit_scope(False):
        r = fibonacci_of(n)
    return r + (x * 2.0 + 1.0).sum()


@pytest.mark.parametrize("f", [summed_beside, in_a_scope_that_is_off])
@pytest.mark.parametrize("level", ["on", "off"])
def test_a_recursion_that_may_not_be_compiled_is_no_function_of_the_driver(f: Any, level: str) -> None:
    x = np.linspace(0.0, 1.0, 50)
    decorated = js.function(f, jit_level=level)
    expected = fibonacci_of(12) + (x * 2.0 + 1.0).sum()
    for _ in range(3):
        assert decorated(12, x) == expected
    if level == "off" or f is in_a_scope_that_is_off:
        module = js.to_code(decorated, 12, x, stage="module")
        assert "recur(" not in module and "stack_end" not in module
