"""Lists of the caller's that grow or shrink inside: arguments, attributes, globals, items of dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import from_the_disk, has_compiled_part, needs_compiler
from same import compare, decorate

X = np.arange(1.0, 40.0)
N = list(range(40))
LINKS = (np.add.outer(np.arange(12), np.arange(12)) % 3 == 0).astype(int)


class Model:
    """An object with lists."""

    def __init__(self, h: list[Any], g: list[Any] | None = None) -> None:
        self.h = h
        self.g = [] if g is None else g
        self.scale = 2.0

    def push(self, v):
        self.h.append(v * self.scale)


def sums(out, x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        out.append(s)
    return s


def doubled(out, x):
    for v in x:
        out.append(v * 2)


def of_an_object(m, x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        m.h.append(s)
    return s


def by_a_method(m, x):
    for v in x:
        m.push(v)
    return m.scale


def two_lists(m, x):
    for v in x:
        m.h.append(v)
        if v > 3:
            m.g.append(v * v)
    return 1


def worklist(stack, n):
    s = 0
    while stack:
        v = stack.pop()
        s += v
        if v > 1:
            stack.append(v - 1)
            stack.append(v // 2)
    return s + n


def while_shorter(out, n):
    while len(out) < n:
        out.append(len(out) * 3)


def from_the_last(out, n):
    for _ in range(n):
        out.append(out[-1] + out[-2])
    return out[-1]


def emptied(out, n):
    s = 0.0
    for k in range(n):
        s += out.pop() + k
    return s


def popped_at(out, n):
    s = 0.0
    for k in range(n):
        s += out.pop(0) * k
    return s


def inserted(out, n):
    for k in range(n):
        out.insert(k // 2, float(k))
    return len(out)


def deleted(out, n):
    for _ in range(n):
        del out[1]
    return out[0]


def cleared(out, n):
    t = 0.0
    for k in range(n):
        if len(out) > 5:
            t += out[0]
            out.clear()
        out.append(float(k))
    return t


def removed(out, n):
    for k in range(n):
        out.remove(float(k))
    return len(out)


def extended(out, x):
    for v in x:
        out.extend([v, -v])
    return len(x)


def extended_by_an_array(out, x):
    for _ in range(3):
        out.extend(x)


def added(out, x):
    for v in x:
        out += [v, v + 1.0]
    return out


def returned(out, x):
    for v in x:
        out.append(v)
    return out


def returned_beside(out, x):
    own = []
    for v in x:
        out.append(v)
        own.append(v + 1)
    return own, out, {"out": out}


def returned_early(out, x):
    for v in x:
        if v > 20.5:
            return float(v)
        out.append(v)
    return -1.0


def the_list_returned_early(out, x):
    for v in x:
        if v > 20.5:
            return out
        out.append(v)
    return out


def an_own_list_returned_early(x):
    out = []
    for v in x:
        if v > 20.5:
            return out
        out.append(v)
    return out


def itself_returned_early(m, x):
    for v in x:
        if v > 20.5:
            return m
        m.h.append(v)
    return m


def several_ways_out(out, x):
    if x[0] > 5.0:
        return 0.0
    for v in x:
        out.append(float(v))
        if v > 7.5:
            out.append(-1.0)
            return out[0]
    return 1.0


def nothing_or_number(out, x):
    for v in x:
        out.append(v)
        if v > 7.5:
            return None
    return 1.0


def nested(out, n):
    for i in range(n):
        for j in range(i):
            if (i + j) % 3 == 0:
                out.append(i * j)
            elif (i + j) % 3 == 1:
                out.append(-i)


def truths(out, x):
    for v in x:
        out.append(bool(v > 4))


def complex_ones(out, x):
    for v in x:
        out.append(complex(v, 1.0))


def mixed(out, x):
    for v in x:
        out.append(float(v))
    out.append(1)


def mixed_by_branches(out, n):
    for k in range(n):
        if k % 2:
            out.append(k)
        else:
            out.append(k * 0.5)


def numpys_and_pythons(out, x):
    out.append(0.5)
    for v in x:
        out.append(v)


def either_read(out, x):
    s = 0.0
    for v in x:
        out.append(v)
        s += out[0]
    return s


def too_large(out, n):
    v = 1
    for _ in range(n):
        v = v * 1000
        out.append(v)
    return v


def too_large_at_the_end(out, n):
    for k in range(n):
        out.append(k)
    out.append(2**70)


def raises_in_the_middle(out, x):
    for v in x:
        out.append(v)
        if v > 9.5:
            raise ValueError("too large")
    return 0.0


def raises_of_an_index(out, x):
    for i in range(len(x) + 1):
        out.append(x[i])


def nan_comes(out, x):
    for v in x:
        out.append((v - 3.0) / (v - 3.0))


def numpys_nan_comes(out, x):
    for v in x:
        out.append(np.sqrt(3.0 - v))


def once(out, x):
    out.append(float(x[0]))
    return x.sum()


def of_tuples(out, x):
    for i in range(len(x)):
        out.append((i, x[i]))


def tuples_read(out, n):
    for _ in range(n):
        a, b = out[-1]
        out.append((b, a + b))
    return out[0][1]


def of_rows(out, x):
    for i in range(len(x)):
        out.append([x[i], x[i] * 2])


def of_arrays(out, x):
    for _ in range(3):
        out.append(x * 2)


def of_the_same_array(out, x):
    for _ in range(3):
        out.append(x)


def of_arrays_that_change(out, x):
    for k in range(3):
        y = x * 2
        out.append(y)
        y[0] = k


def of_the_callers_row(out, row, x):
    for v in x:
        out.append([float(v), 1.0])
    out.append(row)


def of_the_callers_rows_inside(row, x):
    out = []
    for v in x:
        out.append([float(v), 1.0])
    out.append(row)
    return out


def extended_three_times(out, y):
    for _ in range(3):
        out.extend(y)


def added_to_an_attribute(m, x):
    for v in x:
        m.h += [v]


def counted_in(counts, x):
    for v in x:
        counts[int(v) % 3] += 1


def written_to(out, x):
    t = 0.0
    for v in x:
        t += v
    out[0] = t
    return t


def two_written(a, b, x):
    for _ in x:
        a[0] += 1.0
        b[0] += a[0]


def as_a_heap(heap, x):
    for v in x:
        heap.append(float(v))
        i = len(heap) - 1
        while i > 0 and heap[(i - 1) // 2] > heap[i]:
            heap[(i - 1) // 2], heap[i] = heap[i], heap[(i - 1) // 2]
            i = (i - 1) // 2
    return heap[0]


def relaxed(u, history, n):
    for _ in range(n):
        new = u.copy()
        new[1:-1] = 0.5 * (u[:-2] + u[2:])
        history.append(np.abs(new - u).max())
        u = new
    return u


def relaxed_in_place(u, history, n):
    for _ in range(n):
        old = u.copy()
        u[1:-1] = 0.5 * (old[:-2] + old[2:])
        history.append(float(np.abs(old - u).max()))


def looked_at_in_every_way(out, x):
    s = 0.0
    for v in x:
        out.append(float(v))
        s += sum(out) + max(out) + len(out)
    for a, b in zip(out, x):
        s += a * b
    for k, a in enumerate(out):
        s += k * a
    for a in reversed(out):
        s = s * 0.5 + a
    return s, [v * 2 for v in out], out[::-1], out[-3:]


def reversed_before(out, x):
    backwards = reversed(out)
    for v in x:
        out.append(float(v))
    return sum(backwards)


def reversed_before_inside(x):
    out = [1.0, 2.0]
    for v in x:
        out.append(float(v))
    backwards = reversed(out)
    for v in x:
        out.append(float(v))
    return sum(backwards)


def reversed_before_it_shrinks(x):
    out = [1.0, 2.0]
    for v in x:
        out.append(float(v))
    backwards = reversed(out)
    for _ in x:
        out.pop()
    return sum(backwards)


def numbered_before(out, x):
    numbered = enumerate(out)
    for v in x:
        out.append(float(v))
    s = 0.0
    for k, v in numbered:
        s += k * v
    return s


def in_each_object(models, x):
    for v in x:
        for m in models:
            m.h.append(float(v))


def at_most_ten(m, x):
    for v in x:
        m.push(float(v))
        if len(m.h) > 10:
            m.h.pop(0)
    return len(m.h)


def deleted_as_a_whole(out, x):
    for v in x:
        out.append(float(v))
    del out[:]
    for v in x:
        out.append(float(v) * 2)


def of_single_precision(out, x):
    for v in x:
        out.append(np.float32(v))


def of_numpys_truths(out, x):
    for v in x:
        out.append(v > 3)


def gone_through_deep_first(links, seen, order, start):
    stack = [start]
    while stack:
        v = stack.pop()
        if seen[v]:
            continue
        seen[v] = 1
        order.append(v)
        for w in range(len(links)):
            if links[v, w] and not seen[w]:
                stack.append(w)


def under_a_condition(out, flag, n):
    if flag:
        for k in range(n):
            out.append(k)
    return flag


def calling_itself(out, n):
    if n <= 0:
        return 0
    out.append(n)
    return calling_itself(out, n - 1) + 1


def in_a_try(out, x):
    for v in x:
        try:
            out.append(1 / v)
        except ZeroDivisionError:
            out.append(0.0)


def of_texts(out, n):
    for k in range(n):
        out.append("a" if k % 2 else "b")


def in_a_dict(d, x):
    for v in x:
        d["loss"].append(v)
        d["step"].append(int(v))
    return d


def in_a_list(columns, x):
    for v in x:
        columns[0].append(v)
        columns[1].append(v * v)


def changed_and_appended(out, x):
    for i in range(len(x)):
        out[0] = float(x[i])
        out.append(out[0] * 2)


def sorted_at_the_end(out, x):
    for v in x:
        out.append(float(-v))
    out.sort()
    return out.index(-3.0)


def replaced(m, x):
    for v in x:
        m.h.append(v)
    m.h = []
    return m.scale


def replaced_first(m, x):
    m.h = []
    for v in x:
        m.h.append(v)
    return m.scale


def counted_with(m, x):
    for v in x:
        m.scale += 1.0
        m.h.append(m.scale)
    return len(m.h)


def another_name(out, x):
    mine = out
    for v in x:
        mine.append(v)
    return len(out)


def one_of_two(out, x):
    mine = out if x[0] > 5.0 else []
    for v in x:
        mine.append(v)
    return len(mine)


def while_gone_through(out, n):
    for v in out:
        if len(out) < n:
            out.append(v + 1)
    return len(out)


def given_to_python(out, x):
    for v in x:
        out.append(v)
    return sorted(out, key=str), str(out), tuple(out)


def printed(out, x):
    for v in x:
        out.append(float(v))
    print(out, len(out))


def helped(out, x):
    def add(v):
        if v > 3.0:
            out.append(v)
            return 1
        out.append(0.0)
        return 0

    s = 0
    for v in x:
        s += add(float(v))
    return s


def with_the_array(out, x):
    for i in range(len(x)):
        x[i] = x[i] * 2
        out.append(x[i])


def with_a_list(out, y):
    for i in range(len(y)):
        y[i] = y[i] * 2
        out.append(y[i])


def from_a_list(out, y):
    for v in y:
        out.append(v + 1)


def with_numpy(out, x):
    for v in x:
        out.append(v)
    return np.array(out).mean()


def in_it(out, n):
    for k in range(n):
        if k * 7 % 11 not in out:
            out.append(k * 7 % 11)
    return len(out)


def none_or_list(out=None, n=3):
    if out is None:
        out = []
    for k in range(n):
        out.append(k)
    return out


def two_at_once(out, other, x):
    for v in x:
        out.append(v)
        other.append(len(out))
    return len(other)


def sized_by_another(out, other, x):
    for v in x:
        out.append(v)
    return len(other)


def read_in_another(out, other, x):
    for v in x:
        out.append(v)
    return other[-1]


def itself(out, n):
    for _ in range(n):
        out.extend(out)


def only_new_ones(out, x):
    start = len(out)
    for v in x:
        out.append(float(v))
    return out[start:]


def numpys_in_a_slice(out, x):
    for v in x:
        out.append(v)
    return out[1:]


def halves(out, n):
    for k in range(n):
        while len(out) > 3 and out[-1] < k:
            out.pop()
        out.append(k % 5)
    return out


def unbound_sometimes(out, n):
    for k in range(n):
        if k > 100:
            late = k
        out.append(k)
    return late


COMPILED: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (sums, [([], X), ([1.0, 2.0], X), ([0.5] * 20, X), (["a", None, []], X), ([], X[:0])]),
    (doubled, [([], X), ([], N), ([1], N), ([], [1.5] * 12), ([True], [1.5, 2.0])]),
    (of_an_object, [(Model([]), X), (Model([1.0]), X), (Model([0.5] * 20), X), (Model(["a"]), X)]),
    (by_a_method, [(Model([]), X), (Model([1.0]), X)]),
    (two_lists, [(Model([], []), X), (Model([1.0], []), X), (Model([], [2]), X)]),
    (worklist, [([9, 4], 1), ([], 1), ([3] * 20, 1), ([2.5, 4.0], 1), ([True, False], 1), ([True, 3], 1)]),
    (while_shorter, [([], 30), ([1, 2], 30), ([1.5], 30), ([1] * 40, 30)]),
    (from_the_last, [([0, 1], 30), ([0.0, 1.0], 30), ([0, 1], 100), ([0], 3), ([], 3)]),
    (emptied, [([1.0, 2.0, 3.0], 3), ([1.0] * 30, 20), ([1.0, 2.0], 3), ([1.0] * 30, 40), ([1, 2.5], 2)]),
    (popped_at, [([1.0, 2.0, 3.0], 2), ([0.5 * k for k in range(30)], 20), ([1.0], 2)]),
    (inserted, [([], 9), ([1.0, 2.0], 9), ([1.0] * 20, 9), ([1], 9)]),
    (deleted, [([1.0, 2.0, 3.0, 4.0], 2), ([float(k) for k in range(30)], 20), ([1.0, 2.0], 3)]),
    (cleared, [([], 30), ([1.0] * 20, 30)]),
    (removed, [([2.0, 1.0, 0.0, 5.0], 3), ([float(k) for k in range(20)], 10), ([0.0, 2.0], 3)]),
    (extended, [([], X), ([1.0], X), ([], N)]),
    (extended_by_an_array, [([], X), ([1.0] * 20, X)]),
    (returned, [([], X), ([1.0], X)]),
    (returned_beside, [([], X), ([1.0], X)]),
    (returned_early, [([], X), ([], X[:5]), ([1.0], X)]),
    (the_list_returned_early, [([], X), ([], X[:5]), ([1.0], X)]),
    (an_own_list_returned_early, [(X,), (X[:3],)]),
    (itself_returned_early, [(Model([]), X), (Model([1.0]), X[:3])]),
    (several_ways_out, [([], X), ([4.0], X), ([], X + 6), ([], X[:3])]),
    (nested, [([], 15), ([1], 15), ([1] * 20, 15)]),
    (truths, [([], X), ([True], X), ([1], X)]),
    (complex_ones, [([], X), ([1j], X)]),
    (numpys_and_pythons, [([], X), ([1.0], X)]),
    (either_read, [([], X), ([1.0], X), ([np.float64(1.0)], X)]),
    (too_large, [([], 5), ([], 10), ([1], 10)]),
    (raises_in_the_middle, [([], X), ([], X[:5]), ([1.0], X)]),
    (raises_of_an_index, [([], X), ([1.0], X)]),
    (nan_comes, [([], X), ([1.0], X)]),
    (numpys_nan_comes, [([], X), ([1.0], X)]),
    (of_tuples, [([], X), ([(1, 2.0)], X), (["a"], X)]),
    (tuples_read, [([(0, 1)], 20), ([(0.0, 1.0)] * 12, 20), ([(0, 1)], 100)]),
    (of_rows, [([], X), ([[1.0, 2.0]], X)]),
    (in_a_dict, [({"loss": [], "step": []}, X), ({"loss": [1.0], "step": [1]}, X)]),
    (in_a_list, [([[], []], X), ([[1.0], [2.0]], X)]),
    (changed_and_appended, [([1.0] * 20, X), ([1.0], X), ([np.float64(1.0)], X), ([], X)]),
    (sorted_at_the_end, [([], X), ([1.0] * 20, X)]),
    (counted_with, [(Model([]), X), (Model([1.0]), X)]),
    (another_name, [([], X), ([1.0], X)]),
    (printed, [([], X), ([1.0], X)]),
    (with_the_array, [([], X), ([1.0], X)]),
    (with_a_list, [([], [1.5] * 20), ([1.0], [1.5] * 20), ([], [1.5, 2.5])]),
    (from_a_list, [([], [1.5] * 20), ([1.0], [1.5] * 20), ([], [1.5, 2.5])]),
    (with_numpy, [([], X), ([1.0], X)]),
    (in_it, [([], 30), ([2, 3], 30), ([1] * 20, 30)]),
    (none_or_list, [([], 30), ([1], 30), (None, 30)]),
    (only_new_ones, [([], X), ([1.0], X), ([np.float64(1.0)] * 20, X)]),
    (extended_three_times, [([], X), (["a"], X[:0]), ([1.0] * 20, X), ([], [1.0]), ([], [])]),
    (added_to_an_attribute, [(Model([]), X), (Model([1.0]), X)]),
    (counted_in, [([0, 0, 0], X), ([0.5, 1.0, 2.0], X), ([0] * 12, X), ([0], X)]),
    (written_to, [([1.0], X), ([1.0] * 12, X), ([], X), (["a"], X), ([1], X)]),
    (two_written, [([0.0], [1.0], X), ([0.0], [1], X)]),
    (as_a_heap, [([], X[::-1].copy()), ([1.0, 2.0], X[::-1].copy())]),
    (relaxed, [(X**2, [], 30), (X**2, [1.0], 30)]),
    (relaxed_in_place, [(X**2, [], 30), (X**2, [1.0], 30)]),
    (looked_at_in_every_way, [([], X), ([1.0], X)]),
    (numbered_before, [([1.0, 2.0], X), ([], X)]),
    (in_each_object, [([Model([]), Model([1])], X)]),
    (at_most_ten, [(Model([]), X), (Model([1.0]), X)]),
    (deleted_as_a_whole, [([], X), ([1.0], X)]),
    (of_single_precision, [([], X), ([np.float32(1.0)], X)]),
    (of_numpys_truths, [([], X), ([True], X)]),
    (gone_through_deep_first, [(LINKS, np.zeros(12, int), [], 0), (LINKS, [0] * 12, [5], 0)]),
    (under_a_condition, [([], True, 5), ([], False, 5), ([1.0], True, 5)]),
    (halves, [([], 50), ([1], 50), ([4] * 20, 50)]),
]
"""Functions of which some call has to be compiled, and their arguments."""

RIGHT: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (added, [([], X), ([1.0], X)]),
    (nothing_or_number, [([], X), ([], X[:3])]),
    (mixed, [([], X), ([1.0], X)]),
    (mixed_by_branches, [([], 9), ([1.0], 9)]),
    (too_large_at_the_end, [([], 5), ([1], 5)]),
    (once, [([], X), ([1.0], X)]),
    (numpys_in_a_slice, [([], X), ([1.0], X)]),
    (of_arrays, [([], X), ([X], X)]),
    (of_the_same_array, [([], X), ([X], X)]),
    (of_arrays_that_change, [([], X), ([X], X)]),
    (of_the_callers_row, [([], [3.0, 4.0], X), ([[1.0, 2.0]], [3.0, 4.0], X)]),
    (of_the_callers_rows_inside, [([3.0, 4.0], X)]),
    (reversed_before, [([1.0, 2.0], X), ([1.0] * 20, X), ([], X)]),
    (reversed_before_inside, [(X,)]),
    (reversed_before_it_shrinks, [(X,)]),
    (calling_itself, [([], 9), ([1], 9)]),
    (in_a_try, [([], X - 3), ([], [3.0, 0.0, 1.0])]),
    (of_texts, [([], 5), (["c"], 5)]),
    (replaced, [(Model([]), X), (Model([1.0]), X)]),
    (replaced_first, [(Model([]), X), (Model([1.0]), X)]),
    (one_of_two, [([], X), ([1.0], X), ([], X + 6)]),
    (while_gone_through, [([1], 20), ([1.0] * 15, 30), ([], 3)]),
    (given_to_python, [([], X), ([1.0], X)]),
    (helped, [([], X), ([1.0], X)]),
    (itself, [([1.0, 2.0], 3), ([], 3)]),
    (unbound_sometimes, [([], 5), ([], 150), ([1], 5)]),
]
"""Functions that need not be compiled, but have to be right."""


@pytest.mark.parametrize(
    ("function", "calls"), [*COMPILED, *RIGHT], ids=lambda value: getattr(value, "__name__", "")
)
def test_it_does_what_python_does(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    decorated = decorate(function)
    for arguments in calls + calls[:2]:
        compare(function, decorated, arguments, calls=3)


@needs_compiler
@pytest.mark.parametrize(("function", "calls"), COMPILED, ids=lambda value: getattr(value, "__name__", ""))
def test_it_is_compiled(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    decorated = decorate(function)
    compare(function, decorated, calls[0], calls=1)
    assert has_compiled_part(decorated)


@pytest.mark.parametrize("function", [two_at_once, sized_by_another, read_in_another])
@pytest.mark.parametrize("items", [[], [1.0], [0.5] * 20, ["a"]], ids=["none", "one", "many", "others"])
def test_two_names_of_one_list(function: Callable[..., Any], items: list[Any]) -> None:
    decorated = decorate(function)
    compare(function, decorated, (list(items), [1.0, 2.0], X), calls=3)
    compare(function, decorated, (list(items), [2], X), calls=3)
    both = list(items)
    compare(function, decorated, (both, both, X), calls=3)
    compare(function, decorated, (list(items), [1.0, 2.0], X), calls=3)


def test_one_object_twice() -> None:
    decorated = decorate(in_each_object)
    compare(in_each_object, decorated, ([Model([]), Model([])], X), calls=2)
    one = Model([])
    compare(in_each_object, decorated, ([one, one], X), calls=3)


def test_two_names_of_one_list_that_is_written() -> None:
    both = [1.0, 2.0]
    decorated = decorate(two_written)
    for arguments in (([0.0], [1.0], X), (both, both, X)):
        compare(two_written, decorated, arguments, calls=3)


@needs_compiler
def test_it_comes_from_the_disk() -> None:
    for function, arguments in ((sums, ([], X)), (worklist, ([9, 4], 1)), (of_an_object, (Model([]), X))):
        decorated = decorate(function)
        compare(function, decorated, arguments, calls=1)
        with from_the_disk(decorated):
            compare(function, decorated, arguments, calls=1)


def test_one_list_in_two_attributes() -> None:
    shared: list[float] = []
    decorated = decorate(two_lists)
    compare(two_lists, decorated, (Model([], []), X), calls=2)
    compare(two_lists, decorated, (Model(shared, shared), X), calls=3)


def test_a_list_that_a_dict_holds_too() -> None:
    def f(out, d, x):
        for v in x:
            out.append(v)
        return len(d[1.5]), d[1.5][-1]

    out = [1.0]
    decorated = decorate(f)
    for arguments in ((out, {1.5: out}, X), ([], {1.5: [3.0]}, X), (out, {1.5: out}, X)):
        compare(f, decorated, arguments, calls=3)


def test_items_that_stay_are_the_same_objects() -> None:
    def f(stack, n):
        s = 0.0
        for _ in range(n):
            s += stack.pop()
            stack[0] = s
        for k in range(n):
            stack.append(float(k))
        return s

    decorated = decorate(f)
    for _ in range(5):
        stack = [float(k) + 0.5 for k in range(30)]
        old = list(stack)
        decorated(stack, 7)
        assert [id(item) for item in stack[1:23]] == [id(item) for item in old[1:23]]
        assert len(stack) == 30


def test_many_calls_with_one_list() -> None:
    def f(history, x):
        s = 0.0
        for v in x:
            s += v * v
            history.append(s)
        return s

    expected: list[Any] = []
    found: list[Any] = []
    decorated = decorate(f)
    for k in range(60):
        x = X + k
        assert f(expected, x) == decorated(found, x)
        assert expected == found
        assert list(map(type, expected)) == list(map(type, found))


HISTORY: list[Any] = []


def length_of_the_history():
    try:
        return len(HISTORY)
    finally:
        SEEN.append(HISTORY[-1])


SEEN: list[Any] = []


def looked_at_from_elsewhere(x):
    for v in x:
        HISTORY.append(float(v))
    return length_of_the_history()


def test_other_code_looks_at_the_list() -> None:
    decorated = decorate(looked_at_from_elsewhere)
    for count in range(1, 5):
        assert decorated(X) == count * len(X)
        assert SEEN == [39.0] * count
    HISTORY.clear()


class Talking(Model):
    """Its method can't be followed."""

    def report(self):
        try:
            return len(self.h)
        finally:
            self.g.append(self.h[-1])


