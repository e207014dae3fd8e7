"""Lists of numbers as NumPy converts them, with and without a dtype: Python's numbers, item by item."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from same import compare, decorate

DTYPES = (
    None,
    float,
    int,
    complex,
    bool,
    str,
    object,
    "int8",
    "uint64",
    "float32",
    "complex64",
    "float16",
    "S",
)
LISTS = {
    "ints": [*range(19), 300],
    "floats": [0.5, 1e300, np.inf, -0.0, 3.0],
    "small": [0.5, 1.25, 2.0],
    "bools": [True, False, True],
    "pairs": [(k, k % 2 == 0) for k in range(9)],
    "weights": [(k, 0.5 * k) for k in range(9)],
    "rows": [[1, 2], [3, 400]],
    "big": [2**53 + 1, -(2**60) + 1],
}


def converted(items: Any, dtype: Any) -> Any:
    total = 0.0
    for item in items:
        total += 1.0 if item else 0.5
    return np.array(items, dtype=dtype), np.asarray(items, dtype), total


def reduced(items: Any, dtype: Any) -> Any:
    total = 0.0
    for item in items:
        total += 1.0 if item else 0.5
    return np.array(items), np.sum(items), np.max(items), np.asarray(items) + 1, total


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_lists_of_a_dtype(name: str, dtype: Any) -> None:
    compare(converted, decorate(converted, cache=False), (LISTS[name], dtype), calls=2)


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_their_own_dtype(name: str) -> None:
    compare(reduced, decorate(reduced, cache=False), (LISTS[name], None), calls=2)
