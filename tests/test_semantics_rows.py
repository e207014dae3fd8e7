"""Lists that grow by tuples, rows or NumPy's numbers: compiled, and as in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import jitscope as js


def epidemic(s, i, r, days):
    history = []
    for _ in range(days):
        new, gone = 0.3 * s * i / 1000, 0.1 * i
        s -= new
        i += new - gone
        r += gone
        history.append([s, i, r])
    return history


def mixed(n):
    out = []
    t = 0.0
    for i in range(n):
        t += 0.5
        if i % 3:
            out.append((i, t, i % 2 == 0, t * 1j))
    return out


def begun(n):
    t = 0.0
    out = [(0, t), (5, -0.0)]
    for i in range(n):
        t += 0.5
        out.append((i, t))
    return out, len(out), out[-1], out[2][1], out[n]


def filtered(a):
    out = []
    x = 0.0
    for z in a:
        x = x + 0.3 * (z - x)
        out.append(x)
    return np.array(out), out, len(out)


def pairs(a):
    out = []
    for i in range(len(a)):
        if a[i] > 2:
            out.append((i, a[i] * 2))
    return np.array(out), out


def summed(n):
    out = []
    for i in range(n):
        out.append((i, i * 0.5))
    s = 0.0
    for k, x in out:
        s += k * x
    return s, [x for _, x in out], sum(k for k, _ in out)


def halves(n):
    todo = [(n, 0)]
    s = 0
    while todo:
        k, depth = todo.pop()
        s += k * depth
        if k > 1:
            todo.append((k // 2, depth + 1))
            todo.append((k - k // 2, depth + 1))
    return s


def emptied(n):
    out = []
    for i in range(n):
        out.append((i, 1))
    for _ in range(n + 1):
        out.pop()
    return out


def two_lists(n):
    a, b = [], []
    for i in range(n):
        a.append((i, 2.0))
        if i % 2:
            b.append([i, -i])
            b.append([0, 1])
    return a, b


def used_afterwards(n):
    out = []
    for i in range(n):
        row = [i, 2 * i]
        out.append(row)
        row[0] = 7
    return out


def returned_twice(n):
    out = []
    row = [0, 1]
    out.append(row)
    for i in range(n):
        out.append([i, 3])
    return row, out


def changed_in_place(n):
    out = []
    for i in range(n):
        out.append([i, 3])
        out[-1][0] += 5
    return out


def begun_with_none(n):
    out = [None]
    for i in range(n):
        out.append(i * 1.0)
    return out


def begun_with_text(n):
    out = ["a", 2.0]
    for i in range(n):
        out.append(i * 1.0)
    return out, len(out)


def begun_with_a_pair(n):
    out = [(1, 2)]
    for i in range(n):
        out.append(i * 1.0)
    return out


def of_two_forms(n):
    out = []
    for i in range(n):
        out.append((i, 1) if i % 2 else (i, 1.5))
    out.append((1, 2, 3))
    return out


def by_types(n):
    out = []
    for i in range(n):
        out.append((i, i * 0.5) if i > 2 else (i, i))
    return out


def several_returns(a):
    out = []
    for i in range(len(a)):
        if a[i] < 0:
            return out, i
        out.append((i, a[i]))
    return out, -1


def breadth_first(n):
    queue = [(n, 0)]
    seen = 0
    while queue:
        k, depth = queue.pop(0)
        seen += k * depth
        if k > 1:
            queue.append((k // 2, depth + 1))
            queue.append((k - k // 2, depth + 1))
    return seen


def window(a, n):
    last = []
    s = 0.0
    for x in a:
        last.append(float(x))
        if len(last) > n:
            last.pop(0)
        s += last[0]
    return s, last


def popped_at_both_ends(n):
    queue = [1.5]
    for i in range(n):
        queue.append(i * 1.0)
        queue.pop(0)
        if i > 5:
            queue.pop(-1)
    return queue


def components(mask):
    labels = np.zeros(mask.shape, dtype=int)
    current = 0
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j] and labels[i, j] == 0:
                current += 1
                queue = [(i, j)]
                labels[i, j] = current
                while queue:
                    y, x = queue.pop(0)
                    for ny, nx in [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]:
                        if 0 <= ny < mask.shape[0] and 0 <= nx < mask.shape[1]:
                            if mask[ny, nx] and labels[ny, nx] == 0:
                                labels[ny, nx] = current
                                queue.append((ny, nx))
    return labels, current


def an_array_of(n, kind):
    out, pairs = [], []
    for k in range(n):
        out.append(k if kind == 0 else k + 2 if kind == 1 else k * 2)
        pairs.append((k, k))
    return np.array(out), np.array(pairs)


def truths(n):
    out = []
    for k in range(n):
        out.append(k > 1)
    return np.array(out)


def the_same_pair(n):
    a, b = [], []
    c = 0
    for k in range(n):
        t = (k, 0.5)
        a.append(t)
        if a[-1] is a[0]:
            c += 1
        if t is a[-1] and t is not None:
            c += 10
    return c, a[0] is a[0], a[0] is a[-1]


VALUES = np.array([1.0, 5.0, 2.0, 3.5, -1.0, 2.5, 9.0] * 6)
COMPILED = [
    (epidemic, [(990.0, 10.0, 0.0, 40), (990, 10, 0, 40), (1.0, 2.0, 3.0, 0), (np.float64(9), 1.0, 2.0, 40)]),
    (mixed, [(100,), (0,), (1,)]),
    (begun, [(50,), (3,)]),
    (filtered, [(VALUES,), (VALUES.astype(np.float32),), (VALUES[::2],), (VALUES[:0],)]),
    (pairs, [(VALUES,), (VALUES * 0,), (VALUES.astype(int),), (VALUES.astype(np.float32),)]),
    (summed, [(40,), (0,)]),
    (halves, [(50,), (1,)]),
    (two_lists, [(40,), (0,), (1,)]),
    (breadth_first, [(50,), (1,)]),
    (window, [(VALUES, 5), (VALUES, 500), (VALUES[:0], 5), (VALUES, 0)]),
    (popped_at_both_ends, [(6,), (7,), (20,)]),
    (components, [(np.random.default_rng(1).random((9, 9)) < 0.6,), (np.zeros((3, 3), bool),)]),
]
OTHERS = [
    (emptied, [(5,)]),
    (an_array_of, [(5, 0), (0, 0), (3, 1), (0, 1), (0, 2), (2, 2)]),
    (truths, [(5,), (0,), (1,)]),
    (the_same_pair, [(5,), (1,)]),
    (used_afterwards, [(20,)]),
    (returned_twice, [(20,)]),
    (changed_in_place, [(20,)]),
    (begun_with_none, [(20,)]),
    (begun_with_text, [(20,)]),
    (begun_with_a_pair, [(20,)]),
    (of_two_forms, [(20,), (0,)]),
    (by_types, [(20,), (2,)]),
    (several_returns, [(VALUES,), (abs(VALUES),)]),
]


def run(f, args):
    try:
        return f(*args)
    except Exception as error:
        return type(error), str(error)


def parts(value):
    """The structure with types and bits, and which lists are one."""
    if isinstance(value, (list, tuple)):
        return type(value), [parts(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    return type(value), repr(value)


def lists_in(value, found):
    if isinstance(value, (list, tuple)):
        if isinstance(value, list):
            found.append(id(value))
        for item in value:
            lists_in(item, found)
    return found


@pytest.mark.parametrize(("f", "calls"), COMPILED + OTHERS, ids=[f.__name__ for f, _ in COMPILED + OTHERS])
def test_the_rows_are_those_of_plain_python(f, calls):
    fast = js.function(f)
    for args in [*calls, *calls, *calls]:
        wanted, found = run(f, args), run(fast, args)
        assert parts(found) == parts(wanted)
        ours, theirs = lists_in(found, []), lists_in(wanted, [])
        assert [ours.index(one) for one in ours] == [theirs.index(one) for one in theirs]


@pytest.mark.parametrize(("f", "calls"), COMPILED, ids=[f.__name__ for f, _ in COMPILED])
def test_rows_are_made_in_kernels(f, calls):
    assert "cluster_0(" in js.to_code(f, *calls[0])


def test_nan_in_rows_is_shared_as_in_plain_python():
    fast = js.function(epidemic)
    nan = float("nan")
    for _ in range(3):
        rows, wanted = fast(nan, 1.0, 2.0, 5), epidemic(nan, 1.0, 2.0, 5)
        assert parts(rows) == parts(wanted)


@pytest.mark.parametrize("make", [tuple, list], ids=["tuples", "rows"])
def test_gradients_of_rows(make):
    def f(x):
        out = []
        y = x[0]
        for i in range(len(x)):
            y = y * 0.5 + x[i]
            out.append(make((y, y * y)) if make is tuple else [y, y * y])
        return np.array(out).sum()

    x, step = np.arange(5.0) + 1, 1e-6
    found = js.grad(f)(x)
    differences = [(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(5)]
    np.testing.assert_allclose(found, differences, rtol=1e-6)
