"""Dicts and sets whose keys are ints of the run: hash tables in kernels, Python's dicts to the caller."""

from __future__ import annotations

import collections
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import explanation, has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate


def counted(a, n):
    d = {}
    for v in a:
        k = int(v)
        d[k] = d.get(k, 0) + 1
    return d


def counted_by_branches(a, n):
    d = {}
    for v in a:
        if int(v) in d:
            d[int(v)] += 1
        else:
            d[int(v)] = 1
    best = max(d, key=d.get)
    return d, best, len(d), max(d.values()), min(d), sum(d.values()), sum(d)


def floats(a, n):
    d = {}
    for i in range(len(a)):
        k = int(a[i]) * 1_000_003
        d[k] = d.get(k, 0.0) + a[i] * 0.5
    t = 0.0
    for k in d:
        t += d[k]
    for k in d:
        d[k] = d[k] / t
    s = 0.0
    for k, v in d.items():
        s += k * v
    return s, d


def table_of_constants(a, n):
    t = {0: 1.5, 1: 2.5, -7: 0.25, 2**40: 3.5}
    s = 0.0
    for v in a:
        s += t[int(v) % 2] + t.get(int(v) - 7, -1.0)
    return s


def missing(a, n):
    t = {0: 1.5, 1: 2.5, 2: 3.5}
    s = 0.0
    for v in a:
        a[0] = s
        s += t[int(v) % (n + 1)]
    return s


def numpys_keys(a, n):
    d, b = {}, a.astype(int)
    for v in np.unique(b):
        d[v] = (b == v).sum()
    return d


def keys_of_ints(a, n):
    d, b = {}, a.astype(np.int32)
    for i in range(len(b)):
        d[b[i]] = d.get(b[i], 0) + i
    return d


def two_kinds_of_keys(a, n):
    d, b = {}, a.astype(int)
    for i in range(len(b)):
        d[b[i]] = i
        d[i] = i + 1
    return d


def two_sum(a, n):
    seen = {}
    for i, v in enumerate(a):
        w = n - int(v)
        if w in seen:
            return seen[w], i
        seen[int(v)] = i
    return None


def votes(a, n):
    out = []
    for k in range(n):
        d = {}
        for v in a[k:]:
            label = int(v) % 3
            d[label] = d.get(label, 0) + 1
        out.append(max(d, key=d.get) if d else -1)
    return out


def remembered(a, n):
    cache = {0: 0, 1: 1}
    for i in range(2, 10 * n):
        cache[i] = (cache[i - 1] + cache[i - 2]) % 1_000_007
    return cache[max(1, 10 * n - 1)], len(cache)


def tuples(a, n):
    d = {}
    for i in range(len(a)):
        d[int(a[i])] = (i, a[i] * 0.5)
    first, second = d[int(a[0])]
    return first, second, d


def rows(a, n):
    d = {}
    for k in range(n):
        key = k * k
        if key not in d:
            d[key] = a * k
    s = np.zeros(len(a))
    for k in range(n):
        s += d[k * k]
    return s


def rows_again(a, n):
    d = {}
    for k in range(n):
        d[k % 2] = a * k
    return d[0] + 1


def nothing_by_default(a, n):
    d, s = {}, 0
    for v in a:
        found = d.get(int(v))
        if found is None:
            d[int(v)] = 1
        else:
            s += found
    return s, d


def set_by_default(a, n):
    d, s = {}, 0
    for i, v in enumerate(a):
        s += d.setdefault(int(v), i)
    return s, d


def grows_while_gone_through(a, n):
    d = {0: 1}
    for k in d:
        d[int(a[k]) + 5] = 1
    return d


def sorted_keys(a, n):
    d = {}
    for v in a:
        d[int(v)] = v
    t = 0.0
    for k in sorted(d):
        t = t * 0.5 + d[k]
    return t, list(d), sorted(d, reverse=True), [d[k] for k in d]


def tally(d, k):
    d[k] = d.get(k, 0) + 1
    return d[k]


def given_to_helpers(a, n):
    d, most = {}, 0
    for v in a:
        most = max(most, tally(d, int(v)))
    return most, d


def made_by_a_helper(a, n):
    d = counted(a, n)
    d[-1] = n
    return d


def in_a_branch(a, n):
    d = {}
    if n > 2:
        for v in a:
            d[int(v)] = n
    else:
        d[n] = 1
    return d


