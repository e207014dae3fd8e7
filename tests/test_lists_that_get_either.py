"""Lists that grow by Python's numbers in some places and by NumPy's in others."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import explanation, needs_compiler
from same import compare, decorate


def first_is_pythons(x, k):
    found = [1.0]
    for v in x:
        found.append(v * 2)
    return found


def one_branch_each(x, k):
    found = []
    for i in range(len(x)):
        if i % k == 0:
            found.append(1.0)
        else:
            found.append(x[i] / k)
    return found


def numpys_first(x, k):
    found = []
    for i in range(len(x)):
        found.append(x[i])
        found.append(i * 0.5)
    return found


def chosen(x, k):
    return [1.0 if i == 0 else x[i:].sum() for i in range(len(x))]


def chosen_in_a_filter(x, k):
    return [x[i] if x[i] > 0.8 else 0.0 for i in range(len(x)) if i % 2 == 0]


def a_variable_of_two_kinds(x, k):
    s, found = 0.0, []
    for i in range(len(x)):
        found.append(s)
        if x[i] > 0.4:
            s += x[i]
    return found, s


def ints(x, k):
    found, n = [0], 0
    for v in (x * 9).astype(int):
        if v > k:
            n = v
        elif v == k:
            n = 5
        found.append(n)
    return found


def tuples(x, k):
    curve, s = [], 1.0
    for i in range(len(x)):
        if x[i] > 0.7:
            s *= 1 - x[i] / k
        curve.append((i, s, float(s)))
    return curve


def rows(x, k):
    a, b, found = 0.5, 0.25, []
    for i in range(len(x)):
        found.append([a, b, i])
        a = a + 0.5 * b
        if i >= k:
            b = b - x[i]
    return found


def read_back(x, k):
    found = [0.5]
    for i in range(len(x)):
        found.append(x[i] + found[-1] if i % k else found[i] * 2.0)
    return found, found[0], found[-1], found[len(x) // 2], len(found)


def written_too(x, k):
    found = [0.0]
    for i in range(len(x)):
        found.append(0.5 * i)
        found[i // 2] = x[i]
        if i > k:
            found[-1] = 2.0
            found[0] += 1
    return found


def a_stack(x, k):
    stack, taken = [0.25], []
    for v in x:
        stack.append(v)
        if len(stack) > k:
            taken.append(stack.pop())
            taken.append(stack.pop(0))
    return stack, taken


def extended(x, k):
    found = [1.0, 2.0]
    for i in range(len(x)):
        found.extend([x[i], 0.5])
    found.extend(x[:k])
    return found


def repeated_first(x, k):
    found = [0.0] * k
    for v in x:
        found.append(v)
    return found


def as_arrays(x, k):
    errors, steps = [1.0], [(0, 1.0)]
    for i in range(len(x)):
        errors.append(x[i])
        steps.append((i, errors[-1] if i % 2 else 2.0))
    return np.array(errors), np.array(steps), np.mean(errors), sum(errors)


def until_small(x, k):
    errors = [1.0]
    while errors[-1] > 1e-3 and len(errors) < 40:
        errors.append(errors[-1] * x.max() / k)
    return errors


def through_a_loop(x, k):
    found, s = [0.5], 0.0
    for v in x:
        found.append(v)
    for j, v in enumerate(found):
        s = s + v * j
        if j == k:
            s = s / 2
    return s, [v * 2 for v in found]


def with_other_uses(x, k):
    found = [0.5]
    for v in x:
        found.append(v)
    return max(found), sorted(found), found + [1], found[1:], 0.5 in found, found == [0.5], found[::-1]


def of_other_kinds(x, k):
    mixed, bools, nested = [1], [True], [1.0]
    for v in x:
        mixed.append(v)
        bools.append(v > 0.5)
        nested.append([v])
    return mixed, bools, nested


def in_two_variables(x, k):
    found = [0.5]
    other = found
    for v in x:
        found.append(v)
    return found, other, found is other


def append_raises_later(x, k):
    found = [0.5]
    for i in range(len(x) + 1):
        found.append(x[i])
    return found


def very_large_ints(x, k):
    found, n = [k], k
    for i in range(len(x)):
        n *= 77
        found.append(n if x[i] < 1.5 else np.int64(i))
    return found


COMPILED = [
    *(first_is_pythons, one_branch_each, numpys_first, chosen, chosen_in_a_filter, a_variable_of_two_kinds),
    *(ints, tuples, rows, read_back, written_too, a_stack, extended, repeated_first, until_small),
]
PROGRAMS = [
    *COMPILED,
    *(as_arrays, through_a_loop, with_other_uses, of_other_kinds, in_two_variables),
    *(append_raises_later, very_large_ints),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_lists_that_get_numbers_of_both(program) -> None:
    fast = decorate(program)
    rng = np.random.default_rng(6)
    with np.errstate(all="ignore"):
        for size in (40, 8, 2, 1, 0):
            compare(program, fast, (rng.random(size) * 1.6, 3))
        compare(program, fast, (np.array([1.0, np.nan, 2.0, -0.0, 3.0]), 3))
        compare(program, fast, (rng.random(9).astype(np.float32), 3))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_they_grow_in_compiled_code(program) -> None:
    fast = decorate(program)
    x = np.random.default_rng(6).random(400)
    fast(x, 3)
    assert "runs as Python" not in explanation(fast, x, 3)
