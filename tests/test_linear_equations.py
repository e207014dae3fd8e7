"""`np.linalg.solve` and `inv` in compiled code, by NumPy's own LAPACK: bits, dtypes, errors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from compiled import explanation, needs_compiler
from same import compare, decorate

RNG = np.random.default_rng(7)
A, B, V = RNG.random((5, 5)), RNG.random((5, 3)), RNG.random(5)


def solved(a, b):
    return np.linalg.solve(a, b)


def inverted(a, b):
    return np.linalg.inv(a)


def in_a_loop(a, b):
    s = 0.0
    for i in range(4):
        a[0, 0] += i
        x = np.linalg.solve(a, b)
        s += x.sum() + np.linalg.inv(a)[0, 1]
        b = b + x * 0.5
    return s, a, b


def of_parts(a, b):
    out = np.zeros(len(a))
    for i in range(1, len(a)):
        out[i] = np.linalg.solve(a[:i, :i], b[:i]).sum()
        out[i] += np.linalg.inv(a[-i:, -i:].T)[0, 0]
    return out


def filter_of_two(a, b):
    step, seen = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    x, p = np.zeros((2, 1)), np.eye(2)
    found = []
    for i in range(len(b)):
        x = step @ x
        p = step @ p @ step.T + np.eye(2) * 0.01
        s = seen @ p @ seen.T + np.array([[0.5]])
        k = p @ seen.T @ np.linalg.inv(s)
        x = x + k @ (np.array([[a[i, 0]]]) - seen @ x)
        p = (np.eye(2) - k @ seen) @ p
        found.append(x[0, 0])
    return found


def until_singular(a, b):
    b[0] = 1.0
    for i in range(3):
        b[1] += 1.0
        if i == 1:
            a[:] = 1.0
        b[2] += np.linalg.solve(a, b).sum()
    return b


PROGRAMS = (solved, inverted, in_a_loop)
MATRICES = {
    "vector": (A, V),
    "matrix": (A, B),
    "transposed": (A.T, B),
    "columns first": (np.asfortranarray(A), V),
    "strided": (RNG.random((10, 10))[::2, ::2], V[::-1]),
    "float32": (A.astype("float32"), V.astype("float32")),
    "float32 and float64": (A.astype("float32"), V),
    "complex": (A + 1j * A.T, B),
    "complex64": (A.astype("complex64") * (1 + 2j), V.astype("complex64")),
    "ints": ((A * 9).astype(int), np.arange(5)),
    "int8 and float32": ((A * 9).astype("int8"), V.astype("float32")),
    "one by one": (np.array([[2.0]]), np.array([3.0])),
    "singular": (np.ones((3, 3)), np.ones(3)),
    "with NaN": (np.array([[1.0, np.nan], [2.0, 1.0]]), np.ones(2)),
    "empty": (np.zeros((0, 0)), np.zeros(0)),
    "no right side": (A, np.zeros((5, 0))),
    "other size": (A, V[:4]),
    "not square": (A[:, :3], V),
    "large": (RNG.random((120, 120)), RNG.random((120, 7))),
}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("given", MATRICES)
def test_solutions_are_numpys(program: Callable[..., object], given: str) -> None:
    if program is in_a_loop and given in ("empty", "ints", "int8 and float32", "float32 and float64"):
        return  # it adds floats in place
    with np.errstate(all="ignore"):
        compare(program, decorate(program), MATRICES[given])


@pytest.mark.parametrize("program", [of_parts, filter_of_two, until_singular])
def test_in_larger_programs(program: Callable[..., object]) -> None:
    compare(program, decorate(program), (A, V))


@needs_compiler
@pytest.mark.parametrize("program", [in_a_loop, of_parts, filter_of_two, until_singular])
def test_they_are_compiled(program: Callable[..., object]) -> None:
    fast = decorate(program)
    args = (A + np.eye(5), V)
    if program is until_singular:
        with pytest.raises(np.linalg.LinAlgError, match="Singular"):
            fast(*(a.copy() for a in args))
        return
    fast(*(a.copy() for a in args))
    assert "linalg" not in explanation(fast, *args).partition("runs as")[2]
