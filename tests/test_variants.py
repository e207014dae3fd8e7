"""Variants of programs that were wrong once: values and gradients in first, second and cached calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from compiled import from_the_disk, has_compiled_part, needs_compiler
from each_call import assert_gradient_in_each_call
from same import compare, decorate
from variants import GRADIENTS, VALUES, arguments

Program = Callable[..., Any]


def _name(program: Program) -> str:
    return program.__name__


@needs_compiler
@pytest.mark.parametrize("program", VALUES, ids=_name)
def test_values_are_those_of_the_plain_function(program: Program) -> None:
    decorated = decorate(program)
    compare(program, decorated, arguments(program), tol=256)
    assert has_compiled_part(decorated)
    with from_the_disk(decorated):
        compare(program, decorated, arguments(program), calls=1, tol=256)


@needs_compiler
@pytest.mark.parametrize("program", GRADIENTS, ids=_name)
def test_gradients_are_those_of_the_plain_function(program: Program) -> None:
    assert_gradient_in_each_call(program, arguments(program))