def told_at_the_end(m, x):
    for v in x:
        m.h.append(float(v))
    return m.report()


def test_a_method_looks_at_the_list_at_the_end() -> None:
    compare(told_at_the_end, decorate(told_at_the_end), (Talking([]), X), calls=3)


def to_a_global(x):
    for v in x:
        HISTORY.append(v)
    return len(x)


def test_a_global_list() -> None:
    decorated = decorate(to_a_global)
    for count in range(1, 6):
        decorated(X)
        assert len(HISTORY) == count * len(X)
        assert type(HISTORY[-1]) is np.float64
    HISTORY.clear()


def test_a_list_of_an_enclosing_function() -> None:
    out: list[Any] = []

    def f(x):
        for v in x:
            out.append(float(v))

    decorated = decorate(f)
    for count in range(1, 6):
        decorated(X)
        assert out == list(X) * count
    assert {type(item) for item in out} == {float}


def test_a_class_whose_lists_are_made_anew() -> None:
    decorated = decorate(of_an_object)
    for k in range(6):
        m = Model([0.5] * k)
        decorated(m, X)
        assert len(m.h) == k + len(X)


def test_a_subclass_of_list_is_asked_itself() -> None:
    class Loud(list):
        def append(self, item):
            super().append(-item)

    decorated = decorate(sums)
    compare(sums, decorated, ([], X), calls=2)
    loud = Loud()
    decorated(loud, X)
    assert loud[:2] == [-1.0, -3.0]


