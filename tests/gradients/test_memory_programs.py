"""Gradients, compiled, of programs that update arrays from themselves in loops."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric_gradients import assert_close, gradient
from programs import memory

import jitscope as js

SQUARE, VECTOR, OTHER = memory.SQUARE * 0.3, memory.VECTOR, memory.numbers(4, 4, seed=2)
CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *(
        (program, (SQUARE, VECTOR, 4))
        for program in (
            memory.residual_update,
            memory.residual_update_out,
            memory.two_states_without_products,
            memory.momentum,
            memory.growth_in_while,
            memory.adam,
            memory.adam_in_place,
            memory.conjugate_gradient,
            memory.leapfrog,
            memory.runge_kutta_2,
            memory.sum_of_what_the_last_iteration_wrote,
            memory.read_before_written_in_a_branch,
        )
    ),
    (memory.scaled_exponentials, (SQUARE, OTHER, 3)),
    (memory.halving_or_counting, (VECTOR, 12)),
    (memory.accept_or_reject, (VECTOR, 5)),
    (memory.accept_or_reject, (VECTOR * 40.0, 3)),
    (memory.reject_or_accept_by_size, (VECTOR, 5)),
    (memory.reject_or_accept_by_size, (VECTOR * 40.0, 3)),
    (memory.last_of_a_slice, (memory.SIX,)),
    (memory.corners_of_rows, (memory.numbers(4, 5),)),
]


@pytest.mark.parametrize(("program", "args"), CALLS, ids=lambda v: getattr(v, "__name__", ""))
def test_compiled_gradients_are_those_of_the_plain_function(
    program: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    expected, plain = gradient(program, args, 0), copy.deepcopy(args)
    value = program(*plain)
    derived = js.value_and_grad(program)
    for repetition in range(3):
        if repetition == 2:
            derived.clear()  # the third call finds what the first one wrote to disk
        mine = copy.deepcopy(args)
        found, slope = derived(*mine)
        np.testing.assert_allclose(found, value, rtol=1e-11)
        assert_close(slope, expected, rtol=2e-6)
        for after, wanted in zip(mine, plain, strict=True):
            np.testing.assert_allclose(after, wanted, rtol=1e-11)
