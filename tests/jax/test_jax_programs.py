"""The programs of `gradient_programs.py` against JAX, in double precision."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from gradient_programs import PROGRAMS, Program
from jax_twins import as_jax, twin
from numeric_gradients import assert_close

import jitscope as js

TWINS = [program for program in PROGRAMS if program.twin]


def expected_of(program: Program) -> tuple:
    """JAX's value and gradients."""
    args = [as_jax(arg) for arg in program.arguments()]
    return jax.value_and_grad(twin(program.function), program.argnums)(*args)


@pytest.mark.parametrize("program", TWINS, ids=lambda p: p.name)
def test_gradient_agrees_with_jax(program: Program) -> None:
    value, found = js.value_and_grad(program.function, program.argnums)(*program.arguments())
    theirs, expected = expected_of(program)
    assert float(value) == pytest.approx(float(theirs), rel=1e-11)
    for mine, wanted in zip(found, expected, strict=True):
        assert_close(mine, [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(wanted)], rtol=1e-9)


def test_jax_can_express_most_of_them() -> None:
    assert len(TWINS) >= 35