def one_of_two(a, n):
    d, e = {}, {}
    for v in a:
        d[int(v)] = 1
        e[int(v) + 1] = 2
    f = d if n > 2 else e
    return len(f), f


def returned_twice(a, n):
    d = {}
    for v in a:
        d[int(v)] = 1
    return d, d


def deleted(a, n):
    d = {}
    for v in a:
        d[int(v)] = 1
    del d[int(a[0])]
    return d.pop(int(a[1]), None), d


def compared(a, n):
    d = {}
    for v in a:
        d[int(v)] = 1
    return d == {0: 1}, not d, bool(d), d is None, isinstance(d, dict), type(d) is dict


def floats_as_keys(a, n):
    d = {}
    for v in a:
        d[v] = d.get(v, 0) + 1
    return d


def truths_as_keys(a, n):
    d = {}
    for v in a:
        d[v > 1] = d.get(v > 1, 0) + 1
    return d


def many(a, n):
    d = {}
    for i in range(500 * n):
        k = (i * 7919) % 3001 - 1500
        d[k] = d.get(k, 0) + i
    return len(d), d


def two_levels(a, n):
    d = {}
    for i in range(n):
        for j in range(n):
            k = (i * j) << 33
            d[k] = d.get(k, 0) + 1
            if d[k] > 3:
                break
    return d


def left_early(a, n):
    d = {}
    for v in a:
        if int(v) == n:
            return d
        d[int(v)] = 1
    for k in d:
        if k > n:
            return k
    return -1


def in_a_while(a, n):
    d, k = {}, n
    while k not in d:
        d[k] = len(d)
        k = (k * k + 1) % 97
    return len(d) - d[k], d[k]


def with_a_try(a, n):
    d, misses = {1: 0, 2: 0}, 0
    for v in a:
        if int(v) not in d:
            misses += 1
            continue
        d[int(v)] += 1
    return d, misses


def defaults(a, n):
    d = defaultdict(int)
    for v in a:
        d[int(v)] += 1
    return d, d[1], len(d)


def default_floats(a, n):
    d = collections.defaultdict(float)
    t = 0.0
    for v in a:
        k = int(v) % 7
        t += d[k] + d[k + 1]
        d[k] += 0.5
    return t, dict(d), len(d), 3 in d


def counters(a, n):
    d = Counter()
    for v in a:
        d[int(v)] += 1
    return d, d[n], d[100], len(d)


def of_lists(a, n):
    d = defaultdict(list)
    for i, v in enumerate(a):
        d[int(v)].append(i)
    return d


def unique(a, n):
    s, twice = set(), 0
    for v in a:
        k = int(v)
        if k in s:
            twice += 1
        s.add(k)
    return twice, len(s), s


def first_again(a, n):
    seen = {-1}
    for i, v in enumerate(a):
        if int(v) in seen:
            return i
        seen.add(int(v))
    return None


def happy(a, n):
    count = 0
    for i in range(1, 5 * n):
        seen, k = set(), i
        while k != 1 and k not in seen:
            seen.add(k)
            s = 0
            while k:
                s += (k % 10) ** 2
                k //= 10
            k = s
        count += k == 1
    return count


def sets_are_gone_through(a, n):
    s, t = set(), 0
    for v in a:
        s.add(int(v))
    for k in s:
        t = t * 3 + k
    s.discard(n)
    return t, s


def written_in_between(a, n):
    d = {}
    for i in range(len(a)):
        a[i] += 1
        d[int(a[i])] = d.get(int(a[i]), 0) + 1
        a[i] *= d[int(a[i])]
    return d


def comprehension(a, n):
    d = {int(v): v * 2 for v in a}
    return d, len(d)


def comprehension_with_a_condition(a, n):
    d = {int(v): i for i, v in enumerate(a) if v > n}
    t = 0
    for k, v in d.items():
        t += k * v
    return t, d


def set_comprehension(a, n):
    s = {int(v) % n for v in a}
    return len(s), s, 2 in s


def sets_of_items(a, n):
    return len(set(a.astype(int))), len(set([int(v) for v in a]))


def counter_of_ints(a, n):
    c = Counter(a.astype(int))
    return c, c[3], max(c.values())


def counter_of_a_generator(a, n):
    c = Counter(int(v) for v in a)
    best = max(c, key=c.get)
    return best, c[best], c


