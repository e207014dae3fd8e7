"""Every ufunc of NumPy over dtypes, and with Python's scalars (NEP 50): one function for each."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generated import function_from_text
from same import Tolerance, compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")

DTYPES = (
    bool,
    np.int8,
    np.uint8,
    np.int32,
    np.int64,
    np.uint64,
    np.float32,
    np.float64,
    np.complex64,
    np.complex128,
)
PAIRS = ((np.float32, np.float64), (np.int8, np.uint8), (np.int64, np.uint64))
WEAK = (np.uint8, np.float32)

# Pairs of these go the way of others; each costs a loop nest in each function of two operands.
_LIKE_OTHERS = (np.int32, np.complex64)

# Not elementwise functions of numbers.
_OTHER = {"matmul", "vecdot", "matvec", "vecmat", "isnat"}

# Those that hardware or IEEE 754 rounds exactly are compared to the last bit; the others within some ulp.
_INEXACT = {
    **dict.fromkeys(("exp", "exp2", "expm1", "log", "log2", "log10", "log1p"), 4),
    **dict.fromkeys(("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2"), 4),
    **dict.fromkeys(("sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"), 4),
    **dict.fromkeys(("power", "float_power", "logaddexp", "logaddexp2", "cbrt", "hypot"), 4),
}
_INEXACT_COMPLEX = 16


def _ufuncs() -> list[str]:
    found = {}
    for name in sorted(dir(np)):
        ufunc = getattr(np, name)
        if isinstance(ufunc, np.ufunc) and ufunc.nin <= 2 and ufunc.signature is None:
            if ufunc.__name__ not in _OTHER and any(len(t) for t in ufunc.types):
                found.setdefault(ufunc, name)
    # Aliases (abs, pow, ...) are one and the same object; text functions have no loops for numbers.
    return sorted({u.__name__ for u in found if hasattr(np, u.__name__)})


UFUNCS = _ufuncs()


def _values(dtype: Any, second: bool) -> np.ndarray:
    """Values with corners: zeros of both signs, NaN, infinities, limits; small divisors and exponents."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True, True, False, True]) ^ second
    if dtype.kind in "iu":
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        values = [0, 1, 5, 2, 3] if second else [3, low, high, 0, 7]
        return np.array(values, dtype)
    if dtype.kind == "c":
        values = [1 + 2j, -0.5j, 2, -1.5 + 0.25j, 0.5] if second else [0.5 - 1j, 1j, -2, 3 + 4j, 0.25]
        return np.array(values, dtype)
    values = [1.5, -2.0, 0.0, np.inf, 0.75] if second else [0.5, -0.0, 7.25, -np.inf, np.nan]
    return np.array(values, dtype)


def _accepts(ufunc: np.ufunc, *operands: Any) -> bool:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bool(ufunc(*operands) is not NotImplemented)
        except (TypeError, OverflowError, ValueError):
            return False


def _program(name: str) -> tuple[str, tuple[np.ndarray, ...]]:
    """The text of a function with one expression for each accepted combination, and its arguments."""
    ufunc = getattr(np, name)
    args: dict[str, np.ndarray] = {}
    lines = []

    def argument(dtype: Any, second: bool) -> str:
        key = f"{'y' if second else 'x'}_{np.dtype(dtype).name}"
        args[key] = _values(dtype, second)
        return key

    if ufunc.nin == 1:
        for dtype in DTYPES:
            if _accepts(ufunc, _values(dtype, False)):
                lines.append(f"np.{name}({argument(dtype, False)})")
    else:
        for left, right in [(d, d) for d in DTYPES if d not in _LIKE_OTHERS] + list(PAIRS):
            if _accepts(ufunc, _values(left, False), _values(right, True)):
                lines.append(f"np.{name}({argument(left, False)}, {argument(right, True)})")
        for dtype in WEAK:
            for scalar in (2, 2.5):
                if _accepts(ufunc, _values(dtype, False), scalar):
                    lines.append(f"np.{name}({argument(dtype, False)}, {scalar})")
    body = "".join(f"        {line},\n" for line in lines)
    return f"def f({', '.join(args)}):\n    return (\n{body}    )\n", tuple(args.values())


@pytest.mark.parametrize("name", UFUNCS)
def test_ufunc_over_dtypes(name: str, tmp_path: Path) -> None:
    text, args = _program(name)
    f = function_from_text(text, tmp_path)
    decorated = decorate(f)
    kinds = {a.dtype.kind for a in args}
    ulp = _INEXACT.get(name, 0)
    if "c" in kinds and (
        ulp or name in ("sqrt", "absolute", "divide", "square", "reciprocal", "multiply", "sign")
    ):
        ulp = _INEXACT_COMPLEX
    tolerance = Tolerance(ulp)
    compare(f, decorated, args, tol=tolerance, calls=1)
    compare(f, decorated, tuple(a[:0] for a in args), tol=tolerance, calls=1)
    compare(f, decorated, tuple(np.tile(a, 9) for a in args), tol=tolerance, calls=1)


def test_the_list_of_ufuncs_is_whole() -> None:
    assert len(UFUNCS) > 75
    assert {"add", "exp", "maximum", "left_shift", "isnan", "logical_xor", "divmod", "frexp"} <= set(UFUNCS)
