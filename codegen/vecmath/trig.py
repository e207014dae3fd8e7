"""Sine, cosine, tangent, arc tangent, hypotenuse.

A reduction by pi/2 that is right for all arguments does not vectorise with profit (tried: Payne and Hanek's
table with gathers cost 10 ns per element, the C library 5 to 14). Below 2**39 one that does takes 1.2 ns, so
these functions are formulas where a loop's arguments are, and the C library's elsewhere (`in_lanes`).
"""

from __future__ import annotations

import math

import numpy as np

from .formula import (
    ROUND,
    Flag,
    Float,
    Int,
    fma,
    polynomial,
    quick_two_sum,
    two_product,
    two_sum,
    vectorised,
    where,
)
from .lanes import in_lanes

NEAR = 2.0**39
"""Below it, the reduction is right."""
TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
HALF_PI = float.fromhex("0x1.921fb54442d18p+0")
HALF_PI_LOW = float.fromhex("0x1.1a62633145c07p-54")
HALF_PI_LOWEST = float.fromhex("-0x1.f1976b7ed8fbcp-110")

# sin(r) = r + r**3 S(r**2), cos(r) = 1 - r**2 / 2 + r**4 C(r**2), |r| <= pi / 4
SIN = (
    *(-0.16666666666666666, 0.008333333333333331, -0.0001984126984126504, 2.755731921932058e-06),
    *(-2.50521062259944e-08, 1.6058530596645953e-10, -7.586636882825159e-13),
)
SIN_SHORT = (-0.16666664656312208, 0.00833274710466453, -0.0001958763909873762)
COS = (
    *(0.041666666666666664, -0.0013888888888887389, 2.48015872987544e-05, -2.755731726587808e-07),
    *(2.087614504941318e-09, -1.138254464534925e-11),
)
COS_SHORT = (0.04166666465348879, -0.001388830186756237, 2.454768977246003e-05)
# atan(w) = w + w**3 A(w**2), |w| <= tan(pi / 8)
ATAN = (
    *(-0.3333333333333333, 0.19999999999999804, -0.14285714285659812, 0.11111111105153937),
    *(-0.09090908753425743, 0.07692296372859808, -0.06666424846721739, 0.05878928549229719),
    *(-0.052304509666811966, 0.045515781496647055, -0.034570174391823104, 0.01628532732275549),
)
ATAN_SHORT = (
    *(-0.33333331760940405, 0.19999540431217983, -0.1426395378142543),
    *(0.10743711856765362, -0.06451863136604535),
)


def reduce(x: Float) -> tuple[Int, Float, Float]:
    """x = k pi/2 + r + low with |r| <= pi/4, for |x| < NEAR: (k in the low bits, r, low).

    pi/2 in three parts; a fused multiply-add makes the first subtraction exact (Cody and Waite 1980).
    """
    k = fma(x, TWO_OVER_PI, ROUND)
    whole = k - ROUND
    head = fma(whole, -HALF_PI, x)
    tail, tail_low = two_product(whole, Float(x.builder, x._raw(-HALF_PI_LOW)))
    r, low = two_sum(head, tail)
    return k.bits(), r, low + fma(whole, -HALF_PI_LOWEST, tail_low)


def sin_cos(r: Float, low: Float, short: bool) -> tuple[Float, Float, Float]:
    """Sine, cosine and what the cosine lacks, of r + low, |r| <= pi/4."""
    z = r * r
    sine = r + fma(r * z, polynomial(z, SIN_SHORT if short else SIN), low)
    half = z * 0.5
    one = 1.0 - half
    rest = fma(z * z, polynomial(z, COS_SHORT if short else COS), (1.0 - one) - half)
    return sine, one, fma(-r, low, rest)


def _is_near(x: Float) -> Flag:
    return abs(x) < NEAR


def _sine(x: Float, short: bool) -> Float:
    k, r, low = reduce(x)
    sine, one, rest = sin_cos(r, low, short)
    value = where((k & 1).equals(0), sine, one + rest).flipped((k & 2) << 62)
    return where(abs(x) < 2.0**-27, x, value)


def _cosine(x: Float, short: bool) -> Float:
    k, r, low = reduce(x)
    sine, one, rest = sin_cos(r, low, short)
    return where((k & 1).equals(0), one + rest, sine).flipped(((k + 1) & 2) << 62)


def _tangent(x: Float, short: bool) -> Float:
    k, r, low = reduce(x)
    z, z_low = two_product(r, r)
    cube, cube_low = two_product(r, z)
    tail = fma(fma(r, z_low, cube_low), SIN[0], low)
    sine, sine_low = quick_two_sum(r, fma(cube, polynomial(z, SIN_SHORT if short else SIN), tail))
    _, one, rest = sin_cos(r, low, short)
    cosine, cosine_low = quick_two_sum(one, fma(z_low, -0.5, rest))
    even = (k & 1).equals(0)
    above, above_low = where(even, sine, cosine), where(even, sine_low, cosine_low)
    below, below_low = where(even, cosine, sine), where(even, cosine_low, sine_low)
    quotient = above / below
    rest = fma(-quotient, below, above) + fma(-quotient, below_low, above_low)
    value = (quotient + rest / below).flipped((k & 1) << 63)
    return where(abs(x) < 2.0**-27, x, value)


