"""Functions that are given to Python's own: keys of `min`, `max` and `sorted`, and what goes with them."""

from __future__ import annotations

import functools
import heapq
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate

FACTOR = 3


def greatest_of_a_range(v: Any, n: int) -> Any:
    return max(range(n), key=lambda k: v[k] * FACTOR + math.sqrt(k))


def nearest_in_a_loop(v: Any, n: int) -> float:
    s = 0.0
    for i in range(n):
        j = min(range(len(v)), key=lambda k: abs(v[k] - i))
        s += v[j] * j
    return s


def of_a_few(v: Any, n: int) -> Any:
    return min([3.0, v[1], v[2]], key=lambda q: -q), max(v[0], v[1], key=abs)


def of_a_list(v: Any, n: int) -> Any:
    w = v.tolist()
    return min(w, key=lambda q: (q - 2.5) ** 2), max(w, key=abs)


def of_an_array(v: Any, n: int) -> Any:
    return max(v, key=lambda q: q * -1)


def of_nothing(v: Any, n: int) -> Any:
    return max(range(n - n), key=lambda q: v[q])


def of_nothing_by_default(v: Any, n: int) -> Any:
    return max([], key=abs, default=None), max([1, 2, 3], key=lambda k: -k, default=4)


def of_pairs(v: Any, n: int) -> Any:
    pairs = [(v[i], i) for i in range(n)]
    return min(pairs, key=lambda p: p[0]), max(pairs, key=lambda p: (p[0], -p[1]))


def of_rows(v: Any, n: int) -> Any:
    m = np.outer(v, v)
    row = max(m, key=lambda row: row.sum())
    row[0] = 5.0
    return m, row


def of_a_dict(v: Any, n: int) -> Any:
    d = {"a": v[0], "b": v[1], "c": v[2]}
    return max(d, key=d.get), min(d, key=lambda k: d[k])


def by_two_kinds(v: Any, n: int) -> Any:
    return max(range(3), key=lambda k: k if k % 2 else 0.5 * k)


def sorted_by_a_lambda(v: Any, n: int) -> Any:
    s = 0.0
    for i in range(n):
        s += v[i] * v[i]
    return s, sorted([3, 1, 2], key=lambda q: -q * n), sorted([1, -2], key=lambda q: abs(q), reverse=True)


def list_sorted_by_a_lambda(v: Any, n: int) -> Any:
    pairs = [(v[i], i) for i in range(len(v))]
    pairs.sort(key=lambda p: (p[0] % 3, {"x": p[1]}["x"], f"{p[1]}{{"))
    t = 0.0
    for i in range(len(v)):
        t += v[i]
    return pairs, t, heapq.nsmallest(2, pairs, key=lambda p: -p[1])


def two_on_a_line(v: Any, n: int) -> Any:
    t = 0.0
    for i in range(n):
        t += v[i]
    a, b = sorted([3, 1, 2], key=lambda q: -q), sorted([3, 1, 2], key=lambda q: q % 3 + 0 * n)
    return t, a, b


def bound_anew(v: Any, n: int) -> Any:
    t, found = 0.0, []
    for i in range(n):
        t += v[i]
        found.append(sorted([3, 1, 2], key=lambda q: q * i % 4))
    return t, found


def reduced(v: Any, n: int) -> Any:
    return functools.reduce(lambda a, b: a + b * n, [v[i] for i in range(n)])


def words(v: Any, n: int) -> Any:
    counts: dict[str, int] = {}
    for word in "a b a c a b d".split():
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:n], v.sum()


COMPILED = [
    greatest_of_a_range,
    nearest_in_a_loop,
    of_a_few,
    of_an_array,
    of_rows,
    sorted_by_a_lambda,
    two_on_a_line,
]
OTHERS = [
    of_a_list,
    of_nothing,
    of_nothing_by_default,
    of_pairs,
    of_a_dict,
    by_two_kinds,
    list_sorted_by_a_lambda,
]
OTHERS += [bound_anew, reduced, words]


# Quotients and remainders -----------------------------------------------------------------------------------


def quotients(v: Any, n: int) -> Any:
    t = 0
    for i in range(n):
        q, r = divmod(i * 7, n + 1)
        t += q * r
    return t


def quotients_of_floats(v: Any, n: int) -> Any:
    t = 0.0
    for i in range(n):
        q, r = divmod(float(v[i]), 0.7 + i)
        t += q * r
    return t


