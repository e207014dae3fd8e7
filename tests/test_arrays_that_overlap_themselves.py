"""Arrays whose own elements share memory: what is written to them is NumPy's to say."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from same import unequal

import jitscope as js


def windows(step: int = 2) -> np.ndarray:
    return sliding_window_view(np.arange(9.0), 3, writeable=True)[::step]


WAYS: dict[str, Callable[[], np.ndarray]] = {
    "windows": lambda: windows(1),
    "every other window": windows,
    "windows, transposed": lambda: windows().T,
    "windows, backwards": lambda: windows()[::-1],
    "one row": lambda: as_strided(np.arange(4.0), (3, 4), (0, 8)),
    "one element": lambda: as_strided(np.arange(1.0), (3, 4), (0, 0)),
    "shifted rows": lambda: as_strided(np.arange(3.0), (3, 4), (8, 0)),
    "apart": lambda: np.arange(36.0).reshape(4, 9)[:, ::2],
}


def adds(x):
    x += 1.0
    return x[0]


def adds_more(x):
    for k in range(4):
        x += k
    return x * 2


def by_ufunc(x):
    np.multiply(x, 2.0, out=x)
    np.add(x, 1.0, out=x)


def by_another(x):
    y = x * 2
    x[...] = y + x
    x -= x.mean(axis=1, keepdims=True)


def by_rows(x):
    for i in range(x.shape[0]):
        x[i] += i


def by_elements(x):
    t = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] += 0.5 * t
            t += x[i, j]
    return t


def shifts(x):
    for _ in range(2):
        x[0] = x[1]
        x[1:] = x[:-1]


def exchanges(x):
    x[[0, 1]] = x[[1, 0]]
    return sum(x[0, 0] * k for k in range(20))


def masks(x):
    x[x > 2.0] = 0.25
    return x.sum(axis=0)


PROGRAMS = (adds, adds_more, by_ufunc, by_another, by_rows, by_elements, shifts, exchanges, masks)


def same(actual: Any, wanted: Any) -> bool:
    return unequal(wanted, actual, "") is None


def outcome(f: Callable[..., Any], x: np.ndarray) -> tuple[Any, list[float]]:
    result = f(x)
    return result, x.tolist()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_writes_are_numpys(program: Callable[..., Any]) -> None:
    kept = js.function(program)
    for name, make in (*WAYS.items(), *reversed(WAYS.items())):
        wanted = outcome(program, make())
        assert same(outcome(kept, make()), wanted), name
        assert same(outcome(js.function(program), make()), wanted), name


def in_lists(arrays):
    for x in arrays:
        for k in range(3):
            np.add(x, k, out=x)
    return arrays[0]


class Held:
    def __init__(self, x: np.ndarray) -> None:
        self.x = x
        self.y = np.zeros(x.shape[1])


def in_attributes(o, n):
    for _ in range(n):
        o.x += 1.0
        o.y = o.y + o.x[0]
    return o.y


def made_inside(a, n):
    x = sliding_window_view(a, 3, writeable=True)[::2]
    for _ in range(n):
        x += 1.0
    return x


def strided_inside(a, n):
    x = as_strided(a, (3, 4), (8, 0))
    for i in range(3):
        x[i] += i * n
    return x


def test_containers_and_attributes() -> None:
    for make in WAYS.values():
        assert same(js.function(in_lists)([make()]), in_lists([make()]))
        assert same(js.function(in_attributes)(Held(make()), 4), in_attributes(Held(make()), 4))


@pytest.mark.parametrize("program", [made_inside, strided_inside], ids=lambda f: f.__name__)
def test_views_that_the_function_makes(program: Callable[..., Any]) -> None:
    function = js.function(program)
    for _ in range(3):
        assert same(function(np.arange(9.0), 3), program(np.arange(9.0), 3))


def test_they_are_read_in_compiled_code() -> None:
    def reads(x):
        total = 0.0
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                total += x[i, j] * i - j
        return total, np.sin(x) * 2

    function = js.function(reads)
    for make in WAYS.values():
        assert same(function(make()), reads(make()))
    assert all(found.clusters for found in function.specializations)


def weighs(a, b, n):
    x, y = np.broadcast_arrays(a, b)
    t = 0.0
    for k in range(n):
        t += (x * k - y).sum()
    return t, x, y


def writes_one(a, b, n):
    x, y = np.broadcast_arrays(a, b)
    for k in range(n):
        y[0] += k
    return x, y


def goes_round(x, n):
    t = x * 0
    for k in range(n):
        t = t + x * k
    return t


def warned(call: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What a call gives, and NumPy's warnings to those who ask whether an array may be written to."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        return call(), [str(one.message) for one in said if one.category is FutureWarning]


@pytest.mark.parametrize("program", [weighs, writes_one], ids=lambda f: f.__name__)
def test_arrays_that_numpy_broadcasts(program: Callable[..., Any]) -> None:
    function = js.function(program)
    for rows, columns in ((3, 4), (1, 4), (3, 1), (1, 1)) * 2:
        a, b = np.arange(1.0 * rows)[:, None] * 2, np.arange(3.0, 3.0 + columns)
        actual, heard = warned(lambda: function(a.copy(), b.copy(), 3))  # noqa: B023
        assert heard == []
        assert same(actual, program(a, b, 3))


def test_to_be_given_what_numpy_broadcasts_warns_of_nothing() -> None:
    function = js.function(goes_round)
    for _ in range(3):
        x, _ = np.broadcast_arrays(np.arange(4.0), np.ones((3, 4)))
        actual, heard = warned(lambda: function(x, 5))  # noqa: B023
        assert heard == []
        assert same(actual, goes_round(x, 5))
