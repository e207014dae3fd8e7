"""`itertools`, `next` and generators in one another: loops of kernels, left and gone on as in Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from itertools import accumulate, chain, combinations, count, islice, permutations, product, starmap
from itertools import combinations_with_replacement as cwr
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled, needs_compiler
from same import Tolerance, compare, decorate


def of_a_product(n, m):
    s = 0
    for i, j in product(range(n), range(m)):
        if (i * j) % 3 == 1:
            continue
        s += i * j + 1
    return s


def prod_break(n, m, t):
    s = 0
    for i, j in product(range(n), range(m)):
        s += i * j + 1
        if s > t:
            break
    else:
        s = -s
    return s, i, j


def prod_rep(x):
    s = 0.0
    for a, b, c in product(x, repeat=3):
        s += a * b - c
    return s


def prod_ret(a, t):
    n, m = a.shape
    for i, j in itertools.product(range(n), range(m)):
        if a[i, j] > t:
            return (i, j)
    return None


def comb(x):
    best = -1.0
    for a, b in combinations(x, 2):
        d = abs(a - b)
        if d > best:
            best = d
    return best


def comb3(n, t):
    for a, b, c in combinations(range(1, n), 3):
        if a * a + b * b == c * c and a + b + c > t:
            return a * b * c
    return 0


def comb_list(n):
    return [a * b for a, b in combinations(range(n), 2) if (a + b) % 3 == 0]


def comb_sum(n):
    return sum(a * b for a, b in combinations(range(n), 2))


def any_comb(xs, t):
    return any(a + b == t for a, b in combinations(xs, 2))


def all_comb(xs, t):
    return all(a + b != t for a, b in combinations(xs, 2))


def perm2(n):
    s = 0
    for a, b in permutations(range(n), 2):
        s = (s * 3 + a - b) % 10007
    return s


def perm3(x):
    s = 0.0
    for p in permutations(x, 3):
        s += p[0] * p[1] - p[2]
    return s


def tsp(d):
    n = len(d)
    best = 1e18
    for p in permutations(range(1, n)):
        c = d[0, p[0]]
        for a, b in zip(p, p[1:]):
            c += d[a, b]
        c += d[p[-1], 0]
        if c < best:
            best = c
    return best


def with_replacement(n):
    s = 0
    for a, b in cwr(range(n), 2):
        s = (s * 7 + a * b) % 99991
    return s


def counted_up(n):
    for k in count(2):
        if n % k == 0:
            return k


def cnt2(t):
    s = 0
    for k in itertools.count(1, 2):
        s += k * k
        if s > t:
            break
    return k, s


def first_above(x, t):
    return next((i for i, v in enumerate(x) if v > t), -1)


def nxt2(n):
    return next(k for k in range(2, n + 1) if n % k == 0)


def chained(x, y):
    s = 0.0
    for v in chain(x, y):
        s = s * 0.5 + v
    return s


def chn_sum(x, y):
    return sum(chain(x, y))


def from_it(a):
    s = 0.0
    for v in chain.from_iterable(a):
        s = s * 0.5 + v
    return s


def running_sums(xs):
    return list(accumulate(xs))


def pre2(xs):
    return [0] + list(accumulate(xs))


def pre3(xs):
    return list(accumulate(xs, max))


def pre4(xs):
    out = 0
    for t in accumulate(xs, initial=5):
        out = (out * 3 + t) % 1000003
    return out


def of_pairs(xs):
    s = 0
    for a, b in itertools.pairwise(xs):
        s += abs(a - b) * (1 if b > a else 2)
    return s


def pw_mut(x):
    k = 0
    s = 0.0
    for a, b in itertools.pairwise(x):
        s += a * b
        x[k] = 100.0
        x[k + 1] += 1.0
        k += 1
    return s


def sliced(x, n):
    s = 0.0
    for v in islice(x, 2, 50, 3):
        s = s * 0.5 + v
    return s


def cnt_sl(n):
    return sum(k * k for k in islice(count(3), 1000))


def starred(xs):
    return sum(starmap(lambda a, b: a * b, zip(xs, xs[1:])))


def enum_prod(n):
    s = 0
    for k, (i, j) in enumerate(product(range(n), range(n))):
        s += k * (i - j)
    return s


def enum_gen(xs):
    s = 0
    for k, v in enumerate(x * x for x in xs if x % 2):
        s += k * v
    return s


def nested_any(a, b):
    return any(x > 5 for row in (a, b) for x in row)


def nested_any2(a):
    return any(a[i, j] < -2.9 for i in range(a.shape[0]) for j in range(a.shape[1]))


def nested_first(a):
    return next(((i, j) for i in range(a.shape[0]) for j in range(a.shape[1]) if a[i, j] > 1.5), None)


def neigh(g, r, c):
    n = 0
    for dr, dc in product((-1, 0, 1), repeat=2):
        if dr or dc:
            n += g[(r + dr) % len(g)][(c + dc) % len(g)]
    return n


def life(g):
    n, m = g.shape
    out = np.zeros_like(g)
    for i, j in product(range(n), range(m)):
        s = 0
        for di, dj in product([-1, 0, 1], [-1, 0, 1]):
            if (di, dj) != (0, 0):
                s += g[(i + di) % n, (j + dj) % m]
        out[i, j] = 1 if s == 3 or (s == 2 and g[i, j]) else 0
    return out


def prodmut(x):
    s = 0
    for a, b in product(x, x):
        s += a * b
        x[0] += 1
    return s


def combmut(xs):
    s = 0
    for a, b in combinations(xs, 2):
        s += a * b
        if len(xs) < 100:
            xs.append(a)
    return s


def subsets(w, cap):
    best = 0
    for bits in product((0, 1), repeat=5):
        t = 0
        for b, v in zip(bits, w):
            t += b * v
        if t <= cap and t > best:
            best = t
    return best


def repn(x, k):
    s = 0.0
    for tup in product(range(3), repeat=k):
        t = 0
        for v in tup:
            t = t * 3 + v
        s += x[t % len(x)]
    return s


def gen_prod_list(n):
    return [i + j for i, j in product(range(n), range(3))]


def list_prod(n):
    return list(product(range(n), range(3)))


def set_prod(n):
    return {i * j for i, j in product(range(n), range(n))}


def len_comb(n):
    return len(list(combinations(range(n), 3)))


def max_comb(x):
    return max(a * b for a, b in combinations(x, 2))


def badr(x):
    return sum(1 for _ in combinations(x, -1))


def npcomb(p):
    m = np.inf
    for a, b in combinations(p, 2):
        d = np.sqrt(((a - b) ** 2).sum())
        if d < m:
            m = d
    return m


R = np.random.default_rng(0)
X = R.normal(size=60)
L = [int(v) for v in R.integers(0, 100, 50)]
A = R.normal(size=(20, 15))
CASES = (
    (of_a_product, (30, 20)),
    (of_a_product, (0, 5)),
    (prod_break, (30, 20, 500)),
    (prod_break, (5, 4, 5000)),
    (prod_rep, (X,)),
    (prod_rep, (L,)),
    (prod_ret, (A, 1.5)),
    (prod_ret, (A, 99.0)),
    (comb, (X,)),
    (comb, (L,)),
    (comb3, (60, 20)),
    (comb_list, (30,)),
    (comb_sum, (40,)),
    (any_comb, (L, 77)),
    (any_comb, (L, 1000)),
    (all_comb, (L, 1000)),
    (perm2, (30,)),
    (perm3, (X[:20],)),
    (tsp, (np.abs(A[:6, :6]),)),
    (tsp, (np.abs(A[:5, :5]),)),
    (with_replacement, (30,)),
    (counted_up, (1009,)),
    (counted_up, (35,)),
    (cnt2, (10000,)),
    (first_above, (X, 1.0)),
    (first_above, (X, 99.0)),
    (nxt2, (91,)),
    (nxt2, (1,)),
    (chained, (X, X[:7])),
    (chained, (L, X)),
    (chn_sum, (L, L)),
    (from_it, (A,)),
    (running_sums, (L,)),
    (pre2, (L,)),
    (pre3, (L,)),
    (pre4, (L,)),
    (running_sums, ([],)),
    (running_sums, ([2.5, -0.0],)),
    (running_sums, (X,)),
    (of_pairs, (L,)),
    (of_pairs, ([],)),
    (of_pairs, ([1],)),
    (pw_mut, (X.copy(),)),
    (pw_mut, ([1.0, 2.0, 3.0, 4.0],)),
    (sliced, (X, 3)),
    (sliced, (L, 3)),
    (cnt_sl, (4,)),
    (starred, (L,)),
    (enum_prod, (20,)),
    (enum_gen, (L,)),
    (nested_any, (A[0], A[1])),
    (nested_any2, (A,)),
    (nested_first, (A,)),
    (neigh, ([[1, 0, 1], [0, 1, 1], [1, 1, 1]], 1, 1)),
    (life, (R.integers(0, 2, (12, 9)),)),
    (prodmut, ([1, 2, 3],)),
    (prodmut, (np.array([1, 2, 3]),)),
    (combmut, ([1, 2, 3],)),
    (subsets, ([3, 5, 7, 11, 2], 15)),
    (repn, (X, 4)),
    (repn, (X, 0)),
    (gen_prod_list, (10,)),
    (list_prod, (5,)),
    (set_prod, (9,)),
    (len_comb, (12,)),
    (max_comb, (X,)),
    (badr, (L,)),
    (npcomb, (A,)),
)
COMPILED = (
    of_a_product,
    prod_break,
    prod_rep,
    prod_ret,
    comb,
    comb3,
    comb_list,
    comb_sum,
    any_comb,
    all_comb,
    perm2,
    perm3,
    tsp,
    with_replacement,
    counted_up,
    cnt2,
    first_above,
    chained,
    running_sums,
    pre2,
    pre3,
    of_pairs,
    sliced,
    cnt_sl,
    starred,
    enum_prod,
    enum_gen,
    life,
    prodmut,
    subsets,
    max_comb,
    npcomb,
    nested_any2,
)


@pytest.mark.parametrize(("program", "args"), CASES)
def test_it_is_python_s(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compare(program, decorate(program), args, calls=3, tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_it_is_compiled(program: Callable[..., Any]) -> None:
    check_compiled(program, CASES)
