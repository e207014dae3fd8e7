"""Lists of numbers, as arguments, locals and results: they stay Python's lists, whatever computes them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same

_R = random.Random(4)
FLOATS = [_R.random() - 0.3 for _ in range(40)]
INTS = [_R.randrange(-50, 50) for _ in range(40)]
TABLE = [[_R.random() for _ in range(7)] for _ in range(6)]
COUNTS = [[_R.randrange(9) for _ in range(12)] for _ in range(12)]
TRUTHS = [_R.random() < 0.5 for _ in range(30)]
WAVES = [complex(_R.random(), _R.random()) for _ in range(20)]


def bubble(l):
    n = len(l)
    for i in range(n):
        for j in range(n - 1 - i):
            if l[j] > l[j + 1]:
                l[j], l[j + 1] = l[j + 1], l[j]
    return l


def insertion(l):
    for i in range(1, len(l)):
        x = l[i]
        j = i - 1
        while j >= 0 and l[j] > x:
            l[j + 1] = l[j]
            j -= 1
        l[j + 1] = x


def product(a, b):
    n, m, k = len(a), len(b[0]), len(b)
    c = [[0.0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            s = 0.0
            for t in range(k):
                s += a[i][t] * b[t][j]
            c[i][j] = s
    return c


def primes(n):
    s = [True] * (n + 1)
    s[0] = s[1] = False
    for i in range(2, int(n**0.5) + 1):
        if s[i]:
            for j in range(i * i, n + 1, i):
                s[j] = False
    return [i for i in range(n + 1) if s[i]]


def knapsack(w, v, c):
    best = [0] * (c + 1)
    for i in range(len(w)):
        for j in range(c, w[i] - 1, -1):
            best[j] = max(best[j], best[j - w[i]] + v[i])
    return best[c]


def statistics(l):
    n = len(l)
    m = sum(l) / n
    return m, sum((x - m) ** 2 for x in l) / n, max(l), min(l)


def smooth(l):
    return [(l[i - 1] + l[i] + l[i + 1]) / 3 for i in range(1, len(l) - 1)]


def transposed(a):
    return [[a[i][j] for i in range(len(a))] for j in range(len(a[0]))]


def swept(a, k):
    for _ in range(k):
        b = [row[:] for row in a]
        for i in range(1, len(a) - 1):
            for j in range(1, len(a[0]) - 1):
                a[i][j] = (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]) / 4


def longest(a):
    d = [1] * len(a)
    for i in range(len(a)):
        for j in range(i):
            if a[j] < a[i] and d[j] + 1 > d[i]:
                d[i] = d[j] + 1
    return max(d), d


def waves(z):
    s = 0j
    for k, x in enumerate(z):
        s += x * k
        z[k] = x * 1j if k % 2 else x * s
    return abs(s)


def flips(t):
    n = 0
    for i in range(len(t)):
        if t[i] and not t[i - 1]:
            n += 1
            t[i] = False
    return n, any(t), all(t)


def rolled(prev, n):
    for _ in range(n):
        cur = [0] * len(prev)
        for i in range(len(prev)):
            cur[i] = prev[i - 1] + prev[i] * 3 % 17
        for i in range(len(prev)):
            prev[i] = cur[i] % 1009
    return prev[0]


def rows_of_dp(a, b):
    prev = [j for j in range(len(b) + 1)]
    for i in range(1, len(a) + 1):
        cur = [i] * (len(b) + 1)
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + cost)
        prev = cur
    return prev[len(b)]


def union_find(pairs_a, pairs_b, n):
    parent = [i for i in range(n)]
    groups = n
    for k in range(len(pairs_a)):
        x, y = pairs_a[k] % n, pairs_b[k] % n
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        while parent[y] != y:
            y = parent[y]
        if x != y:
            parent[x] = y
            groups -= 1
    return groups, parent


PROGRAMS = [
    (bubble, [(FLOATS,), (INTS,), ([3, 1, 2],), ([1.0, 2, 3] * 4,), ([],), (TRUTHS,), (list("banana"),)]),
    (insertion, [(INTS,), (FLOATS,), ([2, 1],), ([1, 2.5] * 6,)]),
    (
        product,
        [(TABLE, transposed(TABLE)), (COUNTS, COUNTS), (TABLE, TABLE), ([[1.0]], [[2.0]]), ([], [[1]])],
    ),
    (primes, [(100,), (1,), (0,), (-5,), (2,)]),
    (knapsack, [([10, 20, 30] * 4, [60, 100, 120] * 4, 150), ([3] * 9, [4] * 9, 2), ([50] * 9, [4] * 8, 90)]),
    (statistics, [(FLOATS,), (INTS,), ([0.0] * 10,), ([],), ([2**62] * 12,), ([1.5, 2] * 6,)]),
    (smooth, [(FLOATS,), (INTS,), ([1.0],), ([],), ([1.0, None, 2.0] * 5,)]),
    (transposed, [(TABLE,), (COUNTS,), ([[1, 2], [3]] * 6,), ([[]],), ([[1.0, 2.0]] * 10,)]),
    (swept, [(TABLE, 3), (COUNTS, 1), (COUNTS, 2), (TABLE, 0)]),
    (longest, [(INTS,), (FLOATS,), ([],), ([5],)]),
    (waves, [(WAVES,), (FLOATS,), ([1j, 2.0] * 6,)]),
    (flips, [(TRUTHS,), (INTS,), ([True, 0] * 8,), ([],)]),
    (rolled, [(INTS, 9), (INTS, 0), ([1] * 10, 3), (FLOATS, 2), ([], 2)]),
    (rows_of_dp, [(INTS, INTS[5:]), (INTS, []), (FLOATS, INTS), ([], [])]),
    (union_find, [(INTS, INTS[::-1], 25), (INTS, INTS[3:], 25), (INTS, INTS, 0)]),
]
CASES = [pytest.param(function, cases, id=function.__name__) for function, cases in PROGRAMS]


@pytest.mark.parametrize(("function", "cases"), CASES)
def test_whichever_call_comes_first(function, cases):
    for first in range(len(cases)):
        decorated = decorate(function)
        for case in [cases[first], *cases]:
            compare(function, decorated, case, calls=6)


@needs_compiler
@pytest.mark.parametrize(("function", "cases"), CASES)
def test_lists_of_one_kind_are_compiled(function, cases):
    decorated = decorate(function, cache=False)
    decorated(*(_copy(value) for value in cases[0]))
    assert has_compiled_part(decorated), decorated.explain(*cases[0])


def _copy(value):
    return [_copy(item) for item in value] if isinstance(value, list) else value


# What a list is to its caller ----------------------------------------


def first_and_last(l):
    l[0], l[-1] = l[-1], l[0]
    s = 0
    for i in range(len(l)):
        s += l[i]
    return l


def test_the_callers_list_is_changed_and_returned():
    decorated = decorate(first_and_last)
    for _ in range(6):
        mine = list(INTS)
        alias = mine
        assert decorated(mine) is alias
        assert mine == [INTS[-1], *INTS[1:-1], INTS[0]]
        assert all(type(item) is int for item in mine)


def test_rows_stay_the_rows_that_they_were():
    def scale(a):
        for i in range(len(a)):
            for j in range(len(a[i])):
                a[i][j] *= 2.0

    decorated = decorate(scale)
    for _ in range(6):
        table = [list(row) for row in TABLE]
        rows = list(table)
        decorated(table)
        assert all(one is other for one, other in zip(table, rows, strict=True))
        assert table == [[2.0 * x for x in row] for row in TABLE]


def add_to(a, b):
    for i in range(len(a)):
        a[i] += b[i - 1] * 2
    return a[0]


def test_one_list_under_two_names():
    decorated = decorate(add_to)
    for call in range(8):
        one, other = list(INTS), list(INTS)
        if call % 2:
            assert decorated(one, one) == add_to(other, other)
        else:
            assert decorated(one, INTS) == add_to(other, INTS)
        assert one == other


def test_rows_that_are_one_list():
    def count(a):
        for i in range(len(a)):
            for j in range(len(a[0])):
                a[i][j] += i + j

    row = [0] * 10
    for table in ([row] * 4, [[0] * 10 for _ in range(4)], [row, [0] * 10, row]):
        decorated, plain = decorate(count), [table, table][0]
        before = [list(r) for r in table]
        decorated(table)
        after = [list(r) for r in table]
        for r, old in zip(table, before, strict=True):
            r[:] = old
        count(plain)
        assert after == plain


SHARED = [1.5] * 20


def from_outside(k):
    for i in range(len(SHARED)):
        SHARED[i] += k
    s = 0.0
    for x in SHARED:
        s += x
    return s


def test_a_global_list():
    decorated = decorate(from_outside)
    for k in (1.0, 0.5, 2.0, 3.0, 1.0, 7.0):
        SHARED[:] = [1.5] * 20
        expected = from_outside(k)
        after = list(SHARED)
        SHARED[:] = [1.5] * 20
        assert decorated(k) == expected
        assert after == SHARED


# What is met halfway ----------------------------------------


def past_the_end(l, k):
    for i in range(len(l)):
        l[i] = l[i] * 2
        if l[i + k] > 100:
            break
    return l


def divides(l):
    for i in range(len(l)):
        l[i] = 10 // l[i]


def grows(l):
    for i in range(len(l)):
        l[i] = l[i] ** 3 * l[i]
    return sum(l)


def kinds(l):
    for i in range(len(l)):
        l[i] = l[i] / 2 if i > 5 else l[i]
    return l


def told(l):
    print(l[0])
    for i in range(len(l)):
        l[i] += 1
    print(l[0], len(l))
    return l[5]


@pytest.mark.parametrize(
    ("function", "cases"),
    [
        (past_the_end, [(INTS, 0), (INTS, 1), (INTS, 60), (INTS, -1), (FLOATS, 3)]),
        (divides, [([3] * 12,), ([1] * 8 + [0] + [2] * 4,), ([0.5] * 12,), ([0.0] * 12,)]),
        (grows, [([3] * 12,), ([2**20] * 12,), ([-(2**40)] * 12,), ([1e200] * 12,)]),
        (kinds, [([4] * 12,), ([4.0] * 12,), ([4, 4.0] * 6,)]),
        (told, [(INTS,), (FLOATS,)]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_exceptions_and_kinds_in_the_middle(function, cases):
    decorated = decorate(function)
    for case in [*cases, *cases[::-1]]:
        compare(function, decorated, case, calls=5)


NAN = float("nan")


@pytest.mark.parametrize(
    "items",
    [
        [0.0, -0.0, NAN, math.inf, -math.inf] * 3,
        [np.float64(1.5), 2.5] * 6,
        [np.float64(1.5)] * 12,
        [True, 1] * 6,
        [2**63] * 12,
        [2**63 - 1, -(2**63)] * 6,
        [1, 2.0] * 6,
        [[1.0], 2.0] * 6,
        [[1.0, 2.0], [1.0]] * 6,
        [(1.0, 2.0)] * 12,
        [[1.0, 2.0], (3.0, 4.0)] * 6,
        [None] * 12,
    ],
    ids=str,
)
def test_items_of_any_kind(items):
    def turned(l):
        for i in range(len(l) // 2):
            l[i], l[len(l) - 1 - i] = l[len(l) - 1 - i], l[i]
        return l[0], l[3:5], len(l)

    def doubled(l):
        return [x + x for x in l], l

    def signs(l):
        return [x == l[0] for x in l], l[-1] in l, 7 in l

    for function in (turned, doubled, signs):
        same(function, items, calls=6)


def test_pieces_of_lists():
    def pieces(l, a, b):
        u = l[a:b]
        v = l[:]
        w = l[::-1]
        u2 = list(l)
        for i in range(len(v)):
            v[i] = w[i] + u2[i]
        s = 0.0
        for x in u:
            s += x
        return u, v, w, s, len(u), u + v, l

    for a, b in ((0, 5), (3, 100), (-4, -1), (7, 3), (-50, 2)):
        same(pieces, FLOATS, a, b, calls=5)


def test_lists_through_functions_and_tuples():
    def put(l, i, v):
        l[i] = v

    def total(l):
        s = 0
        for x in l:
            s += x
        return s

    def both(a, n):
        buffer = [0] * n
        for i in range(n):
            put(buffer, i, a[i % len(a)] + i)
        pair = (buffer, a)
        put(pair[0], 0, 5)
        if total(pair[1]) > 0:
            chosen = buffer
        else:
            chosen = a
        return total(chosen), total(buffer), buffer

    for values in (INTS, [-3] * 9, [1.5] * 10):
        same(both, values, 14, calls=5)


def test_numpy_gets_a_copy():
    def mixed(l, x):
        a = np.array(l)
        a[0] = 7.0
        for i in range(len(l)):
            l[i] += 1.0
        return a, np.sum(l), np.array(l) * x, np.dot(l, x), l

    same(mixed, FLOATS, np.arange(40.0), calls=5)


def test_a_search_that_looks_at_few_items():
    def search(l, x):
        low, high = 0, len(l) - 1
        while low <= high:
            middle = (low + high) // 2
            if l[middle] < x:
                low = middle + 1
            elif l[middle] > x:
                high = middle - 1
            else:
                return middle
        return -1

    for x in (0, 17, 100, 999, 1000):
        same(search, list(range(1000)), x, calls=6)


def test_truth_type_and_identity():
    def asked(l, other):
        s = 0
        if l:
            s += 1
        if not other:
            s += 2
        if isinstance(l, list) and type(l) is list:
            s += 4
        if other is None or l is None:
            s += 8
        if len(l) and l[0] in l:
            s += 16
        return s

    for case in ((INTS, INTS), (INTS, []), (FLOATS, FLOATS), ([], INTS)):
        same(asked, *case, calls=5)


# Lists that grow ----------------------------------------


def squares(n):
    out = []
    for i in range(n):
        out.append(i * i)
    return out


def trial_division(n):
    found = [2]
    for i in range(3, n):
        ok = True
        for q in found:
            if q * q > i:
                break
            if i % q == 0:
                ok = False
                break
        if ok:
            found.append(i)
    return found, len(found), found[-1]


def stack(n):
    waiting = [n]
    seen = 0
    while waiting:
        k = waiting.pop()
        seen += 1
        if k > 1:
            waiting.append(k - 1)
            waiting.append(k // 2)
    return seen


def split(l):
    low, high, halves = [], [], []
    for x in l:
        if x > 1:
            low.append(x)
        elif x < -1:
            high.append(x)
        else:
            halves.append(x / 2)
    return low, high, halves, len(low) - len(high), sum(halves)


def popped_dry(n):
    s = [1, 2, 3]
    t = 0
    for i in range(n):
        t += s.pop()
        if i % 3 == 0:
            s.append(i)
    return t


def written_and_grown(n):
    l = [0] * 4
    for i in range(n):
        l.append(l[-1] + l[i])
        l[i] = i
        if len(l) > 12:
            l.pop()
            l.pop()
    total = 0
    for x in l:
        total += x
    return l, total


def in_a_helper(n):
    def add(l, x):
        if x % 3 == 0:
            return False
        l.append(x)
        return True

    l = []
    c = 0
    for i in range(n):
        if add(l, i):
            c += 1
    return c, l


def while_it_is_walked(n):
    l = [1, 2, 3]
    c = 0
    for x in l:
        c += x
        if c < n:
            l.append(x + 1)
    return c, l


def two_names(n):
    a = []
    b = a
    for i in range(n):
        a.append(i)
        if len(b) > 5:
            b = []
    return len(a), len(b)


def one_of_two(n):
    even, odd = [], []
    for i in range(n):
        which = even if i % 2 == 0 else odd
        which.append(i * 0.5)
    return even, odd


def of_changing_kind(n):
    l = []
    for i in range(n):
        if i > 5:
            l.append(i * 0.5)
        else:
            l.append(i)
    return l


def rows_that_grow(n):
    rows = [[1]]
    for i in range(1, n):
        prev = rows[-1]
        row = [1]
        for j in range(len(prev) - 1):
            row.append(prev[j] + prev[j + 1])
        row.append(1)
        rows.append(row)
    return rows


def to_the_caller(l, n):
    for i in range(n):
        l.append(i)
    return l


def early(l, x):
    passed = []
    for i in range(len(l)):
        if l[i] > x:
            return i, passed
        passed.append(l[i] * 2)
    return -1, passed


def nested_loops(n):
    pairs = []
    for i in range(n):
        for j in range(i, n):
            if (i * j) % 3 == 1:
                pairs.append(i * 100 + j)
                if len(pairs) > 40:
                    break
        else:
            continue
        break
    return pairs


GROWING = [
    (squares, [(0,), (1,), (100,), (-3,)]),
    (trial_division, [(300,), (3,), (0,)]),
    (stack, [(9,), (1,), (0,), (12,)]),
    (split, [(INTS,), (FLOATS,), ([5] * 20,), ([],), ([0.5, 3.0, -9.0] * 9,)]),
    (popped_dry, [(3,), (4,), (30,), (0,)]),
    (written_and_grown, [(0,), (5,), (40,)]),
    (in_a_helper, [(0,), (50,)]),
    (while_it_is_walked, [(0,), (10,), (100,)]),
    (two_names, [(3,), (30,)]),
    (one_of_two, [(0,), (21,)]),
    (of_changing_kind, [(3,), (9,)]),
    (rows_that_grow, [(1,), (9,)]),
    (to_the_caller, [(INTS, 5), ([], 3), (FLOATS, 2)]),
    (early, [(INTS, 100), (INTS, 20), (FLOATS, 0.5), (INTS, -100)]),
    (nested_loops, [(3,), (30,), (0,)]),
]
GROWING_CASES = [pytest.param(function, cases, id=function.__name__) for function, cases in GROWING]


@pytest.mark.parametrize(("function", "cases"), GROWING_CASES)
def test_lists_that_grow(function, cases):
    for first in range(len(cases)):
        decorated = decorate(function)
        for case in [cases[first], *cases]:
            compare(function, decorated, case, calls=6)


@needs_compiler
@pytest.mark.parametrize("function", [squares, trial_division, stack, written_and_grown, nested_loops])
def test_lists_that_grow_are_compiled(function):
    decorated = decorate(function, cache=False)
    decorated(6)
    assert "plain Python" not in decorated.explain(6)


# Variables that are one of several lists ----------------------------------------


def pascal(n):
    row = [1]
    for _ in range(n):
        row = [1] + [row[i] + row[i + 1] for i in range(len(row) - 1)] + [1]
    return row


def automaton(c, n):
    for _ in range(n):
        c = [(c[i - 1] * 4 + c[i] * 2 + c[(i + 1) % len(c)]) % 5 % 2 for i in range(len(c))]
    return c


def merge_sort(a):
    n = len(a)
    width = 1
    a = a[:]
    while width < n:
        b = []
        for i in range(0, n, 2 * width):
            left, middle = i, min(i + width, n)
            right, end = middle, min(i + 2 * width, n)
            while left < middle and right < end:
                if a[left] <= a[right]:
                    b.append(a[left])
                    left += 1
                else:
                    b.append(a[right])
                    right += 1
            while left < middle:
                b.append(a[left])
                left += 1
            while right < end:
                b.append(a[right])
                right += 1
        a = b
        width *= 2
    return a


def swapped(a, b, n):
    for i in range(n):
        a, b = b, a
        a[0] += i
    return a[0], b[0]


def kept_or_new(l, x):
    chosen = l
    if len(l) and l[0] > x:
        chosen = [t * 2 for t in l]
    chosen[0] = 77 if l[0] == 5 else chosen[0]
    return chosen


def two_of_one(l, n):
    a = l[:]
    b = a
    for i in range(n):
        if i % 2:
            b = a
        else:
            b = [t + 1 for t in a]
        b[0] += 10
    return a, b


def grows_after_it_was_kept(n):
    last = [0]
    for i in range(n):
        new = [i]
        last = new
        new.append(i + 1)
    return last, len(last)


def kept_from_before(n):
    all_of = [1]
    last = [0]
    s = 0
    for i in range(n):
        s += len(last)
        last = all_of
        all_of.append(i)
    return s, len(last)


def table_of_means(a, k):
    for _ in range(k):
        b = [row[:] for row in a]
        for i in range(1, len(a) - 1):
            for j in range(1, len(a) - 1):
                b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4
        a = b
    return a


MERGED = [
    (pascal, [(10,), (0,), (1,)]),
    (automaton, [([0, 1, 1, 0, 1] * 4, 6), ([1] * 12, 0), ([0, 1], 3), ([], 2), ([1.0] * 12, 1)]),
    (merge_sort, [(INTS,), (FLOATS,), ([3, 1],), ([],), ([2, 1.0] * 9,)]),
    (swapped, [(INTS[:20], INTS[20:], 5), (INTS[:20], INTS[20:], 0), (FLOATS, FLOATS[:5], 3), ([1], [2], 1)]),
    (kept_or_new, [(INTS, 100), (INTS, -100), ([5] * 12, 100), ([5] * 12, 0), ([], 1)]),
    (two_of_one, [(INTS, 3), (INTS, 4), (INTS, 0), (FLOATS, 2)]),
    (grows_after_it_was_kept, [(4,), (0,)]),
    (kept_from_before, [(5,), (0,)]),
    (table_of_means, [(TABLE[:6], 3), (TABLE, 0), ([[1.0] * 6 for _ in range(6)], 2), (COUNTS, 2)]),
]
MERGED_CASES = [pytest.param(function, cases, id=function.__name__) for function, cases in MERGED]


@pytest.mark.parametrize(("function", "cases"), MERGED_CASES)
def test_variables_that_are_one_of_several_lists(function, cases):
    for first in range(len(cases)):
        decorated = decorate(function)
        for case in [cases[first], *cases]:
            compare(function, decorated, case, calls=6)


@needs_compiler
@pytest.mark.parametrize(
    ("function", "case"), [(automaton, ([0, 1, 1, 0, 1] * 4, 6)), (merge_sort, (INTS,)), (pascal, (10,))]
)
def test_they_are_compiled(function, case):
    decorated = decorate(function, cache=False)
    decorated(*map(_copy, case))
    assert has_compiled_part(decorated), decorated.explain(*case)


def test_the_list_that_comes_back_is_the_callers_or_a_new_one():
    for first in (0, 3):
        decorated = decorate(automaton)
        for n in (first, 0, 3, 0, 3, 0, 3):
            mine = [0, 1, 1, 0, 1] * 4
            assert (decorated(mine, n) is mine) is (n == 0)
            assert mine == [0, 1, 1, 0, 1] * 4


# Helpers that return nothing, early ----------------------------------------


def heap_sort(a):
    n = len(a)

    def sift(i, n):
        while True:
            c = 2 * i + 1
            if c >= n:
                return
            if c + 1 < n and a[c + 1] > a[c]:
                c += 1
            if a[i] >= a[c]:
                return
            a[i], a[c] = a[c], a[i]
            i = c

    for i in range(n // 2 - 1, -1, -1):
        sift(i, n)
    for e in range(n - 1, 0, -1):
        a[0], a[e] = a[e], a[0]
        sift(0, e)
    return a


@pytest.mark.parametrize("items", [INTS, FLOATS, [3, 2.5] * 20, list("bananas") * 4, [2, 1], []], ids=str)
def test_a_helper_that_returns_nothing_early(items):
    same(heap_sort, items, calls=6)


@needs_compiler
def test_a_helper_that_returns_nothing_early_has_a_text_in_the_driver():
    decorated = decorate(heap_sort, cache=False)
    decorated([3, 2.5] * 20)
    assert "code generation failed" not in decorated.explain([3, 2.5] * 20)


def doubled_but_the_last(values):
    for i in range(len(values) - 1):
        values[i] = values[i] * 2
    return values


def largest(values):
    best = values[0]
    for v in values:
        if not v <= best:
            best = v
    return best


def kept(values):
    found = []
    for v in values:
        if not v > 3:
            found.append(v)
    return found


@pytest.mark.parametrize("count", [300, 2000])
def test_nan_is_the_same_object_afterwards(count: int) -> None:
    """`in`, `index` and `==` of lists ask for that first."""
    nan = float("nan")
    for f in (doubled_but_the_last, largest, kept):
        decorated = decorate(f)
        for values in ([1.0, 2.5] * count, [1.0, 2.5] * count + [nan], [nan] + [1.0] * count):
            for _ in range(5):
                expected, given = list(values), list(values)
                wanted, found = f(expected), decorated(given)
                assert [x is nan for x in given] == [x is nan for x in expected]
                if f is largest:
                    assert (found is nan) == (wanted is nan)
                else:
                    assert (nan in found) == (nan in wanted)


def kept_if_large(items, x):
    if x > 0.5:
        items.append(x)
        return x * 0.5
    return x


def taken_if_any(items):
    if len(items) > 0:
        return items.pop()
    return -1.0


def pushed_or_raised(items, x):
    if x > 2.0:
        return x
    items.append(x)
    raise ValueError(len(items))


def appended_before_an_early_return(x, n):
    items, count = [0.0], 0.0
    for k in range(n):
        count += kept_if_large(items, x[k])
    return count, len(items), items


def popped_before_an_early_return(x, n):
    items = [1.5]
    for k in range(n):
        items.append(x[k])
        items.append(taken_if_any(items))
    return len(items), items


def popped_twice_in_an_expression(x, n):
    items, total = [], 0.0
    for k in range(n):
        items.append(x[k])
        total += taken_if_any(items) - 2 * taken_if_any(items) + len(items)
    return total, items


def pushed_before_it_raises(x, n):
    items, total = [0.5], 0.0
    for k in range(n):
        total += pushed_or_raised(items, x[k] + 2.5)
        items.append(total)
    return total, items


def leaves_of(items, depth):
    if depth <= 0:
        items.append(1.0)
        return 1
    return leaves_of(items, depth - 1) + leaves_of(items, depth - 2)


def appended_by_recursion(x, n):
    items = [0.5]
    items.append(2.0)
    return leaves_of(items, n // 20), items


EARLY = (
    appended_before_an_early_return,
    popped_before_an_early_return,
    popped_twice_in_an_expression,
    pushed_before_it_raises,
    appended_by_recursion,
)


@pytest.mark.parametrize("program", EARLY)
def test_lists_that_change_in_helpers_before_they_return_early(program: Callable[..., Any]) -> None:
    """What changes in a branch that leaves isn't there behind the branch, and it was forgotten."""
    decorated = decorate(program)
    for n in (3, 60, 60, 100):
        compare(program, decorated, (np.sin(np.arange(100.0)), n))


def which_of_several(k, n):
    rows = [[1], [n], [2.5]]
    first, s = rows[0], 0
    for v in k:
        s += v
    for row in rows:
        if row is first:
            s += 1000
        if first is not row:
            row.append(1)
    return s, rows, first


def test_which_of_several_lists_it_is():
    same(which_of_several, np.arange(5), 3)
