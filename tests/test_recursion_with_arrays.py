"""Functions that call themselves with other arrays and lists, and return them: one kernel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import compare, decorate

import jitscope as js

A = np.random.default_rng(5).random


def fft(x: Any) -> Any:
    n = len(x)
    if n == 1:
        return x
    even = fft(x[0::2])
    odd = fft(x[1::2])
    factor = np.exp(-2j * np.pi * np.arange(n // 2) / n)
    return np.concatenate([even + factor * odd, even - factor * odd])


def simplify(points: Any, eps: Any) -> Any:
    if len(points) < 3:
        return points
    start, end = points[0], points[-1]
    line = end - start
    norm = np.sqrt((line**2).sum())
    d = np.abs(line[0] * (points[:, 1] - start[1]) - line[1] * (points[:, 0] - start[0])) / norm
    k = int(np.argmax(d))
    if d[k] > eps:
        left = simplify(points[: k + 1], eps)
        right = simplify(points[k:], eps)
        return np.vstack([left[:-1], right])
    return np.array([start, end])


def sorted_by_masks(a: Any) -> Any:
    if len(a) <= 1:
        return a
    p = a[len(a) // 2]
    return np.concatenate([sorted_by_masks(a[a < p]), a[a == p], sorted_by_masks(a[a > p])])


def sort_slices(a: Any) -> Any:
    if len(a) < 2:
        return
    p, i = a[-1], 0
    for j in range(len(a) - 1):
        if a[j] < p:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[-1] = a[-1], a[i]
    sort_slices(a[:i])
    sort_slices(a[i + 1 :])


def merged(a: Any) -> Any:
    n = len(a)
    if n <= 1:
        return a.copy()
    left, right = merged(a[: n // 2]), merged(a[n // 2 :])
    out = np.empty(n)
    i = j = 0
    for k in range(n):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def strassen(A: Any, B: Any) -> Any:
    n = A.shape[0]
    if n <= 2:
        return A @ B
    k = n // 2
    a, b, c, d = A[:k, :k], A[:k, k:], A[k:, :k], A[k:, k:]
    e, f, g, h = B[:k, :k], B[:k, k:], B[k:, :k], B[k:, k:]
    p1, p2, p3, p4 = strassen(a, f - h), strassen(a + b, h), strassen(c + d, e), strassen(d, g - e)
    p5, p6, p7 = strassen(a + d, e + h), strassen(b - d, g + h), strassen(a - c, e + f)
    C = np.zeros((n, n))
    C[:k, :k] = p5 + p4 - p2 + p6
    C[:k, k:] = p1 + p2
    C[k:, :k] = p3 + p4
    C[k:, k:] = p1 + p5 - p3 - p7
    return C


def haar(x: Any) -> Any:
    n = len(x)
    if n == 1:
        return x
    a, d = (x[::2] + x[1::2]) / 2, (x[::2] - x[1::2]) / 2
    return np.concatenate([haar(a), d])


def total(x: Any) -> Any:
    if len(x) < 8:
        s = 0.0
        for v in x:
            s += v
        return s
    m = len(x) // 2
    return total(x[:m]) + total(x[m:])


def power(M: Any, n: Any) -> Any:
    if n == 0:
        return np.eye(len(M))
    if n % 2:
        return M @ power(M, n - 1)
    h = power(M, n // 2)
    return h @ h


def determinant(M: Any) -> Any:
    n = len(M)
    if n == 1:
        return M[0, 0]
    s = 0.0
    for j in range(n):
        m = np.zeros((n - 1, n - 1))
        m[:, :j] = M[1:, :j]
        m[:, j:] = M[1:, j + 1 :]
        s += (-1) ** j * M[0, j] * determinant(m)
    return s


def halve(a: Any, d: Any) -> Any:
    a[len(a) // 2] = d
    if d > 0 and len(a) > 2:
        halve(a[: len(a) // 2], d - 1)
        halve(a[len(a) // 2 :], d - 1)


def overlapping(x: Any, y: Any, n: Any) -> Any:
    y[0] = x[0] + 1
    s = x[0]
    if n > 0:
        t = x * 2
        s += overlapping(t, t, n - 1)
        s += overlapping(t, y, n - 1)
        s += t[0]
    return s + x[0]


def grown_from_others(x: Any, n: Any) -> Any:
    t = x * 2.0
    if n == 0:
        return t
    u = grown_from_others(t, n - 1)
    t[0] = 100.0
    w = u + t[: len(u)]
    v = grown_from_others(w, n - 1)
    w[1] = 5.0
    return v * 0.1 + u + w


def read_after_writes(x: Any, n: Any) -> Any:
    before = x[0]
    if n == 0:
        x[0] = 7.0
        return before
    y = x * 1.0
    v = y[0]
    read_after_writes(x[:2], n - 1)
    read_after_writes(y, n - 1)
    return before + 10.0 * x[0] + 100.0 * y[0] + 1000.0 * v


def pair(x: Any, n: Any) -> Any:
    if n == 0:
        t = x * 1.0
        return t, t
    a, b = pair(x + 1.0, n - 1)
    a[0] += 3.0
    return a * 1.0, b * 1.0


def either(x: Any, n: Any) -> Any:
    if n > 3:
        return None
    if n == 3:
        return x * 2.0
    y = either(x + 1.0, n + 2)
    return x * 1.0 if y is None else y + x


def quicksort(arr: Any) -> Any:
    if len(arr) <= 1:
        return arr
    pivot = arr[len(arr) // 2]
    left = [x for x in arr if x < pivot]
    middle = [x for x in arr if x == pivot]
    right = [x for x in arr if x > pivot]
    return quicksort(left) + middle + quicksort(right)


def mergesort(items: Any) -> Any:
    if len(items) < 2:
        return items
    m = len(items) // 2
    a, b = mergesort(items[:m]), mergesort(items[m:])
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]


def written_below(items: Any, n: Any) -> Any:
    items[0] += 1
    if n == 0:
        return items[0]
    below = [v * 2 for v in items]
    s = written_below(below, n - 1)
    return s + below[0] + items[0]


def points(n: int) -> Any:
    return np.cumsum(A((n, 2)) - 0.3, 0)


COMPILED: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (fft, [(A(n) + 0j,) for n in (64, 32, 1, 6, 12, 0)]),
    (simplify, [(points(50), 0.3), (points(2), 0.1), (points(20), 0.01), (points(0), 1.0)]),
    (sorted_by_masks, [(A(50),), (A(1),), (np.ones(9),), (np.array([1.0, np.nan, 0.5]),)]),
    (sort_slices, [(A(50),), (A(1),), (np.ones(9),), (A(40)[::2],)]),
    (merged, [(A(50),), (A(1),), (np.ones(9),), (A(30)[::-3],)]),
    (strassen, [(A((n, n)), A((n, n))) for n in (16, 2, 6)] + [(A((4, 6)), A((6, 4)))]),
    (haar, [(A(n),) for n in (64, 1, 6, 3)]),
    (total, [(A(n),) for n in (64, 1, 100, 0)]),
    (power, [(A((4, 4)), 13), (A((4, 4)), 0), (A((3, 3)), 5), (A((2, 3)), 5)]),
    (determinant, [(A((n, n)),) for n in (5, 1, 4)] + [(A((3, 4)),)]),
    (halve, [(A(64), 4), (A(1), 3), (A(5), 3), (A(0), 3)]),
    (overlapping, [(A(5), A(5), 3), (A(5), A(5), 0), (A(2), A(1), 2)]),
    (grown_from_others, [(A(5), 4), (A(5), 0), (A(2), 3)]),
    (read_after_writes, [(A(5), 3), (A(5), 0), (A(2), 1)]),
    (quicksort, [([5, 3, 9, 3, 1, 7] * 5,), ([3],), ([],), ([2, 1],)]),
    (mergesort, [([0.5, 0.25, 3.0, -1.0] * 5,), ([3.0],), ([2.0, 1.0],)]),
]


@pytest.mark.parametrize(("program", "calls"), COMPILED, ids=lambda value: getattr(value, "__name__", ""))
def test_it_is_compiled_and_does_what_the_plain_one_does(program: Any, calls: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for args in calls:
        compare(program, decorated, args, calls=2)
    assert f"_{program.__name__}(room, " in js.to_code(decorated, *calls[0])


@pytest.mark.parametrize(
    ("program", "firsts"),
    [(pair, (A(4), A(2))), (either, (A(4), A(2))), (written_below, ([1.0, 2.0, 4.0], [0.5]))],
)
def test_what_may_not_be_compiled_is_right(program: Any, firsts: Any) -> None:
    """Two results may be one array; a result may be None; a list of the caller's or one made inside."""
    decorated: Any = decorate(program, cache=False)
    for first in firsts:
        for n in range(6):
            compare(program, decorated, (first, n), calls=2)