def index_of_values(a, n):
    index = {v: i for i, v in enumerate(np.unique(a.astype(int)))}
    out = np.zeros(len(a), dtype=int)
    for i, v in enumerate(a.astype(int)):
        out[i] = index[v]
    return out


def smallest_by_a_key(a, n):
    s = set()
    for v in a:
        s.add(int(v))
    return min(s, key=lambda v: v % n), max(s, key=lambda v: v % n), min(s, default=0)


def sums_from_a_float(a, n):
    s = set()
    for v in a:
        s.add(int(v) * 2**50 + n)
    return sum(s, 0.1), sum(s, np.float32(0.5)), sum(s)


def set_of_a_dict(a, n):
    d = {}
    for v in a:
        d[int(v) * 32 + 1] = n
    return set(d), set(d.keys())


def set_of_constants(a, n):
    s = {8, 16, 24, 32, 40}
    for v in a:
        s.add(int(v) * 8)
    return s


def two_constants(a, n):
    s = {8, 16}
    for v in a:
        s.add(int(v) * 8)
    return s


def only_asked(a, n):
    d = {}
    t = 0.0
    for v in a:
        t += d.get(int(v), 0) + d.get(int(v) + 1, 0.5)
    return t


def asked_and_set(a, n):
    d = {}
    t = 0.0
    for v in a:
        t += d.get(int(v), 0) + d.get(int(v) + 1, 0.5)
        d[int(v)] = t
    return t, d


def arrays_of_the_callers(a, n):
    d = {}
    for k in range(n):
        d[k] = a
    d[0][0] = 5.0
    return d, d[0] is d[n - 1]


COMPILED = (
    *(counted, counted_by_branches, floats, table_of_constants, numpys_keys, keys_of_ints, two_sum, votes),
    *(remembered, tuples, rows, nothing_by_default, set_by_default, given_to_helpers, many, two_levels),
    *(in_a_while, defaults, default_floats, counters, unique, first_again, happy, written_in_between),
    *(sorted_keys, made_by_a_helper, in_a_branch, with_a_try, comprehension, set_comprehension),
    *(only_asked, asked_and_set, two_constants),
    *(comprehension_with_a_condition, sets_of_items, counter_of_ints, index_of_values),
)
OTHERS = (
    *(missing, two_kinds_of_keys, rows_again, grows_while_gone_through, one_of_two),
    *(returned_twice, deleted, compared, floats_as_keys, truths_as_keys),
    *(smallest_by_a_key, sums_from_a_float, set_of_a_dict, set_of_constants, arrays_of_the_callers),
    *(left_early, of_lists, sets_are_gone_through, counter_of_a_generator),
)
A = (np.arange(40.0) * 7) % 11


@pytest.mark.parametrize("program", [*COMPILED, *OTHERS])
def test_they_are_python_s(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for a, n in ((A, 3), (A[::-1].copy(), 5), (np.array([5.0, 5.0]), 2), (A * -3, 4), (A, 1)):
        compare(program, decorated, (a.copy(), n), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(A.copy(), 3)
    assert has_compiled_part(decorated)
    assert decorated.coverage(A.copy(), 3).share > 0.9


def set_in_a_loop(a):
    s = set()
    for x in a:
        s.add(int(x))
    t = []
    for y in s:
        t.append(y)
    return t, list(s), set(s), sum(s)


def set_in_any_order(a):
    s = set(a.tolist())
    return sum(s), max(s), min(s), any(s), all(s), sorted(s), len(s), 3 in s


def set_beside_python(a):
    n, s = 0, set()
    for i in range(len(a)):
        n += 1 if i * i % 7 in s else 2
    for k in range(5):
        if k in s:
            n += k
    return n, 3 in s


@pytest.mark.parametrize("program", [set_in_a_loop, set_in_any_order, set_beside_python])
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint64])
def test_sets_have_pythons_order(program: Callable[..., Any], dtype: type) -> None:
    decorated = decorate(program)
    for items in ([3, 1, 3, 2, 1], [40, 8, 0, 16, 3, 33], [7]):
        compare(program, decorated, (np.array(items, dtype=dtype),))


def counted_items(a):
    c = Counter(a.tolist())
    return c, c[7], len(c)


@needs_compiler
def test_nothing_to_count() -> None:
    decorated = decorate(counted_items)
    for a in (np.array([3, 7, 7]), np.array([], np.int64), np.array([1])):
        compare(counted_items, decorated, (a,))
    assert "Error" not in explanation(decorated, np.array([], np.int64))
