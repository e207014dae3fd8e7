"""Variants of programs that were wrong once: values and gradients in first, second and cached calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from compiled import needs_compiler
from each_call import CALLS, assert_gradient_in_each_call
from same import compare, decorate
from variants import GRADIENTS, VALUES, arguments

Program = Callable[..., Any]


def _name(program: Program) -> str:
    return program.__name__


@needs_compiler
@pytest.mark.parametrize("program", VALUES, ids=_name)
def test_values_are_those_of_the_plain_function(program: Program) -> None:
    decorated = decorate(program)
    for call in range(CALLS):
        if call == CALLS - 1:
            decorated.clear()  # this call finds what the first one wrote to disk
        compare(program, decorated, arguments(program), tol=256)


@needs_compiler
@pytest.mark.parametrize("program", GRADIENTS, ids=_name)
def test_gradients_are_those_of_the_plain_function(program: Program) -> None:
    assert_gradient_in_each_call(program, arguments(program))
