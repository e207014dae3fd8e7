"""Methods of lists of numbers that search, sort, or change them in their middle."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def pop_in_the_middle(n):
    a = list(range(n))
    s = 0
    while len(a) > 2:
        s = s * 3 % 1000007 + a.pop(len(a) // 2)
    return s, a


def removed_by_value(n):
    a = list(range(n))
    s = 0
    k = 7
    while len(a) > 1:
        k = (k * 31 + 5) % n
        if k in a:
            a.remove(k)
            s += k * len(a)
        else:
            s += a[0]
            a.pop(0)
    return s, a


def insertion_sort(n):
    a = []
    for i in range(n):
        x = (i * 7919) % 101
        j = 0
        while j < len(a) and a[j] < x:
            j += 1
        a.insert(j, x)
    return a


def inserted_from_the_end(n):
    a = [1.0]
    for i in range(n):
        a.insert(i % 7 - 4, float(i))
    return a


def deleted_items(n):
    a = [float(i) for i in range(n)]
    while len(a) > 3:
        del a[len(a) // 3]
        del a[-2]
    return a


def deleted_slices(n):
    st = []
    out = []
    for i in range(n):
        st.append(float((i * 37) % 11))
        while len(st) >= 3:
            x = abs(st[-1] - st[-2])
            y = abs(st[-2] - st[-3])
            if x < y:
                break
            out.append(y)
            del st[-3:-1]
    return sorted(out, reverse=True)[:10], len(out), st


def places_and_counts(n):
    a = [(i * 37) % n for i in range(n)]
    s = 0
    for i in range(n):
        s += a.index((i * 37) % n) * i + a.count(i)
    return s


def no_such_item(n):
    a = [(i * 2) for i in range(n)]
    s = 0
    for i in range(n):
        s += a.index(i)
    return s


def nothing_to_remove(n):
    a = [(i * 2) for i in range(n)]
    for i in range(n):
        a.remove(i * 2)
        a.remove(-5 - i)
    return a


def pop_beyond_the_end(n):
    a = [1.0, 2.0]
    for i in range(n):
        a.append(float(i))
        a.pop(3 - i)
    return a


def sorted_under_two_names(n):
    a = [float((i * 37) % 17) - 8 for i in range(n)]
    b = a
    for i in range(3):
        a.sort()
        a[0] = 100.0 + i
        a.reverse()
        a.sort(reverse=True)
    return b, sorted(a)


def zeros_of_both_signs(n):
    a = []
    for i in range(n):
        a.append(0.0 if i % 3 else -0.0)
        a.append(float(i % 5 - 2))
    a.sort()
    c = sorted(a, reverse=True)
    return a, c


def sorted_with_nan(n):
    a = [float(i % 5) for i in range(n)]
    a[3] = float("nan")
    a.sort()
    return len(a), a[0]


def josephus(n, k):
    people = list(range(1, n + 1))
    i = 0
    order = []
    while people:
        i = (i + k - 1) % len(people)
        order.append(people.pop(i))
    return order


def cleared(n):
    buf = []
    tot = 0
    for i in range(n):
        buf.append(i)
        if len(buf) == 5:
            tot += sum(buf)
            buf.clear()
    return tot, buf


def tuples_in_the_middle(n):
    q = []
    for i in range(n):
        q.append((i % 7, float(i)))
        if len(q) > 4:
            a, b = q.pop(2)
            q.insert(1, (a + 1, b * 2))
            del q[0]
    return q


def least_recently_used(n):
    order = []
    hits = 0
    for i in range(n):
        key = (i * i) % 13
        if key in order:
            order.remove(key)
            hits += 1
        elif len(order) >= 5:
            order.pop(0)
        order.append(key)
    return hits, order


def median(x):
    w = []
    out = np.empty(len(x))
    for i in range(len(x)):
        w.append(float(x[i]))
        if len(w) > 7:
            w.pop(0)
        s = sorted(w)
        out[i] = s[len(s) // 2]
    return out


def of_the_caller(L):
    L.sort()
    L.reverse()
    return L.index(L[3]), L.count(L[0])


def grown_by_the_callee(L):
    del L[2]
    L.insert(0, 3.0)
    return L


def truths(n):
    a = [True, False] * 1
    c = 0
    for i in range(n):
        a.insert(1, i % 3 == 0)
        if a.pop(len(a) - 1):
            c += 1
    return a, c


def either_list_cleared(x, c):
    a = []
    for k in range(len(x)):
        a.append(float(x[k]))
    z = a if x[c] > 0 else [1.0, 2.0]
    a.clear()
    return len(z), len(a)


def either_list_without_one(x, c):
    a = []
    for k in range(len(x)):
        a.append(float(x[k]))
    z = a if x[c] > 0 else [1.0, 2.0]
    a.remove(a[2])
    return len(z), z[-1], len(a)


def both_cleared(x, c):
    a, b = [], []
    for k in range(len(x)):
        a.append(float(x[k]))
        b.append(k * 1.0)
    z = a if x[c] > 0 else b
    a.clear()
    b.clear()
    return sum(z), len(z)


X = np.random.default_rng(0).normal(size=300)
COMPILED = [
    (pop_in_the_middle, (900,), (3,)),
    (removed_by_value, (60,), (2,)),
    (insertion_sort, (300,), (0,)),
    (inserted_from_the_end, (600,), (1,)),
    (deleted_items, (900,), (4,)),
    (deleted_slices, (200,), (2,)),
    (places_and_counts, (300,), (1,)),
    (sorted_under_two_names, (900,), (1,)),
    (zeros_of_both_signs, (900,), (1,)),
    (josephus, (60, 7), (1, 3)),
    (cleared, (53,), (0,)),
    (tuples_in_the_middle, (60,), (3,)),
    (least_recently_used, (100,), (3,)),
    (median, (X,), (X[:3],)),
    (truths, (900,), (1,)),
]
OTHERS = [
    (either_list_cleared, (X, 40), (-X, 40)),
    (either_list_without_one, (X, 40), (-X, 40)),
    (both_cleared, (X, 40), (-X, 40)),
    (no_such_item, (50,), (1,)),
    (nothing_to_remove, (50,), (0,)),
    (pop_beyond_the_end, (50,), (3,)),
    (sorted_with_nan, (50,), (4,)),
    (of_the_caller, ([float(i % 7) for i in range(6000)],), ([3, 1, 2, 5, 4, 4] * 5,)),
    (grown_by_the_callee, ([1.0, 2.0, 4.0] * 900,), ([1.0, 2.0],)),
]


@pytest.mark.parametrize("case", COMPILED + OTHERS, ids=lambda case: case[0].__name__)
def test_methods_do_what_they_do_in_python(case):
    function, *cases = case
    decorated = decorate(function)
    for args in cases * 2:
        compare(function, decorated, args, calls=1)


@needs_compiler
@pytest.mark.parametrize("case", COMPILED, ids=lambda case: case[0].__name__)
def test_methods_are_compiled(case):
    decorated = decorate(case[0])
    decorated(*case[1])
    assert has_compiled_part(decorated)
