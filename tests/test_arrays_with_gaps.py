"""Arrays with gaps as arguments: channels of pictures, every other row, windows, columns of tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import same

import jitscope as js

RNG = np.random.default_rng(5)
BASE = RNG.normal(size=(40, 30))
PICTURE = RNG.normal(size=(20, 16, 3))
WAYS: dict[str, Callable[[], np.ndarray]] = {
    "columns": lambda: BASE.copy()[:, ::2],
    "rows": lambda: BASE.copy()[::3],
    "window": lambda: BASE.copy()[3:-4, 2:-1],
    "transposed window": lambda: BASE.copy()[3:-4, 2:-1].T,
    "channel": lambda: PICTURE.copy()[:, :, 1],
    "two channels": lambda: PICTURE.copy()[..., :2],
    "permuted": lambda: PICTURE.copy().transpose(1, 0, 2),
    "backwards": lambda: BASE.copy()[::-1, ::-1],
    "one axis backwards": lambda: BASE.copy()[:, ::-1],
    "repeated": lambda: np.broadcast_to(BASE[0].copy(), (40, 30)),
    "one row": lambda: BASE.copy()[:1, ::2],
    "one column": lambda: BASE.copy()[::2, :1],
    "empty": lambda: BASE.copy()[:, :0:2],
    "overlapping": lambda: np.lib.stride_tricks.sliding_window_view(BASE[0].copy(), 5),
    "float32": lambda: BASE.astype(np.float32)[:, ::2],
}


def powers(x):
    return np.exp(-(x**2)) + np.abs(x) * 0.5


def like(x):
    y = np.empty_like(x)
    y[...] = x * x + 1.0
    return y


def along(x):
    return x.sum(axis=0), (x * 2).sum(axis=-1), x.max(axis=-1), x.mean(axis=0)


def whole(x):
    return x.sum(), (x - x.mean()).std()


def copies(x):
    return x.copy(), np.copy(x), +x, x.astype(np.float32), np.zeros_like(x)


def with_another(x):
    return x + x[::1], x * x.T if x.ndim == 2 and x.shape[0] == x.shape[1] else x - 1.0, x > 0.1


def in_place(x):
    if x.flags.writeable:
        x *= 0.5
        x[...] = x + 1.0
    return x


def loops(x):
    total = 0.0
    for row in x:
        total += row.sum()
    return total


def parts(x):
    return x[1:] * 2.0, x[..., ::2] + 1.0, np.roll(x, 1), x.reshape(-1)[:3] * 2.0, x.ravel() + 0.0


def rounds(x):
    return x.round(1), np.round(x * 100.0, -1), np.around(x), x.T.round(2)


PROGRAMS = (powers, like, along, whole, copies, with_another, in_place, loops, parts, rounds)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_as_plain(program: Callable[..., Any], way: str) -> None:
    same(program, WAYS[way](), tol=4)


@pytest.mark.parametrize("program", [powers, like, copies, parts, rounds])
def test_results_are_laid_out_as_numpys(program: Callable[..., Any]) -> None:
    f = js.function(program)
    for make in (*WAYS.values(), *WAYS.values()):
        expected, found = program(make()), f(make())
        for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in (expected, found)), strict=True):
            assert one.strides == other.strides or min(one.shape) < 2
            assert one.flags.c_contiguous == other.flags.c_contiguous


LARGE = RNG.normal(size=(130, 120))
PLANES = RNG.normal(size=(90, 80, 3))


@needs_compiler
@pytest.mark.parametrize(
    "array",
    [LARGE[:, ::2], LARGE[::3], LARGE[3:-4, 2:-1], LARGE[3:-4, 2:-1].T, PLANES[:, :, 1], PLANES[..., :2]],
    ids=["columns", "rows", "window", "transposed window", "channel", "two channels"],
)
@pytest.mark.parametrize("program", [powers, like])
def test_it_is_compiled(program: Callable[..., Any], array: np.ndarray) -> None:
    f = js.function(program)
    f(array)
    assert has_compiled_part(f)


@needs_compiler
def test_each_order_has_a_version() -> None:
    f = js.function(powers)
    for way in (
        "columns",
        "rows",
        "window",
        "transposed window",
        "one axis backwards",
        "columns",
        "one column",
    ):
        f(WAYS[way]())
    assert len(f.specializations) <= 3 + 1
