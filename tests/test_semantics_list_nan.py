"""NaN that compiled code puts into lists: `in`, `count` and `==` ask whether it is the same object."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import jitscope as js

INF = math.inf


def marked(n):
    out = [math.nan] * n
    for i in range(n):
        if i % 3 == 0:
            out[i] = i * 0.5
    return out


def filled(n, x):
    out = [0.0] * n
    for i in range(0, n, 2):
        out[i] = x
    return out, n


def chosen(v, x):
    out = []
    for i in range(len(v)):
        out.append(x if v[i] > 1 else v[i])
    return out


def stored(v, x):
    for i in range(0, len(v), 3):
        v[i] = x


def copied_on(v, x):
    for i in range(len(v) - 1):
        v[i] = v[i] * x - x
        v[i + 1] = v[i]


def stored_in_rows(rows, x):
    for i in range(len(rows)):
        for j in range(len(rows[0])):
            if rows[i][j] > 2:
                rows[i][j] = x


def turned(v, z):
    for i in range(len(v)):
        v[i] = v[i] * z


def found_inside(n, x):
    out = [0.0] * n
    for i in range(0, n, 3):
        out[i] = x
    return x in out, (x * 2) in out


def numbers() -> list[float]:
    return [float(i % 5) for i in range(900)]


def rows() -> list[list[float]]:
    return [[float(i % 5) for i in range(30)] for _ in range(30)]


PROGRAMS: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = [
    (marked, lambda: (3000,)),
    (filled, lambda: (900,)),
    (chosen, lambda: (numbers(),)),
    (stored, lambda: (numbers(),)),
    (copied_on, lambda: (numbers(),)),
    (stored_in_rows, lambda: (rows(),)),
    (found_inside, lambda: (60,)),
]


def _same_objects(value: Any, seen: dict[int, int]) -> Any:
    """The structure with a number for each NaN in the order in which they are met."""
    if isinstance(value, (list, tuple)):
        return [_same_objects(item, seen) for item in value]
    if isinstance(value, float) and value != value:
        return f"NaN {seen.setdefault(id(value), len(seen))}"
    return repr(value)


@pytest.mark.parametrize(("f", "arguments"), PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
@pytest.mark.parametrize("order", [(2.0, math.nan, INF), (math.nan, 2.0, math.nan), (INF, INF, 1.5)], ids=str)
def test_nan_is_shared_as_in_plain_python(f, arguments, order):
    fast = js.function(f)
    for x in order * 2:
        more = () if f is marked else (x,)
        plain, ours = arguments(), arguments()
        wanted, found = f(*plain, *more), fast(*ours, *more)
        assert _same_objects([found, *ours, *more], {}) == _same_objects([wanted, *plain, *more], {})


def test_complex_numbers_with_nan_are_shared_too():
    fast = js.function(turned)
    for z in (1j, complex(math.nan, 1), 2j, complex(math.inf, 0)):
        ours, plain = [[complex(k, 1) for k in range(300)] for _ in range(2)]
        fast(ours, z), turned(plain, z)
        assert [a in ours for a in ours] == [a in plain for a in plain]
        assert [ours.count(a) for a in ours] == [plain.count(a) for a in plain]


def test_lists_without_nan_stay_compiled():
    fast = js.function(filled)
    for x in (1.0, 2.0):
        assert fast(900, x) == filled(900, x)
    assert "listed(" in js.to_code(filled, 900, 1.0)
    assert not fast.__jitscope__.plain_reasons
