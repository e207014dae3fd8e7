"""Gradients, compiled, of programs that update arrays from themselves in loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from each_call import assert_gradient_in_each_call
from programs import memory

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
    (memory.write_after_the_last_read_in_each_iteration, (memory.SIX, 3)),
    (memory.write_before_all_is_written_anew, (memory.SIX, 3)),
    (memory.write_to_what_was_handed_on, (memory.SIX, 5)),
]


@pytest.mark.parametrize(("program", "args"), CALLS, ids=lambda v: getattr(v, "__name__", ""))
def test_compiled_gradients_are_those_of_the_plain_function(
    program: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    assert_gradient_in_each_call(program, args)
