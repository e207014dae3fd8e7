"""The verifier of kernels looks at sizes that may be: where guards say that one is 1, it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate

from jitscope.codegen.check.nests import sizes_in_guards
from jitscope.graph.ir import dims
from jitscope.graph.ir.nodes import Guard


def flipped_into_stretched(w, k):
    v = w[::2].copy()
    for _ in range(3):
        r = np.add.reduce(v, axis=1)
        r //= 2
        np.tanh(np.flip(r, 0), out=v)
    return v


def turned_around(w, k):
    v = w[0].T[:k]
    v **= 2
    v += v[::-1]
    if np.sum(w[0, :, 0] % 2 == 0) > 1:
        v = v[::2]
    return v, v.squeeze()


@pytest.mark.parametrize("program", [flipped_into_stretched, turned_around])
def test_sizes_that_are_one(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for k, n, m in ((0, 4, 3), (1, 3, 2), (1, 5, 4), (2, 4, 3)):
        given = np.arange(n * m, dtype=np.int32).reshape(1, n, m)
        compare(program, decorated, (given * 1.0 if program is flipped_into_stretched else given, k))


def test_sizes_are_such_that_guards_hold() -> None:
    n, k = dims.symbol("n"), dims.symbol("k")
    half = dims.floordiv(dims.add(n, 1), 2)
    assert sizes_in_guards((Guard("equal", n, k),)) == {}
    found = sizes_in_guards((Guard("equal", half, 1), Guard("unequal", n, 1), Guard("equal", k, 3)))
    assert found == {"n": 2, "k": 3}
