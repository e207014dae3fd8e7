"""Gradients of programs with loops, branches and writes, against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from gradient_programs import PROGRAMS, Program
from numeric_gradients import assert_close, gradient, leaves

import jitscope as js


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_gradient_agrees_with_differences(program: Program) -> None:
    mine, plain = program.arguments(), program.arguments()
    value, found = js.value_and_grad(program.function, program.argnums)(*mine)
    expected = program.function(*plain)
    assert value == pytest.approx(expected, rel=1e-13)
    assert type(value) is type(expected)
    for argnum, part in zip(program.argnums, found, strict=True):
        assert_close(part, gradient(program.function, program.args, argnum))
    for after, wanted in zip(leaves(mine), leaves(plain), strict=True):
        np.testing.assert_allclose(after, wanted, rtol=1e-14, err_msg="arguments are written to as in a call")


def test_there_are_forty() -> None:
    assert len(PROGRAMS) >= 40
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS)
