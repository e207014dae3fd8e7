"""Conversions of floats to ints in compiled code against NumPy's: floats that fit and floats that don't."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba.extending import intrinsic

from jitscope.codegen import npcasts
from jitscope.codegen.elements import CONVERSIONS

KINDS = [name.removeprefix("np_") for name in CONVERSIONS]
FITTING = [0.0, -0.0, 0.9, -0.9, 1.5, 100.0, 127.9, 1e-300]
WHOLE = [-1.5, -128.9, -129.0, 255.5, 300.7, 32768.0, 65536.5, -40000.0, 2.0**31 - 0.5, -(2.0**31), 7e8, -7e8]
BEYOND = [
    np.nan,
    -np.nan,
    np.inf,
    -np.inf,
    1e300,
    -1e300,
    2.0**31,
    2.0**32,
    2.0**32 + 5,
    2.0**40 + 7,
    -3e9,
    3e9,
]
LARGE = [
    2.0**63,
    -(2.0**63),
    2.0**64,
    1e19,
    -1e19,
    1.8e19,
    2e19,
    2.0**62 + 2.0**20,
    -(2.0**62),
    5e9,
    -5e9,
    1e25,
]


def values(dtype: str) -> np.ndarray:
    """A multiple of four: NumPy converts what is left over to uint32 in another way."""
    with np.errstate(all="ignore"):
        return np.array([*FITTING, *WHOLE, *BEYOND, *LARGE] * 4, dtype)


def over(function: Callable[..., Any], source: str, kind: str) -> Callable[..., Any]:
    def loop(x: Any, out: Any) -> None:
        for i in range(x.shape[0]):
            out[i] = function(x[i])

    kinds = numba.from_dtype(np.dtype(source))[::1], numba.from_dtype(np.dtype(kind))[::1]
    return numba.njit(kinds, error_model="numpy")(loop)  # type: ignore[no-any-return]


@pytest.mark.skipif(npcasts.SATURATES, reason="NumPy's answers differ between its own loops there")
@pytest.mark.parametrize("source", ["f8", "f4"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_float_has_numpys_int(kind: str, source: str) -> None:
    x = values(source)
    got = np.empty(len(x), kind)
    over(getattr(npcasts, f"np_{kind}"), source, kind)(x, got)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(got, x.astype(kind))


@pytest.mark.parametrize("kind", ["int64", "int8", "uint32"])
def test_a_constant_that_fits_no_int_is_converted_too(kind: str) -> None:
    function = getattr(npcasts, f"np_{kind}")

    @numba.njit(error_model="numpy")
    def filled(out: Any, x: Any) -> None:
        for i in range(out.shape[0]):
            out[i] = function(max(x[i], 1e300)) if i % 2 else function(np.inf)

    got = np.full(8, 77, kind)
    filled(got, np.arange(8.0))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(got, np.array([np.inf, 1e300] * 4).astype(kind))


@pytest.mark.parametrize("kind", ["int64", "int8", "uint16", "uint32"])
def test_elsewhere_the_nearest_int_is_taken(kind: str) -> None:
    made: Any = numba.from_dtype(np.dtype(kind))

    @intrinsic  # type: ignore[untyped-decorator]
    def nearest(context: object, x: Any) -> Any:
        def lower(context: object, builder: ir.IRBuilder, sig: object, args: Any) -> ir.Value:
            return npcasts.as_int(builder, args[0], made.bitwidth, made.signed, True)

        return made(x), lower

    x = np.array([*FITTING, 1e300, -1e300, np.nan])
    got = np.empty(len(x), kind)
    over(nearest, "f8", kind)(x, got)
    wide = np.iinfo(kind if made.bitwidth >= 32 else "i4" if made.signed else "u4")
    ends = np.array([wide.max, wide.min, 0], wide.dtype).astype(kind)
    np.testing.assert_array_equal(got, [*np.array(FITTING).astype(kind), *ends])


def test_conversions_run_without_numba() -> None:
    assert npcasts.np_uint8(300.7) == 44
    assert type(npcasts.np_int16(np.float32(-1.5))) is np.int16


def test_the_list_of_conversions_is_that_of_the_functions() -> None:
    lines = Path(npcasts.__file__ or "").read_text()
    targets = [node.targets[0] for node in ast.parse(lines).body if isinstance(node, ast.Assign)]
    names = {name.id for target in targets if isinstance(target, ast.Tuple) for name in target.elts}  # type: ignore[attr-defined]
    assert names == set(CONVERSIONS)
