"""Several indices outside of their axes: NumPy names the first, whatever the array is a view of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def stretched(v: Any, k: Any, j: Any, z: Any) -> Any:
    b, s = np.broadcast_to(v, (2, *v.shape)), 0.0
    for i in range(len(v)):
        s = s * 0.5 + v[i]
    return s + (b[3, k] if k > 0 else b[j, k])


def transposed(v: Any, k: Any, j: Any, z: Any) -> Any:
    m, s = v.reshape(2, -1).T, 0.0
    for i in range(len(v)):
        s = s * 0.5 + v[i] + m[j, k]
    return s


def of_one_number(v: Any, k: Any, j: Any, z: Any) -> Any:
    b, s = np.broadcast_to(z, (2, 3)), 0.0
    for i in range(len(v)):
        s = s * 0.5 + v[i] + b[j, k]
    return s


def of_three_axes(v: Any, k: Any, j: Any, z: Any) -> Any:
    b, s = np.broadcast_to(v[:, None], (len(v), 3)), 0.0
    c = np.broadcast_to(v[None, :, None], (2, len(v), 3))
    for i in range(len(v)):
        s = s * 0.5 + v[i] + b[j, k] + c[k, j, 1] + c[1, j, k] + c.T[k, j, 1]
    return s


def written(v: Any, k: Any, j: Any, z: Any) -> Any:
    m = v.reshape(2, -1).T
    for i in range(len(v)):
        m[j, k] = m[k, j] + i
    return v


PROGRAMS = stretched, transposed, of_one_number, of_three_axes, written
PLACES = 0, 1, 2, 5, -1, -3, -9


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_first_index_that_is_outside_is_named(program: Any, order: int) -> None:
    decorated: Any = decorate(program, cache=False)
    for n in (2, 6):
        for k in PLACES[::order]:
            for j in PLACES:
                compare(program, decorated, (np.arange(float(n)), k, j, np.array(2.5)), calls=1)


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS)
def test_such_indices_are_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(np.arange(6.0), 0, 1, np.array(2.5))
    assert has_compiled_part(decorated)