@vectorised(np.sin, lambda x: math.sin(x))
def sin(x: Float, *, short: bool) -> Float:
    """Sine (0.9 ulp)."""
    return in_lanes("sin", _sine, _is_near, short, x)


@vectorised(np.cos, lambda x: math.cos(x))
def cos(x: Float, *, short: bool) -> Float:
    """Cosine (0.9 ulp)."""
    return in_lanes("cos", _cosine, _is_near, short, x)


@vectorised(np.tan, lambda x: math.tan(x))
def tan(x: Float, *, short: bool) -> Float:
    """Tangent."""
    return in_lanes("tan", _tangent, _is_near, short, x)


def arctan_quotient(y: Float, x: Float, short: bool) -> tuple[Float, Float]:
    """Angle of the point (x, y), both positive: (value, rest).

    Turned by 0, pi/4 or pi/2 so that the tangent that is left is within tan(pi/8) = 0.4142.
    """
    steep, flat = y > x * 2.414213562373095, y < x * 0.41421356237309503
    above, above_low = two_sum(y, -x)
    below, below_low = two_sum(x, y)
    above, above_low = where(flat, y, where(steep, -x, above)), where(flat | steep, 0.0, above_low)
    below, below_low = where(flat, x, where(steep, y, below)), where(flat | steep, 0.0, below_low)
    w = above / below
    w_low = (fma(-w, below, above) + fma(-w, below_low, above_low)) / below
    base = where(flat, 0.0, where(steep, Float(x.builder, x._raw(HALF_PI)), HALF_PI / 2))
    base_low = where(flat, 0.0, where(steep, Float(x.builder, x._raw(HALF_PI_LOW)), HALF_PI_LOW / 2))
    z = w * w
    value, rest = quick_two_sum(base, w)
    return value, rest + fma(w * z, polynomial(z, ATAN_SHORT if short else ATAN), w_low + base_low)


@vectorised(np.arctan, lambda x: math.atan(x))
def arctan(x: Float, *, short: bool) -> Float:
    """Arc tangent (0.8 ulp)."""
    size = abs(x)
    value, rest = arctan_quotient(where(size > 2.0**60, 2.0**60, size), Float(x.builder, x._raw(1.0)), short)
    value = where(size < 2.0**-27, size, value + rest)
    return where(x.is_nan(), x, value.with_sign(x.sign_bit()))


def _are_middling(y: Float, x: Float) -> Flag:
    """Neither so large nor so small, but for one zero, that a product or quotient leaves what floats hold."""
    y, x = abs(y), abs(x)
    most, least = where(y > x, y, x), where(y > x, x, y)
    return (most < 2.0**400) & (most > 2.0**-400) & ((least > 2.0**-400) | least.equals(0.0))


def _angle(y: Float, x: Float, short: bool) -> Float:
    value, rest = arctan_quotient(abs(y), abs(x), short)
    turned, lost = two_sum(Float(x.builder, x._raw(2 * HALF_PI)), -value)
    back = turned + (lost + (2 * HALF_PI_LOW - rest))
    return where(x < 0.0, back, value + rest).with_sign(y.sign_bit())


@vectorised(np.arctan2, lambda y, x: math.atan2(y, x))
def arctan2(y: Float, x: Float, *, short: bool) -> Float:
    """Angle of the point (x, y) (0.8 ulp)."""
    return in_lanes("atan2", _angle, _are_middling, short, y, x)


def hypot_of(x: Float, y: Float) -> Float:
    """sqrt(x**2 + y**2) as in CPython: exact squares, a correcting step after the root (Borges 2019)."""
    x, y = abs(x), abs(y)
    most = where(x > y, x, y)
    scale = where(
        most > 2.0**500, 2.0**-600, where(most < 2.0**-400, Float(x.builder, x._raw(2.0**600)), 1.0)
    )
    a, b = x * scale, y * scale
    a2, a2_low = two_product(a, a)
    b2, b2_low = two_product(b, b)
    total, low = two_sum(a2, b2)
    low = low + (a2_low + b2_low)
    root = (total + low).sqrt()
    square, square_low = two_product(root, root)
    rest = (total - square) + (low - square_low)
    root = root + where(root > 0.0, rest / (root + root), 0.0)
    value = where(x.is_nan() | y.is_nan(), math.nan, root / scale)
    return where(x.equals(math.inf) | y.equals(math.inf), math.inf, value)


@vectorised(np.hypot, lambda x, y: math.hypot(x, y))
def hypot(x: Float, y: Float, *, short: bool) -> Float:
    """sqrt(x**2 + y**2) without overflow on the way (0.6 ulp)."""
    return hypot_of(x, y)


@vectorised(np.sqrt, lambda x: math.sqrt(x))
def sqrt(x: Float, *, short: bool) -> Float:
    """Square root, correctly rounded."""
    return x.sqrt()
