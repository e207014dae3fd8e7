"""Arrays of narrow ints compared with Python's ints that their dtypes can't hold, and `in` of arrays."""

from __future__ import annotations

import numpy as np
import pytest
from same import IDENTITY, same

import jitscope as js

DTYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.bool_]
INTS = [3, 0, -1, 127, 128, -129, 256, -32769, 65536, 2**31, -(2**31) - 1, 2**32, 2**63 - 1, -(2**63)]


def with_a_variable(g, v, done):
    done.append(1)
    found = []
    for k in range(len(g)):
        found.append((g[k] == v, g[k] < v, v <= g[k], v != g[k]))
    return found, g == v, g != v, g < v, g <= v, g > v, g >= v, v < g, v >= g, np.less(v, g).sum(), done


def with_literals(g, done):
    done.append(1)
    both = (g > -129) & (g < 128)
    first = (g == 300).sum(), (g < -1).sum(), (g != 2**62).any(), g > -(2**62), g[0] < 70000
    return both, first, np.less(-1, g), np.equal(g, 2**20), 2**63 <= g, g < 2**64, done


def ends(dtype: type) -> np.ndarray:
    least, most = (0, 1) if dtype is np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return np.array([0, 1, least, most, most - 1, min(most, 2**63 - 1)], dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
def test_they_are_compared_exactly(dtype: type) -> None:
    for value in INTS:
        same(with_a_variable, ends(dtype), value, [0], calls=1)
    same(with_literals, ends(dtype), [0])


def counted(g, n, v):
    found = 0
    for k in range(n):
        if v in g[k : k + 3]:
            found += 1
        if k not in g:
            found += 10
    return found, v in g, v not in g * 2, v in g[:0], 2.5 in g, True in g, np.nan in g, v in (g > 1)


@pytest.mark.parametrize("dtype", ["i8", "f8", "f4", "i1", "?", "c16", "u1"])
def test_a_number_is_in_an_array_if_it_is_equal_to_an_element(dtype: str) -> None:
    for value in (3, np.float64(2), True, 1j, np.nan, -300):
        same(counted, np.arange(5).astype(dtype), 4, value, calls=1)
    same(counted, np.arange(100).reshape(10, 10).astype(dtype), 4, 3)


def test_a_number_in_an_array_is_compiled() -> None:
    if IDENTITY:
        return
    decorated = js.function(counted)
    decorated(np.arange(5), 4, 3)
    assert all(found.clusters for found in decorated.specializations)
