"""NumPy functions that make indices, and what takes them though it has no axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from same import same


def of_numbers(n: Any) -> Any:
    return np.diag_indices(n), np.tril_indices(n), np.triu_indices(n, 1), np.unravel_index(n, (7, 9))


def with_options(n: int) -> Any:
    return (
        np.diag_indices(n, 3),
        np.tril_indices(n, m=2),
        np.triu_indices(n, k=-1),
        np.unravel_index(500, (7, 9)),
    )


def of_arrays(x: Any, places: Any) -> Any:
    return np.ix_(places, x), np.ix_(x > 2), np.unravel_index(x, (7, 9)), np.unravel_index(x[0], 7)


def diagonal_is_one_array(n: int) -> Any:
    found = np.diag_indices(n)
    found[0][0] = 7
    return found


def of_a_number(x: Any) -> Any:
    total, first = np.sum(x), x[0]
    for _ in range(2):
        total = total * first[()] + np.dot(x, x)[...]
    array = first[...]
    array[...] = 5
    return total[()], total[...], array, first[None], first[..., None], np.argmax(x)[...], (first > 0)[()]


def item_of_a_number(x: Any, index: Any) -> Any:
    return np.sum(x)[index]


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (of_numbers, (3,)),
    (of_numbers, (np.int32(4),)),
    (of_numbers, (-2,)),
    (with_options, (3,)),
    (of_arrays, (np.array([1, 5]), [2, 3])),
    (of_arrays, (np.array([1, 5], np.int32), [])),
    (of_arrays, (np.array([[1, 5]]), [1])),
    (diagonal_is_one_array, (3,)),
    *((of_a_number, (np.array([2, 3, 1]).astype(dtype),)) for dtype in ("f8", "f4", "i4", "c16", "f2")),
    *((item_of_a_number, (np.arange(3.0), index)) for index in ((), None, 0, "a", slice(None), True)),
]


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f"{f.__name__}-{k}" for k, (f, _) in enumerate(CASES)])
def test_same(f: Any, args: tuple[Any, ...]) -> None:
    same(f, *args)
