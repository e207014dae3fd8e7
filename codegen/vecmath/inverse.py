"""Inverse trigonometric functions, from the angle of a point, and hyperbolic ones, from log(1 + x)."""

from __future__ import annotations

import math

import numpy as np

from .exp_log import log1p_sum
from .formula import Float, fma, two_product, two_sum, vectorised, where
from .hyperbolic import corrected_quotient
from .trig import HALF_PI, HALF_PI_LOW, arctan_quotient

LN2 = float.fromhex("0x1.62e42fefa39efp-1")
FAR = 2.0**60
"""Beyond it the square of x is not needed: log(x + sqrt(x**2 + 1)) is log(2 x)."""


def root(square: Float, low: Float) -> tuple[Float, Float]:
    """sqrt(square + low) as (value, error); of nothing, nothing is lacking."""
    value = square.sqrt()
    error = (fma(-value, value, square) + low) / (value + value)
    return value, where(value > 0.0, error, 0.0)


def other_side(x: Float) -> tuple[Float, Float]:
    """sqrt(1 - x**2) as (value, error); NaN beyond 1."""
    less, less_low = two_sum(-x, 1.0)
    more, more_low = two_sum(x, 1.0)
    square, low = two_product(less, more)
    return root(square, low + fma(less, more_low, less_low * more))


@vectorised(np.arcsin, lambda x: math.asin(x) if abs(x) <= 1.0 else np.nan)
def arcsin(x: Float, *, short: bool) -> Float:
    """Inverse sine (0.8 ulp): the angle of the point (sqrt(1 - x**2), x)."""
    size = abs(x)
    side, side_low = other_side(size)
    value, rest = arctan_quotient(size, side, short)
    value = where(size < 2.0**-27, size, value + fma(-size, side_low, rest))
    return where(x.is_nan(), x, value.with_sign(x.sign_bit()))


@vectorised(np.arccos, lambda x: math.acos(x) if abs(x) <= 1.0 else np.nan)
def arccos(x: Float, *, short: bool) -> Float:
    """Inverse cosine (0.8 ulp): the angle of the point (x, sqrt(1 - x**2))."""
    size = abs(x)
    side, side_low = other_side(size)
    value, rest = arctan_quotient(side, size, short)
    rest = fma(size, side_low, rest)
    behind, behind_low = two_sum(-value, 2.0 * HALF_PI)
    return where(x < 0.0, behind + (behind_low + (2.0 * HALF_PI_LOW - rest)), value + rest)


@vectorised(np.arcsinh, lambda x: math.asinh(x))
def arcsinh(x: Float, *, short: bool) -> Float:
    """Inverse hyperbolic sine (1 ulp): log(1 + u) with u = x + x**2 / (1 + sqrt(x**2 + 1))."""
    size = abs(x)
    far = size > FAR
    a = where(far, 1.0, size)
    square, square_low = two_product(a, a)
    more, more_low = two_sum(square, 1.0)
    side, side_low = root(more, more_low + square_low)
    below, below_low = two_sum(side, 1.0)
    quotient, error = corrected_quotient(square, square_low, below, below_low + side_low)
    u, u_low = two_sum(a, quotient)
    value = log1p_sum(where(far, size, u), where(far, 0.0, u_low + error), short) + where(far, LN2, 0.0)
    return where(size < 2.0**-28, size, value).with_sign(x.sign_bit())


@vectorised(np.arccosh, lambda x: math.acosh(x) if x >= 1.0 else np.nan)
def arccosh(x: Float, *, short: bool) -> Float:
    """Inverse hyperbolic cosine (1 ulp): log(1 + u) with u = t + sqrt(t (t + 2)), t = x - 1."""
    far = x > FAR
    t = where(far, 1.0, x - 1.0)
    more, more_low = two_sum(t, 2.0)
    square, square_low = two_product(t, more)
    side, side_low = root(square, fma(t, more_low, square_low))
    u, u_low = two_sum(t, side)
    value = log1p_sum(where(far, x, u), where(far, 0.0, u_low + side_low), short) + where(far, LN2, 0.0)
    return where(x < 1.0, math.nan, value)


@vectorised(np.arctanh, lambda x: math.atanh(x) if abs(x) < 1.0 else (x / 0.0 if abs(x) == 1.0 else np.nan))
def arctanh(x: Float, *, short: bool) -> Float:
    """Inverse hyperbolic tangent (1 ulp): log(1 + 2 |x| / (1 - |x|)) / 2."""
    size = abs(x)
    less, less_low = two_sum(-size, 1.0)
    quotient, error = corrected_quotient(size + size, 0.0, less, less_low)
    end = size.equals(1.0)
    value = 0.5 * log1p_sum(where(end, math.inf, quotient), where(end, 0.0, error), short)
    return where(size < 2.0**-28, size, value).with_sign(x.sign_bit())
