"""`sorted`, `list.sort`, `min`, `max` of numbers, tuples and what has a key; equal ones keep their order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled, needs_compiler
from same import Tolerance, compare, decorate


def kru(n, edges):
    parent = list(range(n))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    cost = 0
    cnt = 0
    for u, v, w in sorted(edges, key=lambda e: e[2]):
        a, b = find(u), find(v)
        if a != b:
            parent[a] = b
            cost += w
            cnt += 1
            if cnt == n - 1:
                break
    return cost, cnt


def merge(iv):
    iv = sorted(iv)
    s = 0
    end = -1
    for a, b in iv:
        if a > end:
            s += b - a
            end = b
        elif b > end:
            s += b - end
            end = b
    return s


def loc(n, xs):
    t = []
    for i in range(n):
        t.append((xs[i] % 7, i, xs[i] * 0.5))
    t.sort()
    u = sorted(t, key=lambda p: (-p[0], p[2]))
    w = sorted(t, key=lambda p: p[0], reverse=True)
    t.sort(key=lambda p: -p[1])
    return t, u, w


def knn(train, q, k):
    out = []
    for x in q:
        d = []
        for i in range(len(train)):
            d.append((math.sqrt((train[i] - x) ** 2), i))
        d.sort()
        out.append(sum(j for _, j in d[:k]))
    return out


def bykey(xs):
    return sorted(xs, key=lambda v: (v % 5, -v)), sorted(xs, key=abs, reverse=True)


def ma(n, xs):
    t = [(xs[i] % 7, i) for i in range(n)]
    return max(t), min(t), max(t, key=lambda p: p[1])


def dd(xs):
    d = {}
    for v in xs:
        d[v % 9] = d.get(v % 9, 0) + v
    s = 0
    for k, v in sorted(d.items(), key=lambda kv: kv[1]):
        s = s * 3 + k - v
    return s, sorted(d), sorted(d.items())


def ss(xs):
    s = set()
    for v in xs:
        s.add((v % 5, v % 3))
    t = 0
    for a, b in sorted(s):
        t = t * 7 + a - b
    return t


def mixs(xs):
    t = []
    for i in range(len(xs)):
        t.append(xs[i] if i % 2 else 0)
    t.sort()
    u = sorted(t, reverse=True)
    return t, u, max(t), min(t)


def nan(xs):
    t = []
    for i in range(len(xs)):
        t.append((xs[i], i))
    t.sort()
    return t


def argst(x):
    s = 0
    out = np.zeros(len(x))
    for i in range(5):
        o = np.argsort(x * (i % 2), kind="stable")
        out += x[o]
        o = (x * i).argsort(stable=True)
        s += o[0] * o[-1]
    return s, out


def act(starts, ends):
    jobs = sorted(zip(starts, ends), key=lambda j: j[1])
    c = 0
    last = -1
    for s, e in jobs:
        if s >= last:
            c += 1
            last = e
    return c


def srtarr(a):
    s = 0.0
    for v in sorted(a):
        s = s * 0.5 + v
    return s


def srtenum(xs):
    s = 0
    for i, v in sorted(enumerate(xs), key=lambda t: t[1]):
        s = s * 3 % 1009 + i - v
    return s


def srtin(xs):
    xs.sort(key=lambda v: -v)
    return xs[0]


def srtt(ps):
    ps.sort()
    return ps[0]


def zer():
    t = [0.0, -0.0, 0, -1, 1, 0.0, -0.0]
    return sorted(t)


def mixz(n):
    t = []
    for i in range(n):
        if i % 3 == 0:
            t.append(0)
        elif i % 3 == 1:
            t.append(0.0)
        else:
            t.append(-0.0)
    t.sort()
    u = sorted(t, reverse=True)
    return t, u, max(t), min(t), sum(t), -t[0], abs(t[1])


def k_in(n):
    a = [i * 7 % n for i in range(n)]
    a.sort(key=lambda x: (x + 1) in a)
    return a


def k_truth(n):
    a = [i * 7 % n for i in range(n)]
    a.sort(key=lambda x: x if a else -x)
    return a


def k_not(n):
    a = [i * 7 % n for i in range(n)]
    a.sort(key=lambda x: x if not a else -x)
    return a


def k_np(n):
    a = [i * 7 % n for i in range(n)]
    a.sort(key=lambda x: x * np.sum(a))
    return a


def k_add(n):
    a = [i * 7 % n for i in range(n)]
    a.sort(key=lambda x: x * (len(a + [1]) - 2))
    return a


def k_list(n):
    a = [i * 7 % n for i in range(n)]
    a.sort(key=lambda x: -x * len(list(a)))
    return a


def k_part(n):
    a = [i * 7 % n for i in range(n)]
    b = a
    a.sort(key=lambda x: -x * len(b[1:]))
    return a


def k_grown(n):
    a = []
    for i in range(n):
        a.append((i * 7 % n, i))
    a.sort(key=lambda p: -p[0] * len(a[1:]))
    return a


def k_fine(n):
    a = [i * 7 % n for i in range(n)]
    w = [i * 3 % 5 for i in range(n)]
    a.sort(key=lambda x: (w[x], -x))
    b = []
    for i in range(n):
        b.append((i * 7 % n, i))
    b.sort(key=lambda p: -p[0], reverse=True)
    return a, b


def merged(b):
    total = 0
    for k in range(3):
        a0 = sorted([abs(v) for v in b[1:9]])
        c0 = [abs(v) for v in b[-5:]]
        both = []
        while a0 and c0:
            if a0[0] <= c0[0]:
                both.append(a0.pop(0))
            else:
                both.append(c0.pop(0))
        both.extend(a0)
        both.extend(c0)
        total += len(both) * (k + 1)
    return total, both


def popped(n):
    t = []
    for i in range(n):
        t.append((i * 7 % n, i))
    u = sorted(t)
    s = 0
    while u:
        a, b = u.pop()
        s = s * 3 % 1009 + a - b
    return s, u


def popped_part(n):
    t = []
    for i in range(n):
        t.append((i * 7 % n, i))
    u = t[2:]
    s = 0
    while len(u) > 1:
        a, b = u.pop(0)
        s = s * 3 % 1009 + a - b
        if s % 5 == 0:
            u.append((s, 1)) if len(u) < 30 else None
    return s, u, len(t)


def branch(n, c):
    t = []
    for i in range(n):
        t.append((i * 7 % n, i))
    u = sorted(t, key=lambda p: p[1])
    if c:
        u.append((1, 2))
    else:
        u.pop()
    for k in range(3):
        u.append((k, k))
    return u, len(u)


def inner(n):
    out = []
    for k in range(n):
        t = []
        for i in range(k):
            t.append((i * 5 % (k + 1), i))
        u = sorted(t, reverse=True)
        while u:
            p = u.pop()
            if p[0] > 3:
                break
        out.append(len(u))
    return out


def copied(n):
    t = []
    for i in range(n):
        t.append((i, i))
    u = t.copy()
    w = list(t)
    for i in range(3):
        u.append((9, 9))
        w.pop()
    return t, u, w


R = np.random.default_rng(0)
L = [int(v) for v in R.integers(0, 100, 50)]
F = [float(v) for v in R.normal(size=40)]
E = [
    (int(a), int(b), float(c))
    for a, b, c in zip(R.integers(0, 12, 40), R.integers(0, 12, 40), R.integers(1, 9, 40))
]
EI = [(int(a), int(b), int(c)) for a, b, c in E]
IV = [(int(a), int(a + b)) for a, b in zip(R.integers(0, 90, 30), R.integers(1, 9, 30))]
CASES = (
    (kru, (12, E)),
    (kru, (12, EI)),
    (merge, (IV,)),
    (loc, (30, L)),
    (loc, (0, L)),
    (knn, (F, F[:5], 3)),
    (bykey, (L,)),
    (bykey, ([],)),
    (ma, (30, L)),
    (dd, (L,)),
    (ss, (L,)),
    (mixs, (F,)),
    (mixs, ([],)),
    (nan, (F,)),
    (nan, (F + [math.nan, math.nan],)),
    (argst, (np.round(R.normal(size=50)),)),
    (act, (L, [v + 5 for v in L])),
    (srtarr, (np.array(F),)),
    (srtenum, (L,)),
    (srtin, (L,)),
    (srtt, (IV,)),
    (zer, ()),
    (mixz, (30,)),
    *(
        (f, (n,))
        for f in (k_in, k_truth, k_not, k_np, k_add, k_list, k_part, k_grown, k_fine)
        for n in (24, 5)
    ),
    (merged, (np.random.default_rng(0).normal(size=30),)),
    *((f, (n,)) for f in (popped, popped_part, inner, copied) for n in (30, 0, 2)),
    (branch, (30, 1)),
    (branch, (30, 0)),
)
COMPILED = (kru, merge, knn, ma, ss, argst, popped, popped_part, branch, inner, copied)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)
