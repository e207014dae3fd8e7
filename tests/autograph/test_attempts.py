"""What is traced again, knowing better: loops that are left, tests that assign, returns out of blocks."""

from __future__ import annotations

import numpy as np
import pytest

from jitscope.autograph.trace import trace
from jitscope.autograph.traced import Unstageable
from jitscope.graph.ir.nodes import walk

X = np.array([0.5, 1.5, 4.0])


def _ops(function, *args):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return [node.op for node in walk(trace(function, dict(zip(names, args, strict=True))).graph.body)]


def left_in_a_branch(x, flag):
    weights = (x[0], 1.0, x[1])
    t = 0.0
    if flag > 0:
        for i in range(3):
            if x[i] > 1.0:
                if x[i] > 2.0:
                    break
            t = t + weights[i]
    return t


def test_a_loop_that_has_to_be_unrolled_but_is_left_at_run_time_is_named_with_its_line():
    with pytest.raises(Unstageable, match="left on a condition of the run") as told:
        trace(left_in_a_branch, {"x": X, "flag": 1.0})
    assert told.value.loc is not None
    assert told.value.loc.text.strip() == "if x[i] > 2.0:"


def left_inside_of_another(x, flag):
    t = 0.0
    for row in ((x[0], 1.0, x[1]), (2.0, x[0], x[1])):
        for i in range(3):
            if x[i] > flag:
                break
            t = t + row[i]
    return t


def test_a_loop_over_a_container_becomes_a_loop_of_the_run_when_one_inside_of_it_is_left():
    ops = _ops(left_inside_of_another, X, 1.0)
    assert (ops.count("for_each"), ops.count("for"), ops.count("break")) == (1, 1, 1)


def assigned_in_its_test(x):
    i = 0
    while (value := x[i]) < 2.0:
        i = i + 1
    return value


def test_a_while_whose_test_assigns_is_traced_once_more_and_leaves_nothing_of_the_first_time():
    ops = _ops(assigned_in_its_test, X)
    assert (ops.count("while"), ops.count("load")) == (1, 1)


def _sign(value):
    if value < 0:
        return -1
    return 1


def calls(x):
    return _sign(x[0]) + _sign(x[1])


def test_a_helper_that_returns_out_of_a_block_leaves_one_region():
    assert _ops(calls, X).count("call") == 2
    assert _ops(calls, X).count("load") == 2


def changes_type(x):
    t = 0
    for i in range(x.shape[0]):
        t = t + x[i]
    return t


def test_a_loop_whose_variable_turns_out_to_be_a_float_is_there_once():
    assert _ops(changes_type, X).count("for") == 1


def any_row(m):
    return any(row for row in m)


def test_a_fold_that_only_python_can_do_leaves_no_half_of_a_loop():
    ops = _ops(any_row, np.ones((2, 1)))
    assert (ops.count("for"), ops.count("break")) == (1, 0)
