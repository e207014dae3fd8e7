"""Lists and dicts that are made in a branch, where the other branch leaves: the rest belongs to it.

What was made in a block changes while tracing only in that block, or where its nodes went.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def early(x):
    if x > 3:
        return [0, 1]
    d = [5, 6]
    return d


def new():
    return []


def filled(x):
    if x > 2:
        return None
    r = []
    for k in range(3):
        r.append(k)
    return r


def changed(x, d):
    if x > 2:
        d["k"] = 1
    return d


class P:
    def __init__(self, x):
        self.x = x


def list_appended_in_a_loop(n, x):
    if x > 3:
        return 0
    else:
        out = []
    for k in range(n):
        out.append(1)
    return len(out)


def dict_set_in_a_branch(n, x):
    if x > 3:
        return 0
    else:
        d = {"a": 0}
    if n > 2:
        d["a"] = 5
    return d["a"]


def list_set_in_a_branch(n, x):
    if x > 3:
        raise ValueError
    else:
        d = [0, 1]
    if n > 2:
        d[0] = 7
    return d[0] + x


def list_of_an_iteration(n, x):
    for i in range(n):
        if i == x:
            continue
        else:
            d = [0, i]
        if i > 1:
            d[0] = 7
    return d[0] + x


def dict_after_continue(n, x):
    t = 0
    for i in range(n):
        if i == x:
            continue
        d = {"c": 0, "v": 1}
        if i % 2:
            d["c"] += 1
        t += d["c"] * 2 + d["v"]
    return t


def list_of_a_helper_that_returns_early(n, x):
    d = early(x)
    if n > 2:
        d[0] = 9
    return d[0]


def dict_of_both_branches(n, x):
    while x > 0:
        x -= 1
        if x > 3:
            continue
        else:
            d = {}
        if x == 1:
            d["k"] = 1
        else:
            d["k"] = 2
        n += d["k"]
    return n


def iterator_after_continue(a, n):
    t = 0.0
    for i in range(n):
        if i == 1:
            continue
        else:
            g = iter([1, 2, 3])
        if i % 2:
            t += next(g)
        t += next(g) * 10
    return t


def generator_after_continue(a, n):
    t = 0.0
    for i in range(n):
        if i == 1:
            continue
        else:
            g = (x * 2 for x in a)
        for k in range(2):
            t += sum(g)
    return t


def object_after_continue(a, n):
    t = 0.0
    for i in range(n):
        if i == 1:
            continue
        else:
            p = P(1.0)
        if i % 2 == 0:
            p.x = 2.0
        t += p.x
    return t


def containers_in_a_list(a, n):
    t = 0.0
    for i in range(n):
        if i == 1:
            continue
        else:
            p = [[0, 1], {"a": [2]}]
        if i % 2 == 0:
            p[0][1] = 2.0
            p[1]["a"].append(3)
        else:
            p[1]["b"] = 5
        t += p[0][1] + len(p[1]) + len(p[1]["a"])
    return t


def containers_in_an_inner_loop(a, n):
    t = 0.0
    i = 0
    while True:
        i += 1
        if i > n:
            break
        else:
            d = {"u": 1, "v": [1]}
            e = []
        for k in range(i):
            d["u"] += 1
            e.append(k)
            if k > 3:
                d["v"].append(2)
        t += d["u"] + len(e) + len(d["v"])
    return t


def dict_given_to_a_helper(a, n):
    t = 0.0
    for i in range(n):
        if i == 1:
            continue
        else:
            d = {"k": 0}
        t += changed(i, d)["k"]
    return t


def none_or_list(out, n):
    if out is None:
        out = []
    for k in range(n):
        out.append(k)
    return out


def list_of_the_branch_that_is_taken(n):
    if n is not None:
        out = []
    for k in range(n):
        out.append(k)
    return out


def list_or_number(n, flag):
    if flag == None:
        out = []
    else:
        out = 3
    for k in range(n):
        out.append(k)
    return out


def none_at_first(n):
    out = None
    if out is None:
        out = []
    for k in range(n):
        out.append(k * 2.0)
    return sum(out)


def begun_list_of_the_branch_that_is_taken(n):
    if isinstance(n, int):
        out = [0]
    for k in range(n):
        out.append(k * 2.0)
    return sum(out)


def none_returned_early(n, x):
    if x > 3:
        return None
    else:
        out = []
    for k in range(n):
        out.append(k * 2.0)
    return out


def raised_before(n, x):
    if x > 3:
        out = []
    else:
        raise ValueError("no")
    for k in range(n):
        out.append(k * 2.0)
    return sum(out)


def filled_in_an_unrolled_loop(n):
    for mode in ("a", "b"):
        out = []
        for k in range(n):
            out.append(k * 2.0)
    for k in range(n):
        out.append(k * 1.0)
    return out


def made_in_an_unrolled_loop(n):
    for mode in ("a", "b"):
        out = []
    for k in range(n):
        out.append(k * 1.0)
    return out


def made_in_a_loop_that_ends(n):
    k = 0
    while True:
        out = []
        break
    for k in range(n):
        out.append(k * 1.0)
    return out


def filled_after_continue(n, x):
    for i in range(3):
        if x > i:
            continue
        out = []
        for k in range(n):
            out.append(k * 1.0)
    return out


def made_by_a_helper(n, x):
    out = new() if n is not None else None
    for k in range(n):
        out.append(k * 1.0)
    return out


def filled_by_a_helper(n, x):
    r = filled(x)
    for k in range(n):
        r.append(k)
    return r


OF_TWO_NUMBERS = [
    list_appended_in_a_loop,
    dict_set_in_a_branch,
    list_set_in_a_branch,
    list_of_an_iteration,
    dict_after_continue,
    list_of_a_helper_that_returns_early,
    dict_of_both_branches,
    none_returned_early,
    raised_before,
    filled_after_continue,
    made_by_a_helper,
    filled_by_a_helper,
]
OF_AN_ARRAY = [
    iterator_after_continue,
    generator_after_continue,
    object_after_continue,
    containers_in_a_list,
    containers_in_an_inner_loop,
    dict_given_to_a_helper,
]
OF_ONE_NUMBER = [
    list_of_the_branch_that_is_taken,
    none_at_first,
    begun_list_of_the_branch_that_is_taken,
    filled_in_an_unrolled_loop,
    made_in_an_unrolled_loop,
    made_in_a_loop_that_ends,
]
OF_NONE = [none_or_list, list_or_number]
CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *(
        (function, args)
        for function in OF_TWO_NUMBERS
        for args in ((5, 1), (2, 1), (1, 0), (4, 6), (0, 2), (5, 4))
    ),
    *((function, (np.arange(4.0), n)) for function in OF_AN_ARRAY for n in (5, 2, 7, 0)),
    *((function, (n,)) for function in OF_ONE_NUMBER for n in (5, 0)),
    (none_or_list, (None, 3)),
    (none_or_list, ([2, 1], 3)),
    (list_or_number, (3, None)),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_what_was_made_before_the_rest_is_python_s(
    function: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    compare(function, decorate(function), args)


@needs_compiler
@pytest.mark.parametrize(
    "function", [none_returned_early, raised_before, none_at_first, made_in_an_unrolled_loop]
)
def test_lists_that_grow_behind_a_branch_are_compiled(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    args = (40, 4) if function is raised_before else (40, 1)[: function.__code__.co_argcount]
    compare(function, decorated, args)
    assert has_compiled_part(decorated)
