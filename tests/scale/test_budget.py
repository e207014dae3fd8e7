"""What is past the budget stays plain, with a reason, and the answer is plain Python's."""

from __future__ import annotations

import inspect
import sys
import time

import numpy as np
import pytest
from generated import function_from_text
from long_first_calls import branches, measured
from programs_of_any_length import (
    attributes,
    chained_branches,
    comparisons,
    conditionals,
    constants,
    lambdas,
    nested_branches,
    nested_loops,
    parentheses,
    signs,
    statements,
    terms,
)
from same import same

import jitscope as js
from jitscope.codegen.writer import broken
from jitscope.graph.passes.cluster import TOO_LARGE, TOO_MUCH


def reasons_of(decorated):
    """Why parts of the only specialisation of a function are plain, or all of it is."""
    (found,) = decorated.specializations
    left = [item.reason for item in (*found.report.left, *found.report.notes)]
    return [found.plain_reason, *left] if found.plain_reason else left


def matrix_multiply(a, b):
    n, m, k = len(a), len(b), len(b[0])
    c = [[0.0] * k for _ in range(n)]
    for i in range(n):
        for j in range(k):
            s = 0.0
            for index in range(m):
                s += a[i][index] * b[index][j]
            c[i][j] = s
    return c


def square(size):
    return [[float(i * j % 7) for i in range(size)] for j in range(size)]


@pytest.mark.parametrize("size", [16, 60])
def test_a_matrix_product_on_lists_answers_soon(size):
    a = square(size)
    start = time.process_time()
    expected = matrix_multiply(a, a)
    plain = time.process_time() - start
    decorated = js.function(matrix_multiply)
    start = time.process_time()
    assert decorated(a, a) == expected
    assert time.process_time() - start < 2 * plain + 3
    same(matrix_multiply, a, a)


def shifted(x, v):
    return np.sin(x * v) + np.cos(x + v) - np.exp(-x) * v


def helper_in_a_loop_over_a_list(x, values):
    for v in values:
        for w in values:
            x = shifted(x, v) + w
    return x


def comprehension_in_a_comprehension(x, values):
    parts = [[shifted(x, v) * w for w in values] for v in values]
    return sum(sum(part) for part in parts)


def nested_loops_over_lists(x, values):
    for u in values:
        for v in values:
            for w in values:
                x = x * 0.5 + u * v + w
    return x


@pytest.mark.parametrize(
    "function", [helper_in_a_loop_over_a_list, comprehension_in_a_comprehension, nested_loops_over_lists]
)
def test_a_loop_that_would_be_unrolled_too_often_is_pythons(function):
    values = [0.01 * k for k in range(39)] + [True]  # a truth among floats, so that it is no array
    decorated = js.function(function)
    expected, found = function(np.arange(4.0), values), decorated(np.arange(4.0), values)
    np.testing.assert_array_equal(found, expected)
    assert any("unrolled, it has more than" in reason for reason in reasons_of(decorated))


def counted_by_while(x, values):
    k = 0
    while k < 5000:
        x = x + values[k % len(values)]
        k += 1
    return x


def test_a_while_on_known_ints_is_a_loop():
    same(counted_by_while, np.arange(4.0), np.ones(3))
    same(counted_by_while, np.arange(4.0), [1.0, 2.0])


TREE = "def f0(x):\n    return x * 0.5 + 1\n\n\n" + "".join(
    f"def f{k}(x):\n    return f{k - 1}(x) + f{k - 1}(x * 2)\n\n\n" for k in range(1, 14)
)


def test_helpers_that_call_helpers_stay_plain_where_they_are_too_much(tmp_path, monkeypatch):
    monkeypatch.setattr("jitscope.autograph.spending.STEPS", 2000)
    text = TREE + "def f(x):\n    y = np.exp(x)\n    return f13(x) + np.sin(y) * np.cos(y) + y\n"
    function = function_from_text(text, tmp_path)
    decorated = js.function(function)
    np.testing.assert_array_equal(decorated(np.arange(3.0)), function(np.arange(3.0)))
    assert any("'f13' runs in Python: it has more than 2,000" in reason for reason in reasons_of(decorated))


