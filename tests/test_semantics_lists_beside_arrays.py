"""Functions with lists that also write arrays and draw numbers: what can't go on is undone and runs plain."""

from __future__ import annotations

import resource
import signal
from pathlib import Path

import numpy as np
import pytest

import jitscope as js


def flood(grid, r0, c0):
    rows, cols = grid.shape
    stack = [(r0, c0)]
    size = 0
    while stack:
        r, c = stack.pop()
        if grid[r, c] != 1:
            continue
        grid[r, c] = 2
        size += 1
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < rows and 0 <= nc < cols and grid[nr, nc] == 1:
                stack.append((nr, nc))
    return size


def beyond_the_end(a, n):
    out = []
    for i in range(n):
        a[i] += 1
        out.append((i, a[i]))
    return out


def beyond_64_bits(a, n):
    out = []
    k = 1
    for i in range(n):
        a[i] += 1
        k *= 1000
        out.append(k)
    return out


def popped_too_often(a, n):
    out = [1.0, 2.0]
    for i in range(n):
        a[i] += out.pop()
        if i % 2:
            out.append(a[i])
    return out


def nan_halfway(a, n):
    out = []
    for i in range(n):
        x = a[i] * 2 if i != 17 else np.inf - np.inf
        a[i] = i
        out.append(float(x))
    return out


def waiting_times(rng, a, n):
    out = []
    t = 0.0
    for i in range(n):
        t += rng.exponential(2.0)
        a[i] = t
        out.append((t, i))
    return out


def caller_list(values, a):
    total = 0.0
    for i in range(len(values)):
        total += values[i]
        a[i] = total
        values[i] = a[i] * 2
    return total


def run(f, *args):
    try:
        return repr(f(*args))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("size", [60, 20_000])
@pytest.mark.parametrize("f", [beyond_the_end, beyond_64_bits, popped_too_often, nan_halfway])
def test_arrays_are_as_plain_python_leaves_them(f, size):
    fast = js.function(f)
    for n in (3, 6, 30, 61, 59, 4, 100):
        ours, theirs = np.ones(size), np.ones(size)
        assert run(fast, ours, n) == run(f, theirs, n)
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("layout", ["C", "F", "steps"])
def test_flood_fill(layout):
    grid = (np.random.default_rng(0).random((40, 40)) < 0.7).astype(int)
    if layout == "F":
        grid = np.asfortranarray(grid)
    fast = js.function(flood)
    for r0, c0 in ((20, 20), (0, 0), (5, 30), (40, 0), (-1, 3), (7, 7)):
        ours, theirs = (np.repeat(grid, 2, 0)[::2] if layout == "steps" else grid.copy("K") for _ in range(2))
        assert run(fast, ours, r0, c0) == run(flood, theirs, r0, c0)
        np.testing.assert_array_equal(ours, theirs)
    assert "cluster_0(" in js.to_code(flood, grid, 20, 20)


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_generators_are_as_plain_python_leaves_them(make):
    fast = js.function(waiting_times)
    for n in (10, 50, 51, 49, 400):
        (ours, a), (theirs, b) = [(make(3), np.zeros(50)) for _ in range(2)]
        assert run(fast, ours, a, n) == run(waiting_times, theirs, b, n)
        np.testing.assert_array_equal(a, b)
        assert ours.random() == theirs.random()


def test_the_callers_list_and_array():
    fast = js.function(caller_list)
    for size in (50, 49, 51, 10, 50):
        ours, theirs = [[0.5 * k for k in range(50)] for _ in range(2)]
        a, b = np.zeros(size), np.zeros(size)
        assert run(fast, ours, a) == run(caller_list, theirs, b)
        assert ours == theirs
        np.testing.assert_array_equal(a, b)


def test_what_arrives_from_outside_goes_on():
    """An exception of a signal's handler ends the call: nothing starts again."""

    class Alarm(Exception):
        pass

    def handler(*_):
        raise Alarm

    def endless(a, n):
        out = []
        k = 0
        while k < n:
            k += 1
            a[k % 10] += 1
            if len(out) < 100:
                out.append((k, 1.0))
        return out

    fast = js.function(endless)
    fast(np.zeros(10), 1000)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Alarm):
            fast(np.zeros(10), 10**15)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_large_arrays_are_not_copied():
    """Their memory is never touched, and a copy would touch all of it."""
    large, small = np.empty(2**25 + 8), np.empty(100)
    large[:50] = small[:50] = 1.5
    fast = js.function(beyond_the_end)
    before = resident()
    for _ in range(3):
        assert fast(large, 50) == fast(small, 50)
    assert resident() - before < 100 << 20


def resident():
    """Bytes of memory that the process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
