"""What loops go through, used as a value: items of ranges, truth, comparisons, texts; the order of sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from enough_work import work
from same import compare, decorate


def item(x: Any, n: Any, k: Any) -> Any:
    return work(x) + range(n)[k]


def item_in_steps(x: Any, n: Any, k: Any) -> Any:
    return work(x) + range(-3, n, 2)[k]


def item_by_own_step(x: Any, n: Any, k: Any) -> Any:
    return work(x) + range(1, n, k)[k]


def item_backwards(x: Any, n: Any, k: Any) -> Any:
    r = range(n - 1, -1, -1)
    return work(x) + r[k] + len(r)


def known_items(x: Any, n: Any, k: Any) -> Any:
    return work(x), range(n)[0] if n > 0 else 0, range(n)[-1] if n > 1 else 0, range(k, n)[-1]


def looked_up(x: Any, n: Any, k: Any) -> Any:
    r = range(len(x))
    s = work(x)
    for j in range(k):
        s += x[r[j]]
    return s


def from_the_end(x: Any, n: Any, k: Any) -> Any:
    r, s = range(3, n, 2), 0
    for j in range(-len(r), 0):
        s = s * 2 + r[j]
    return work(x), s


def truths(x: Any, n: Any, k: Any) -> Any:
    r = range(n)
    return work(x), not r, bool(r), 1 if r else 2, any([range(k)]), all([range(k)])


def either(x: Any, n: Any, k: Any) -> Any:
    return work(x) + len(range(n) or [1, 2])


def while_true(x: Any, n: Any, k: Any) -> Any:
    r, t = range(n), 0
    while r and t < k:
        t += 1
    return work(x), t


def each_in_turn(x: Any, n: Any, k: Any) -> Any:
    for r in (range(n), range(k)):
        if r:
            x[0] += len(r)
    return work(x)


def in_comprehension(x: Any, n: Any, k: Any) -> Any:
    return work(x), [j if range(j) else -1 for j in range(n)]


def equal(x: Any, n: Any, k: Any) -> Any:
    return work(x), range(n) == range(k), range(n) == range(n), range(n) != range(k)


def equal_in_tuples(x: Any, n: Any, k: Any) -> Any:
    return work(x), (range(n), 1) == (range(n), 1), [range(n), range(k)] == [range(k), range(n)]


def texts(x: Any, n: Any, k: Any) -> Any:
    return work(x), f"{range(n)}", str(range(n, k)), "%s" % range(n)


def contained(x: Any, n: Any, k: Any) -> Any:
    return work(x), k in range(n), 2.5 in range(k), range(n) in [range(k)], [range(n)].count(range(n))


def within(x: Any, n: Any, k: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        if i in range(3, n):
            s += x[i]
        if i in range(n, -2, -3) or int(x[i]) in range(k, n, 2):
            s = s * 0.5
        if i not in range(1, 40, 7) and np.int64(i) in range(0, 50, 3):
            s += 1
        if n < 5 and np.int8(i) in range(-5, 5, 2):
            s -= 1
    return s, n in range(k), k in range(n), n > k in range(3)


def iterators(x: Any, n: Any, k: Any) -> Any:
    z = zip(x, x, strict=False)
    return work(x), bool(z), not enumerate(x), z == z, z is z, z == 3, reversed(x) == reversed(x)


def maybe(x: Any, n: Any, k: Any) -> Any:
    r = range(n) if k > 2 else None
    q = range(n) if k > 0 else range(k, n)
    return work(x) + (0 if r is None else len(r)), sum(q)


def carried(x: Any, n: Any, k: Any) -> Any:
    r, total = range(n), 0.0
    for j in range(k):
        for i in r:
            total += i * x[j]
        r = range(j)
    return total, work(x)


def dicts(x: Any, n: Any, k: Any) -> Any:
    d: Any = {}
    for v in range(n):
        d[v * k] = d.get(v * k, 0) + 1
    return work(x), bool(d.keys()), not d.items(), (1 if d.values() else 2), len(d.items())


def sets(x: Any, n: Any, k: Any) -> Any:
    return work(x), list({n, k, 3}), list({k, n}), {n} == {k}, n in {k, 3}, list({x.shape[0], n, k, 1, True})


def parts_of_bools(x: Any, n: Any, k: Any) -> Any:
    return work(x), (n > k).real, (n > k).imag, (x[0] > k).real, n.real


def no_sets(x: Any, n: Any, k: Any) -> Any:
    return work(x), {n, k, (x.shape, [n])}  # type: ignore[arg-type]


PROGRAMS = (
    item, item_in_steps, item_by_own_step, item_backwards, known_items, looked_up, from_the_end, truths,
    either, while_true, each_in_turn, in_comprehension, equal, equal_in_tuples, texts, contained, within,
    iterators, maybe, carried, dicts, sets, no_sets, parts_of_bools,
)  # fmt: skip


@pytest.mark.parametrize("first", [(10, 2), (0, 3), (10, -1), (10, 30)])
@pytest.mark.parametrize("program", PROGRAMS)
def test_values_that_loops_go_through_are_pythons(program: Any, first: tuple[int, int]) -> None:
    decorated: Any = decorate(program, cache=False)
    for n, k in (first, (10, 2), (2, 10), (18, 10), (3, 3), (0, 0), (-1, -2), (10, -10), (10, -11), (1, 1)):
        compare(program, decorated, (np.arange(50.0), n, k), calls=1)
    compare(program, decorated, (np.arange(50.0), 10, np.int64(2)), calls=1)
    compare(program, decorated, (np.arange(50.0), 10, 1.0), calls=1)


def of_a_given_range(x: Any, r: Any) -> Any:
    out: Any = []
    for k, (i, v) in enumerate(zip(r, x, strict=False)):
        out.append(v * i + k)
    for i in reversed(r):
        out[i % len(out)] += i
    return out


def as_it_is(x: Any, r: Any) -> Any:
    return [x[i] * 2 for i in r], len(r), list(r), sum(r), r[0], r, np.array(r), 3 in r, r.stop, max(r)


def of_ranges(x: Any, r: Any) -> Any:
    s = 0.0
    for q in (r, range(3)):
        for i in q:
            s = s * 0.5 + x[i]
    return s


@pytest.mark.parametrize("first", [range(10), range(20, 3, -2)])
@pytest.mark.parametrize("program", [of_a_given_range, as_it_is, of_ranges])
def test_ranges_come_as_arguments(program: Any, first: range) -> None:
    decorated: Any = decorate(program, cache=False)
    others = range(5, 50, 3), range(0), range(7, 2), range(3, 60), range(10, 0, -1), range(2**50, 2**50 + 2)
    for r in (first, *others, first):
        compare(program, decorated, (np.arange(60.0), r), calls=1)


def one_of_two(x: Any, n: Any, back: Any) -> Any:
    out = np.zeros(len(x))
    for y in range(3):
        xs = range(n - 1, -1, -1) if (y % 2 and back) else range(n)
        s = 0.0
        for i in xs:
            s = s * 0.5 + x[i]
            out[i] += s
    return out


def assigned_anew(x: Any, n: Any, back: Any) -> Any:
    r = range(n)
    if back:
        r = range(0, len(x), 2)
    s = 0.0
    for i in r:
        s = s * 0.5 + x[i]
    return s, len(r), list(r), r[0], r


def other_in_each_iteration(x: Any, n: Any, back: Any) -> Any:
    r, s = range(n), 0.0
    for k in range(4):
        for i in r:
            s = s * 0.5 + x[i]
        r = range(k, n) if back else range(n, 0, k - 5)
    return s


def or_none(x: Any, n: Any, back: Any) -> Any:
    r, s = range(n) if back else None, 0.0
    if r is not None:
        for i in r:
            s = s * 0.5 + x[i]
    return s


def or_a_list(x: Any, n: Any, back: Any) -> Any:
    r: Any = range(n) if back else [3, 1, 2]
    s = 0.0
    for i in r:
        s = s * 0.5 + x[i]
    return s


def or_none_of_two(x: Any, n: Any, back: Any) -> Any:
    r, s = None, 0.0
    if n > 2:
        r = range(n) if back else range(n, 0, -1)
    if r is not None:
        for i in r:
            s = s * 0.5 + x[i]
    for k in range(n):
        if k == 1:
            q = range(k, n) if back else range(n, 0, -2)
        if k > 1:
            for i in q:
                s += x[i]
    return s


SEVERAL = or_none_of_two, one_of_two, assigned_anew, other_in_each_iteration, or_none, or_a_list


@pytest.mark.parametrize("first", [(10, True), (10, False), (0, True)])
@pytest.mark.parametrize("program", SEVERAL)
def test_a_variable_is_one_of_several_ranges(program: Any, first: tuple[int, bool]) -> None:
    decorated: Any = decorate(program, cache=False)
    for n, back in (
        first,
        (10, True),
        (10, False),
        (3, True),
        (0, False),
        (20, True),
        (21, True),
        (-1, False),
    ):
        compare(program, decorated, (np.arange(20.0), n, back), calls=1)


def in_a_long_range(x: Any, k: Any, into: Any) -> Any:
    into.append(k)
    s = work(x)
    for _ in range(5):
        if k in range(-(2**63), 2**63 - 1, 2):
            s += 1
    into.append(s)
    return s


def test_places_in_long_ranges_stay_within_64_bits() -> None:
    decorated: Any = decorate(in_a_long_range, cache=False)
    for k in (5, 4, -(2**46), 2**46 + 1):
        compare(in_a_long_range, decorated, (np.arange(20.0), k, []), calls=2)


@needs_compiler
@pytest.mark.parametrize("program", [one_of_two, other_in_each_iteration, of_ranges, of_a_given_range])
def test_loops_over_them_are_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    of_two = program in SEVERAL
    args = (np.arange(60.0), 10, True) if of_two else (np.arange(60.0), range(20))
    decorated(*args)
    assert "runs as" not in decorated.explain(*args)


@needs_compiler
@pytest.mark.parametrize(
    "program", [item, item_in_steps, item_backwards, looked_up, from_the_end, sets, within]
)
def test_items_of_ranges_are_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(np.arange(50.0), 10, 2)
    assert has_compiled_part(decorated)