def kept_if_large(items, v):
    if v > 3.0:
        items.append(v)
        return v * 0.5
    return v


def taken_if_any(items):
    if len(items) > 0:
        return items.pop()
    return -1.0


def by_a_helper_that_returns_early(out, x):
    for v in x:
        out.append(kept_if_large(out, v))


def taken_by_a_helper_that_returns_early(out, x):
    for v in x:
        out.append(v)
        out[-1] += taken_if_any(out)


def of_an_item(pair, x):
    a = pair[1]
    for v in x:
        a.append(v)
        a.append(taken_if_any(a))
    return len(a)


@pytest.mark.parametrize("program", [by_a_helper_that_returns_early, taken_by_a_helper_that_returns_early])
def test_helpers_that_change_lists_and_return_early(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for count in (1, 3, 0, 2):
        compare(program, decorated, ([1.5] * count, X), calls=2)


def test_helpers_that_change_items_of_tuples_and_return_early() -> None:
    compare(of_an_item, decorate(of_an_item), (([1.0], [1.5, 2.0]), X), calls=3)


def parts_of_one(x, n):
    z = np.zeros(len(x))
    for i in range(len(x)):
        z[i] = x[i] * 2
        if x[i] > n:
            return z[:i], z
    return z[3:], z


def parts_of_arguments(x, y, n):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    if s > n:
        return x[3:]
    return y[2:]


def test_views_of_several_sizes_know_whose_they_are() -> None:
    one, arguments = decorate(parts_of_one), decorate(parts_of_arguments)
    x, y = np.arange(300.0), np.ones(300)
    for n in (10.0, 1e9, 20.0):
        for _ in range(3):
            part, whole = one(x, n)
            assert part.base is whole
            assert arguments(x, y, n).base is (x if n < 1e9 else y)