def quotients_by_zero(v: Any, n: int) -> Any:
    t = 0
    for i in range(n):
        q, r = divmod(i * 7, n - 3 - i)
        t += q * r
    return t


def quotients_of_floats_by_zero(v: Any, n: int) -> Any:
    t = 0.0
    for i in range(n):
        q, r = divmod(i * 7.5, float(v[i]) - 1)
        t += q * r
    return t


def quotients_of_truths(v: Any, n: int) -> Any:
    t = 0
    for i in range(n):
        q, r = divmod(v[i] > 2, n - i)
        t += q * r
    return t


# Copies of short lists --------------------------------------------------------------------------------------


def copy_that_changes(v: Any, n: int) -> Any:
    given = [1, 2]
    c = given.copy()
    t = 0.0
    while t < n:
        if t > 2:
            c[0] += 1
        else:
            c[1] -= 1
        t += 0.25 * c[0]
    return c, t, given


def dict_copy_that_changes(v: Any, n: int) -> Any:
    d = {"a": 1, "b": 2}
    e = d.copy()
    for i in range(n):
        e["a"] += i
    e["z"] = 3
    return d, e


def copy_that_grows(v: Any, n: int) -> Any:
    c = [1, 2]
    e = c.copy()
    e.append(5)
    f = e.copy()
    for i in range(n):
        f.append(i)
        if i % 3 == 0:
            e[0] += 1
    return c, e, f


def tuples_of_a_list(v: Any, n: int) -> Any:
    c = [1, 2]
    states = [tuple(c)]
    c = list(c)
    t = 0.0
    while t < n:
        if t > 2:
            c[0] += 1
        else:
            c[1] -= 1
        t += 0.25
        states.append(tuple(c))
    return states[-1], t


COMPILED += [quotients, quotients_of_floats, copy_that_changes, tuples_of_a_list]
OTHERS += [
    quotients_by_zero,
    quotients_of_floats_by_zero,
    quotients_of_truths,
    dict_copy_that_changes,
    copy_that_grows,
]


@pytest.mark.parametrize("function", [*COMPILED, *OTHERS])
def test_they_are_what_they_are_in_python(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    for values in ([3.0, 1.0, -2.0, 5.0, 5.0, 0.5, np.nan], [3.0, 1.0, 2.0, -5.0, 5.0, 0.5, 7.0]):
        for n in (5, 7, 1):
            compare(function, decorated, (np.array(values), n))


@needs_compiler
@pytest.mark.parametrize("function", COMPILED)
def test_loops_with_them_are_compiled(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    decorated(np.array([3.0, 1.0, 2.0, -5.0, 5.0, 0.5, 7.0]), 7)
    assert has_compiled_part(decorated)


# Sizes that another trace did not meet ----------------------------------------------------------------------


class Neuron:
    def __init__(self) -> None:
        self.w = np.zeros(3)
        self.b = 0.0
        self.errors: list[int] = []

    def predict(self, x: Any) -> int:
        return 1 if np.dot(self.w, x) + self.b >= 0 else -1

    def fit(self, rows: Any, wanted: Any, epochs: int) -> Neuron:
        for _ in range(epochs):
            wrong = 0
            for x, target in zip(rows, wanted, strict=True):
                update = 0.1 * (target - self.predict(x))
                if update != 0:
                    self.w += update * x
                    self.b += update
                    wrong += 1
            self.errors.append(wrong)
            if wrong == 0:
                break
        return self


def trained(rows: Any, wanted: Any, epochs: int) -> Any:
    neuron = Neuron()
    neuron.fit(rows, wanted, epochs)
    return neuron.w, neuron.b, neuron.errors


def train(neuron: Neuron, rows: Any, wanted: Any, epochs: int) -> Any:
    neuron.fit(rows, wanted, epochs)
    return neuron.w, neuron.b, neuron.errors


def test_sizes_that_only_an_earlier_trace_met() -> None:
    rows = np.random.default_rng(0).random((20, 3))
    wanted = np.where(rows @ np.array([1, -2, 0.5]) > 0, 1, -1)
    compare(trained, decorate(trained), (rows, wanted, 3))
    compare(train, decorate(train), (Neuron(), rows, wanted, 3))


@needs_compiler
def test_a_size_of_an_earlier_trace_is_no_fault() -> None:
    rows = np.random.default_rng(0).random((20, 3))
    said = str(decorate(train).explain(Neuron(), rows, np.ones(20), 3))
    assert "code generation failed" not in said
