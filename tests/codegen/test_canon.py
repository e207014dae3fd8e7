"""Sizes that guards make equal have one representative, in whatever order the guards say so."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from same import same

from jitscope.codegen.canon import Canon
from jitscope.graph.ir.nodes import Block, Graph, Guard, Node
from jitscope.graph.ir.parser import parse_size

EQUAL = (("min(n2, 1)", "1"), ("n1", "n2"), ("n0", "n1"), ("min(n0, 1)", "n0 - max(n0 - 1, 0)"))


@pytest.mark.parametrize("order", list(permutations(range(len(EQUAL)))))
def test_what_is_equal_in_several_steps_is_one(order: tuple[int, ...]) -> None:
    """A number is the representative of what is equal to it."""
    guards = tuple(Guard("equal", *map(parse_size, EQUAL[k])) for k in order)
    canon = Canon(Graph("f", (), Block((), (Node("return"),)), guards=guards))
    assert {canon(parse_size(text)) for text in ("min(n0, 1)", "min(n1, 1)", "n0 - max(n0 - 1, 0)")} == {1}
    assert len({canon(parse_size(text)) for text in ("n0", "n1", "n2")}) == 1


def stretched(S, b, n):
    first = b[:1]
    for _ in range(n):
        b[:] = first
        b[:] = S @ b
    return b[:1] if b.sum() > 0 else b[-1:]


def added(S, b, n):
    first = b[:1]
    for _ in range(n):
        b = S @ (b + first)
    return first + (b[:1] if b.sum() > 0 else b[-1:])


@pytest.mark.parametrize("function", [stretched, added])
def test_one_element_of_an_array_is_stretched(function) -> None:
    """The one that is returned comes of two places of the array, which says how long they are."""
    for size in (3, 5):
        rng = np.random.default_rng(size)
        same(function, rng.normal(size=(size, size)), rng.normal(size=size), 3, tol=64)