def test_what_is_past_the_budget_of_a_function_is_run_by_numpy(tmp_path, monkeypatch):
    monkeypatch.setattr("jitscope.graph.passes.weight.KERNEL_OPERATIONS", 40)
    text, args = statements(120)
    function = function_from_text(text, tmp_path)
    # The package hands on a function of the same name.
    monkeypatch.setattr(sys.modules["jitscope.graph.passes.cluster"], "FUNCTION_WEIGHT", 200)
    decorated = js.function(function)
    np.testing.assert_allclose(decorated(*args), function(*args), rtol=1e-13)
    assert decorated.specializations[0].clusters
    assert TOO_MUCH in reasons_of(decorated)


@pytest.mark.timeout(600)
def test_a_thousand_branches_are_ready_soon_and_those_past_the_budget_are_numpys(tmp_path):
    calls = "[(np.ones(10),), (np.full(7, 100.0),)]"
    found, tenth = (measured(branches(count), calls, tmp_path) for count in (1000, 100))
    assert found.seconds < 15 * tenth.seconds  # in proportion, or less
    assert found.megabytes < 600
    assert found.clusters
    assert TOO_MUCH in found.reasons


def test_branches_that_hand_on_copies_and_views_are_grouped_soon(tmp_path, monkeypatch):
    """Whether two of them share memory is asked of all pairs, and known from those before."""
    monkeypatch.setattr(sys.modules["jitscope.graph.passes.cluster"], "FUNCTION_WEIGHT", 3000)
    arms = ("y = y.copy()", "y[0] = {}", "y = y[::-1]", "y = y * {}", "z = y")
    lines = "".join(f"    if x[{k % 7}] > 0.5: {arms[k % 5].format(k)}\n" for k in range(300))
    function = function_from_text(f"def f(x):\n    y = z = x * 1\n{lines}    return y, z\n", tmp_path)
    decorated, started = js.function(function), time.process_time()
    x = np.linspace(0.0, 1.0, 7)
    for found, expected in zip(decorated(x), function(x), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert time.process_time() - started < 60


def test_a_loop_that_is_too_large_for_a_kernel_holds_several(tmp_path, monkeypatch):
    monkeypatch.setattr("jitscope.graph.passes.weight.KERNEL_WEIGHT", 100)
    lines = "".join(f"        x = np.sin(x) * {k}.5\n        s += (x * x).sum()\n" for k in range(10))
    text = f"def f(x, n):\n    s = 0.0\n    for i in range(n):\n{lines}    return x, s\n"
    function = function_from_text(text, tmp_path)
    decorated = js.function(function)
    for found, expected in zip(decorated(np.arange(4.0), 3), function(np.arange(4.0), 3), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert len(decorated.specializations[0].clusters) > 1
    assert TOO_LARGE in reasons_of(decorated)


ODD = {
    "terms": terms(950),
    "terms that are compiled": terms(90),
    "comparisons": comparisons(150),
    "comparisons, more": comparisons(600),
    "elif": chained_branches(900),
    "ifs": nested_branches(95),
    "fors": nested_loops(19),
    "parentheses": parentheses(190),
    "signs": signs(300),
    "conditionals": conditionals(120),
    "attributes": attributes(900),
    "constants": constants(2000),
    "lambdas": lambdas(26),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_programs_do_what_plain_does(name, tmp_path):
    text, args = ODD[name]
    function = function_from_text(text, tmp_path)
    start = time.process_time()
    same(function, *args)
    assert time.process_time() - start < 60


def test_a_low_recursion_limit_of_the_users_is_kept(tmp_path):
    function = function_from_text(parentheses(40)[0], tmp_path)
    decorated, before = js.function(function), sys.getrecursionlimit()
    depth = len(inspect.stack())
    sys.setrecursionlimit(depth + 120)
    try:
        found = decorated(np.arange(3.0))
        assert sys.getrecursionlimit() == depth + 120
    finally:
        sys.setrecursionlimit(before)
    np.testing.assert_array_equal(found, function(np.arange(3.0)))
    assert decorated.specializations[0].clusters


def test_a_long_text_with_one_target_is_broken_inside_its_brackets():
    text = f"part_12 = {' + '.join(f'x{k}[i]' for k in range(13))} + y[i]"
    lines = broken("        ", text)
    compile("if 1:\n" + "\n".join(lines), "text", "exec")
    assert lines[0].lstrip().startswith("part_12 = ")
