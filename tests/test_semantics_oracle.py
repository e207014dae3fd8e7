"""The oracle sees what it must see, and copies arguments with their aliasing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import Tolerance, compare, copy_inputs, walk


def _write(x: np.ndarray) -> None:
    x[0] = 5


A = np.arange(1.0, 20.0)
M = A[:12].reshape(3, 4)


@pytest.mark.parametrize(
    ("plain", "other", "args", "words"),
    [
        (lambda x: x, lambda x: x.copy(), (A,), "missing: result is args[0]"),
        (lambda x: x[1:], lambda x: x[1:].copy(), (A,), "shares memory"),
        (lambda x: x[1:3], lambda x: x[1:5:2], (A,), "CONTIGUOUS"),
        (lambda x: x[::2], lambda x: x[1::2], (np.zeros(8),), "0 bytes on"),
        (lambda x: x + 0, lambda x: x, (A,), "unexpected: result"),
        (lambda x: x.sum(), lambda x: float(x.sum()), (A,), "expected float64"),
        (lambda x: np.array(1.0), lambda x: np.float64(1.0), (A,), "expected ndarray"),
        (lambda x: 1, lambda x: True, (A,), "expected int 1, got bool True"),
        (lambda x: 0.0, lambda x: -0.0, (A,), "expected np.float64(0.0)"),
        (lambda x: x / 3, lambda x: x * (1 / 3), (A,), "elements, first"),
        (lambda x: x.T + 1, lambda x: (x + 1).T.copy(), (M,), "C_CONTIGUOUS"),
        (lambda x: x * 1, lambda x: x.astype(np.float32), (A,), "expected dtype float64"),
        (_write, lambda x: None, (A,), "args[0]: 1 of 19 elements"),
        (lambda x: None, _write, (A,), "args[0]: 1 of 19 elements"),
        (lambda x: x[99], lambda x: x[0], (A,), "expected IndexError"),
        (lambda x: x[99], lambda x: x[98], (A,), "index 98"),
        (lambda x: x[0], lambda x: x[99], (A,), "got IndexError"),
        (lambda x: print(1), lambda x: print(2), (A,), "printed"),
        (lambda x: (1, 2), lambda x: [1, 2], (A,), "expected tuple"),
        (lambda x: {"a": 1}, lambda x: {"b": 1}, (A,), "expected the parts"),
        (lambda x: [1, 2], lambda x: [1], (A,), "expected the parts"),
        (lambda x: (x[1:], x[1:]), lambda x: (x[1:],) * 2, (A,), "result[1] is result[0]"),
    ],
)
def test_differences_are_seen(plain: Callable, other: Callable, args: tuple[Any, ...], words: str) -> None:
    with pytest.raises(AssertionError) as caught:
        compare(plain, other, args)
    assert words in str(caught.value)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_tolerance_is_not_for_special_values(value: float) -> None:
    with pytest.raises(AssertionError):
        compare(lambda: value, lambda: 1e308, tol=Tolerance(4, 1e-3))
    compare(lambda: value, lambda: value)
    compare(lambda: np.nan, lambda: -np.nan)


def test_tolerance_in_units_of_the_last_place() -> None:
    compare(lambda x: x / 3, lambda x: x * (1 / 3), (A,), tol=1)
    with pytest.raises(AssertionError):
        compare(lambda x: x, lambda x: x * (1 + 1e-14), (A,), tol=4)


def test_copies_keep_aliasing_strides_and_flags() -> None:
    base = np.arange(12.0).reshape(3, 4)
    fixed = base.copy()
    fixed.flags.writeable = False
    row = np.broadcast_to(np.arange(3.0), (4, 3))
    turned = base[::-1, ::-1]
    order = np.asfortranarray(base)
    args = (base, base[1:], base.T, turned, [order, order], {"row": row}, fixed, np.zeros((0, 3)), base[1:])
    (copied, _) = copy_inputs((args, {}))
    for (path, old), (same_path, new) in zip(walk(args), walk(copied), strict=True):
        assert path == same_path
        if isinstance(old, np.ndarray):
            assert not np.shares_memory(old, new)
            assert old.strides == new.strides
            assert old.flags.writeable == new.flags.writeable
            np.testing.assert_array_equal(old, new)
    assert copied[4][0] is copied[4][1]
    copied[3][0, 0] = 77
    assert copied[0][2, 3] == copied[1][1, 3] == copied[2][3, 2] == 77
    assert base[2, 3] == 11


def test_views_alone_keep_their_common_memory() -> None:
    base = np.arange(6.0)
    (copied, _) = copy_inputs(((base[1:4], base[::-1]), {}))
    copied[0][0] = 77
    assert copied[1][-2] == 77
    assert base[1] == 1
