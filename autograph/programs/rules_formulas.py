"""NumPy's functions that are formulas of others, by NumPy's own steps: what they are made of is fused.

A rule gives `PLAIN` for arguments with which NumPy does something else, or warns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from ...graph.symbolic.arrays import SymbolicArray
from ..tracer import tracer
from ..wanted import is_wanted
from . import accumulating, kinds
from .inline import PLAIN, Pays, inlined


def isclose(
    a: object, b: object, rtol: object = 1e-5, atol: object = 1e-8, equal_nan: object = False
) -> object:
    """``np.isclose`` of real arrays, the second one of floats, or with a float."""
    if not _is_of_kind(a, "iuf") or not (_is_of_kind(b, "f") or type(b) is float):
        return PLAIN
    fixed = all(type(limit) is float and math.isfinite(limit) for limit in (rtol, atol))
    if not fixed or type(equal_nan) is not bool or not is_wanted():
        return PLAIN
    near = np.less_equal(abs(a - b), atol + rtol * abs(b)) & np.isfinite(b) | (a == b)  # type: ignore[operator]
    return near | (np.isnan(a) & np.isnan(b)) if equal_nan else near


def allclose(
    a: object, b: object, rtol: object = 1e-5, atol: object = 1e-8, equal_nan: object = False
) -> object:
    """``np.allclose``, likewise."""
    near = isclose(a, b, rtol, atol, equal_nan)
    return PLAIN if near is PLAIN else _truth(np.all(near))  # type: ignore[call-overload]


def array_equal(a1: object, a2: object) -> object:
    """``np.array_equal`` of arrays that have one shape."""
    if not kinds.is_array(a1) or not kinds.is_array(a2) or a1.ndim != a2.ndim:
        return PLAIN
    if not is_wanted() or not kinds.same_shape(a1, a2):
        return PLAIN
    return _truth(np.all(a1 == a2))


def _truth(value: object) -> object:
    """``bool(value)``."""
    return tracer().operators.call(bool, value)


def nan_to_num(
    x: object, copy: object = True, nan: object = 0.0, posinf: object = None, neginf: object = None
) -> object:
    """``np.nan_to_num`` of an array of floats that is copied."""
    given = [number for number in (nan, posinf, neginf) if number is not None]
    if not kinds.is_array(x) or x.dtype.kind != "f" or not kinds.is_straight(x) or copy is not True:
        return PLAIN
    if any(type(number) not in (int, float) for number in given) or not is_wanted():
        return PLAIN
    limits = np.finfo(x.dtype)
    high, low = (
        end if end is not None else most for end, most in ((posinf, limits.max), (neginf, limits.min))
    )
    found: Any = x
    beyond = np.where(found == np.inf, x.dtype.type(high), np.where(found == -np.inf, x.dtype.type(low), x))
    return np.where(np.isnan(x), x.dtype.type(nan), beyond)


def without_nan(function: Callable[..., object], number: int) -> Callable[..., object]:
    """``np.nansum`` and the like: of an array whose NaNs are replaced by a number."""

    def rule(a: object, axis: object = None) -> object:
        if not kinds.is_array(a) or a.dtype.kind != "f" or not kinds.is_straight(a) or not is_wanted():
            return PLAIN
        return function(np.where(np.isnan(a), a.dtype.type(number), a), axis=axis)

    return rule


def angle(z: object, deg: object = False) -> object:
    """``np.angle`` of complex numbers."""
    if not kinds.is_array(z) or z.dtype.kind != "c" or type(deg) is not bool or not is_wanted():
        return PLAIN
    found = np.arctan2(z.imag, z.real)
    return found * (180 / np.pi) if deg else found


def isreal(x: object) -> object:
    """``np.isreal`` of complex numbers."""
    return x.imag == 0 if _is_of_kind(x, "c") and is_wanted() else PLAIN


def iscomplex(x: object) -> object:
    """``np.iscomplex`` of complex numbers."""
    return x.imag != 0 if _is_of_kind(x, "c") and is_wanted() else PLAIN


def isposinf(x: object) -> object:
    """``np.isposinf`` of floats."""
    return np.logical_and(np.isinf(x), ~np.signbit(x)) if _is_of_kind(x, "f") and is_wanted() else PLAIN


def isneginf(x: object) -> object:
    """``np.isneginf`` of floats."""
    return np.logical_and(np.isinf(x), np.signbit(x)) if _is_of_kind(x, "f") and is_wanted() else PLAIN


def fix(x: object) -> object:
    """``np.fix`` of floats."""
    return np.trunc(x) if _is_of_kind(x, "f") and is_wanted() else PLAIN


def polyval(p: object, x: object) -> object:
    """``np.polyval`` of float64 at each element of a vector."""
    if not (kinds.is_real(p) and kinds.is_real(x)) or {p.dtype, x.dtype} != {np.dtype(float)}:
        return PLAIN
    return inlined(accumulating.polynomial, (p, x), Pays.ALONE)


def _is_of_kind(value: object, codes: str) -> TypeGuard[SymbolicArray]:
    return kinds.is_array(value) and value.dtype.kind in codes
