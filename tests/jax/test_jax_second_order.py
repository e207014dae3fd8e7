"""Second derivatives of programs against JAX: products of Hessians and vectors."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gradient_programs import PROGRAMS, Program
from jax_twins import as_jax, twin
from numeric_gradients import assert_close

import jitscope as js

TWINS = [program for program in PROGRAMS if program.twin]


def directions(program: Program) -> tuple[Any, ...]:
    """Vectors of the structure of what is differentiated for."""
    tree = jax.tree_util.tree_map(
        lambda leaf: (
            np.cos(1.0 + np.arange(leaf.size)).reshape(leaf.shape) if hasattr(leaf, "shape") else 0.7
        ),
        tuple(program.arguments()[k] for k in program.argnums),
    )
    return tuple(tree)


def product_by_jax(program: Program, vectors: tuple[Any, ...]) -> list[np.ndarray]:
    args = [as_jax(arg) for arg in program.arguments()]
    gradient = jax.grad(twin(program.function), program.argnums)

    def along(*args: Any) -> Any:
        leaves = zip(*map(jax.tree_util.tree_leaves, (gradient(*args), as_jax(vectors))), strict=True)
        return sum(jnp.vdot(g, v) for g, v in leaves)

    return [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(jax.grad(along, program.argnums)(*args))]


@pytest.mark.parametrize("program", TWINS, ids=lambda p: p.name)
def test_hessian_vector_product_agrees_with_jax(program: Program) -> None:
    args, vectors = program.arguments(), directions(program)
    tangents: list[Any] = [None] * len(args)
    for argnum, vector in zip(program.argnums, vectors, strict=True):
        tangents[argnum] = vector
    _, found = js.jvp(js.grad(program.function, program.argnums), tuple(args), tuple(tangents))
    assert_close(found, product_by_jax(program, vectors), rtol=1e-9)
