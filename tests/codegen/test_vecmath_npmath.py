"""NumPy's scalar arithmetic in compiled code, bit for bit over special values and every dtype."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from jitscope.codegen import npmath

INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
FUNCTIONS = {
    "np_floordiv": np.floor_divide,
    "np_mod": np.remainder,
    "np_fmod": np.fmod,
    "np_lshift": np.left_shift,
    "np_rshift": np.right_shift,
}


def over(function: Callable[..., Any], dtype: str) -> Callable[..., Any]:
    kind = numba.from_dtype(np.dtype(dtype))

    @numba.njit((kind[::1], kind[::1], kind[::1]), error_model="numpy")
    def loop(a: Any, b: Any, out: Any) -> None:
        for i in range(a.shape[0]):
            out[i] = function(a[i], b[i])

    return loop  # type: ignore[no-any-return]


def check(name: str, dtype: str, a: Any, b: Any) -> None:
    pairs = np.array(list(itertools.product(a, b)), dtype)
    left, right = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    got = np.empty_like(left)
    over(getattr(npmath, name), dtype)(left, right, got)
    with np.errstate(all="ignore"):
        expected = FUNCTIONS[name](left, right)
    nan = (got != got) & (expected != expected)
    wrong = np.flatnonzero((got.view(f"u{got.itemsize}") != expected.view(f"u{got.itemsize}")) & ~nan)
    assert not wrong.size, [(left[i], right[i], got[i], expected[i]) for i in wrong[:5]]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_integers(name: str, dtype: str) -> None:
    info = np.iinfo(dtype)
    edge = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, 7, 63, 64, 100]
    values = np.array([*edge, *(-x for x in edge if info.min < 0 and x > 0)], dtype)
    check(name, dtype, values, values)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", ["np_floordiv", "np_mod", "np_fmod"])
def test_floats(name: str, dtype: str) -> None:
    tiny, huge = np.finfo(dtype).tiny, np.finfo(dtype).max
    special = [0.0, 1.0, 0.5, 1.5, 3.0, 0.1, 0.3, 7.7, 1e10, tiny, tiny / 4, huge, np.inf, np.nan]
    random = np.random.default_rng(0).uniform(-10, 10, 60)
    values = np.array([*special, *(-x for x in special), *random], dtype)
    check(name, dtype, values, values)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_powers_wrap(dtype: str) -> None:
    values = np.array([0, 1, 2, 3, 7, np.iinfo(dtype).max, np.iinfo(dtype).min], dtype)
    exponents = np.array([0, 1, 2, 3, 5, 8, 13, 63, 64, 100], dtype)
    left, right = (np.ascontiguousarray(x.ravel()) for x in np.meshgrid(values, exponents))
    got = np.empty_like(left)
    over(npmath.np_power_int, dtype)(left, right, got)
    np.testing.assert_array_equal(got, np.power(left, right))


def test_negative_powers_raise_as_in_numpy() -> None:
    one = np.array([2])
    with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
        over(npmath.np_power_int, "i8")(one, -one, one.copy())


def test_called_from_python_it_is_numpy() -> None:
    assert npmath.np_mod(-7, 3) == 2
    assert npmath.np_floordiv(-7.0, 2.0) == -4.0
