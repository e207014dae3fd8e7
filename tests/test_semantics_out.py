"""Arrays to write to: by their place and as ``out=``, of the right size and of others."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest
from same import same

X = np.linspace(0.5, 2, 5)
M = np.arange(12.0).reshape(3, 4) - 4.5

CALLS = {
    "np.dot(m, x[:4], z)": 3,
    "np.outer(x, x, z)": (5, 5),
    "np.clip(x, 0.6, 1, z)": 5,
    "np.take(x, [0, 1], 0, z)": 2,
    "np.sum(m, 0, None, z)": 4,
    "np.mean(m, 0, None, z)": 4,
    "np.max(m, 0, z)": 4,
    "np.cumsum(x, 0, None, z)": 5,
    "np.round(x, 1, z)": 5,
    "np.concatenate((x, x), 0, z)": 10,
    "np.matmul(m, x[:4], z)": 3,
    "np.add.reduce(m, 0, None, z)": 4,
    "np.exp(x, z, where=x > 1)": 5,
    "np.power(x, 2.0, z, dtype=float)": 5,
    "np.modf(x, z, z[::-1].copy())": 5,
    "m.sum(0, None, z)": 4,
    "x.clip(0.6, 1, z)": 5,
    "m.dot(x[:4], z)": 3,
    "x.cumsum(0, None, z)": 5,
    "x.take([0, 1], 0, z)": 2,
}


def program(call: str) -> Any:
    """A function whose text Python finds, though it stands in no file."""
    name = f"<{call}>"
    text = f"def program(x, m, z):\n    z[...] = 7.0\n    {call}\n    return z * 1.0\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), scope)
    return scope["program"]


@pytest.mark.parametrize("call", CALLS)
def test_the_array_is_written_to(call):
    same(program(call), X, M, np.zeros(CALLS[call]))


def added_into(a, c):
    np.add(a, a, out=c)
    c += 1
    return c


def of_some_size(a, c):
    picked = a[a > 0]
    np.multiply(picked, 2, out=c)
    c += 1
    return c


def larger_into(a, c):
    np.maximum(c, a, out=c)
    c += 1
    return c


def copied_into(a, c):
    np.copyto(c, a)
    c += 1
    return c


@pytest.mark.parametrize("f", [added_into, of_some_size, larger_into, copied_into])
@pytest.mark.parametrize(
    ("shape", "out"),
    [
        ((5,), (3,)),
        ((5,), (1,)),
        ((1,), (5,)),
        ((0,), (1,)),
        ((1, 5), (5,)),
        ((2, 5), (5,)),
        ((5,), ()),
        ((), (5,)),
    ],
)
def test_a_result_that_does_not_fit(f, shape, out):
    same(f, np.full(shape, 1.5), np.ones(out))