def returned_as_it_is(x: Any, n: Any) -> Any:
    return x if n == 0 else returned_as_it_is(x, n - 1)


def part_of_it(x: Any, n: Any) -> Any:
    return x if n == 0 else part_of_it(x[1:], n - 1)


def all_of_it(x: Any, n: Any) -> Any:
    return x if n == 0 else all_of_it(x[:], n - 1)


def fresh_or_it(x: Any, n: Any) -> Any:
    return x if n == 0 else fresh_or_it(x + 1.0, n - 1)


@pytest.mark.parametrize("program", [returned_as_it_is, part_of_it, all_of_it, fresh_or_it])
def test_which_array_is_returned(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (2, 0, 1, 9):
        x = A(5)
        want, got = program(x, n), decorated(x, n)
        assert (got is x) == (want is x)
        assert np.shares_memory(got, x) == np.shares_memory(want, x)
        np.testing.assert_array_equal(got, want)


def test_a_fresh_array_can_be_written_though_the_argument_can_not() -> None:
    x = A(5)
    x.flags.writeable = False
    decorated: Any = decorate(fresh_or_it, cache=False)
    for n in (2, 0, 1):
        assert decorated(x, n).flags.writeable == fresh_or_it(x, n).flags.writeable


def test_layouts_that_come_up_in_the_calls() -> None:
    decorated: Any = decorate(strassen, cache=False)
    for order in ("C", "F"):
        compare(strassen, decorated, (np.asarray(A((8, 8)), order=order), A((8, 8)).T), calls=2)


def turned(x: Any, n: Any) -> Any:
    return 1.0 if n == 0 else turned(x[::-1], n - 1) + x[0]


def turned_result(x: Any, n: Any) -> Any:
    if n <= 0:
        return x.copy()
    u = turned_result(x[::-1], n - 1)
    v = turned_result(u * 1.0, n - 1)
    return v[::-1]


def every_other(x: Any, n: Any) -> Any:
    if n <= 0:
        return x * 1.0
    u = every_other(x[::2], n - 1)
    v = every_other(x * 2, n - 1)
    return np.concatenate([v, u])[::2]


def turned_pair(x: Any, n: Any) -> Any:
    if n <= 0:
        return x.copy(), 1.0
    u, s = turned_pair(x[::-1], n - 1)
    v, t = turned_pair(u * 1.0, n - 1)
    return v[::-1], s + t


def transposed(m: Any) -> Any:
    n = len(m)
    if n == 1:
        return
    k = n // 2
    transposed(m[:k, :k])
    transposed(m[:k, k:])
    transposed(m[k:, :k])
    transposed(m[k:, k:])
    t = m[:k, k:].copy()
    m[:k, k:] = m[k:, :k]
    m[k:, :k] = t


def part_of_zeros(x: Any, n: Any) -> Any:
    if n <= 0:
        x[0] = 5.0
        return 0.0
    t, u = np.zeros(3), np.ones((2, 3))
    s = part_of_zeros(t[:], n - 1) + part_of_zeros(u[0], n - 1) + part_of_zeros(u.T[1], n - 1)
    return t[0] + s + u[0, 0] + u[0, 1]


def stretched_after_writes(x: Any, n: Any) -> Any:
    if n == 0:
        return x[:1] * 2.0
    r = stretched_after_writes(x, n - 1) * x
    x[0] = n
    return r


LAYOUTS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (turned, [(A(17), 3), (A(17)[::2], 2)]),
    (turned_result, [(A(17), 3), (A(17)[::2], 2), (A(4), 0)]),
    (every_other, [(A(17), 3), (A(17)[::-1], 2), (A(4), 0)]),
    (turned_pair, [(A(17), 3), (A(17)[::2], 2), (A(4), 0)]),
    (transposed, [(A((8, 8)),), (A((8, 8)).T,), (A((1, 1)),)]),
    (part_of_zeros, [(A(3), 2), (A(1), 0)]),
    (stretched_after_writes, [(np.ones(200_000), 2), (A(4), 2)]),
]


@pytest.mark.parametrize(("program", "calls"), LAYOUTS, ids=lambda value: getattr(value, "__name__", ""))
def test_layouts_and_memory_of_inner_calls(program: Any, calls: Any) -> None:
    for args in calls:
        decorated: Any = decorate(program, cache=False)
        for other in (args, *calls):
            compare(program, decorated, other, calls=2)


_FROM_DISK = """
import numpy as np
import test_recursion_with_arrays as programs
from same import compare, decorate

for program, calls in (*programs.LAYOUTS[:-1], *programs.COMPILED):
    decorated = decorate(program)
    for args in calls[:2]:
        compare(program, decorated, args, calls=1)
print("done")
"""


@needs_compiler
def test_they_run_from_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code of types that call each other, as Numba puts it on disk, ends the process."""
    monkeypatch.setenv("JITSCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    for _ in range(2):
        told = subprocess.run([sys.executable, "-c", _FROM_DISK], capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr
        assert told.stdout.splitlines()[-1] == "done"
