"""Variants of programs that were wrong once: values and gradients in first, second and cached calls."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from numeric_gradients import assert_close, gradient
from same import compare, decorate
from variants import GRADIENTS, VALUES, arguments

Program = Callable[..., Any]
CALLS = 3


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
    import jitscope as js

    args = arguments(program)
    expected, plain = gradient(program, args, 0), copy.deepcopy(args)
    value = program(*plain)
    derived = js.value_and_grad(program)
    for call in range(CALLS):
        if call == CALLS - 1:
            derived.clear()
        mine = copy.deepcopy(args)
        found, slope = derived(*mine)
        np.testing.assert_allclose(found, value, rtol=1e-11)
        assert_close(slope, expected, rtol=2e-6)
        for after, wanted in zip(mine, plain, strict=True):
            np.testing.assert_allclose(after, wanted, rtol=1e-11)
