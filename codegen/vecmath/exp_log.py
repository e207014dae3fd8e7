"""Exponentials and logarithms.

Reduction and error bounds follow Tang 1989/1990 and fdlibm (e_exp.c, e_log.c); the last bit is kept by
carrying the rounding error of each large step beside its result. Polynomials: Taylor where the factorials
converge fast enough, else interpolation at Chebyshev nodes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import short as short_form
from .formula import (
    ONE,
    ROUND,
    Float,
    fma,
    polynomial,
    power_of_two,
    quick_two_sum,
    two_product,
    two_sum,
    vectorised,
    where,
)
from .short import clip

LOG2_E = float.fromhex("0x1.71547652b82fep+0")
LOG2_E_LOW = float.fromhex("0x1.777d0ffda0d24p-56")
LOG10_E = float.fromhex("0x1.bcb7b1526e50ep-2")
LOG10_E_LOW = float.fromhex("0x1.95355baaafad3p-57")
LOG10_2 = float.fromhex("0x1.34413509f79ffp-2")
LOG10_2_LOW = float.fromhex("-0x1.9dc1da994fd21p-59")
LN2 = float.fromhex("0x1.62e42fefa39efp-1")
LN2_LOW = float.fromhex("0x1.abc9e3b39803fp-56")
# ln 2 again, its first part short enough that k times it is exact for every exponent k.
LN2_HEAD = float.fromhex("0x1.62e42fefa3800p-1")
LN2_TAIL = float.fromhex("0x1.ef35793c76730p-45")

# (exp(r) - 1 - r) / r**2 on |r| <= ln(2) / 2.
EXP_TAIL = tuple(1 / math.factorial(n) for n in range(2, 14))
# (log((1 + s) / (1 - s)) / s - 2) / s**2 as a polynomial in s**2, |s| <= 0.1716.
LOG_TAIL = (
    *(0.666666666666667, 0.3999999999989945, 0.28571428626001427, 0.22222211130560726),
    *(0.18182889433757515, 0.15331711346672997, 0.14616576421644387),
)
LOG_TAIL_SHORT = (0.6666668504478588, 0.3998877843365144, 0.29580046168312196)
SQRT_HALF_UP = (
    ONE - 0x3FE6A09E667F3BCD
)  # adding it to the bits of x carries into the exponent from sqrt(1/2) on
TWO_52 = 2.0**52


def exp_reduced(r: Float, low: Any, short: bool) -> tuple[Float, Float]:
    """exp(r + low) - 1 as a sum (r, rest), for |r| <= ln(2) / 2 and `low` below one rounding error of r."""
    tail = polynomial(r, EXP_TAIL[:7] if short else EXP_TAIL)
    return r, fma(r * r, tail, low)


def reduce_exp(x: Float) -> tuple[Float, Float, Float]:
    """x = k ln 2 + r + low: (k + ROUND, r, low)."""
    t = fma(x, LOG2_E, ROUND)
    k = t - ROUND
    head = fma(k, -LN2_HEAD, x)
    r = fma(k, -LN2_TAIL, head)
    return t, r, fma(k, -LN2_TAIL, head - r)


def scale(x: Float, t: Float) -> Float:
    """x * 2**k where t is k + ROUND, |k| <= 2044, with one rounding, at overflow and underflow too."""
    half = fma(t - ROUND, 0.5, ROUND)
    other = ((t.bits() - half.bits()) << 52) + ONE
    return (x * power_of_two(half)) * other.as_float()


def exp_sum(x: Float, low: Any, short: bool) -> Float:
    """exp(x + low), with `low` small beside x; x is in -800 ... 800."""
    t, r, rest = reduce_exp(x)
    r, rest = quick_two_sum(r, rest + low)
    r, rest = exp_reduced(r, rest, short)
    one, error = quick_two_sum(1.0, r)
    return scale(one + (error + rest), t)


def exp_of(x: Float, short: bool) -> Float:
    """e**x."""
    if short:
        return short_form.exp(x)
    t, r, low = reduce_exp(clip(x, -746.0, 710.0))
    r, rest = exp_reduced(r, low, short)
    one, error = quick_two_sum(1.0, r)
    return scale(one + (error + rest), t)


@vectorised(np.exp, lambda x: math.exp(x))
def exp(x: Float, *, short: bool) -> Float:
    """e**x (0.6 ulp)."""
    return exp_of(x, short)


def exp2_of(x: Float, short: bool) -> Float:
    """2**x."""
    x = clip(x, -1076.0, 1025.0)
    t = x + ROUND
    f = x - (t - ROUND)
    r = f * LN2
    r, rest = exp_reduced(r, fma(f, LN2_LOW, fma(f, LN2, -r)), short)
    one, error = quick_two_sum(1.0, r)
    return scale(one + (error + rest), t)


@vectorised(np.exp2, lambda x: math.pow(2.0, x))
def exp2(x: Float, *, short: bool) -> Float:
    """2**x (0.6 ulp)."""
    return exp2_of(x, short)


def quarter_expm1(x: Float, short: bool) -> tuple[Float, Float]:
    """(exp(x) - 1) / 4 as (value, error) for x in -60 ... 711; a quarter, so as not to overflow too early."""
    t, r, low = reduce_exp(x)
    r, rest = exp_reduced(r, low, short)
    power = power_of_two(t - 2.0)
    # 2**k (1 + r + rest) - 1, largest terms first; for k = 0 the first sum is 0 + r.
    base, base_error = two_sum(power, -0.25)
    value, error = quick_two_sum(base, power * r)
    return quick_two_sum(value, fma(power, rest, error + base_error))


@vectorised(np.expm1, lambda x: math.expm1(x))
def expm1(x: Float, *, short: bool) -> Float:
    """e**x - 1, right for small x too (1.2 ulp)."""
    if short:
        return where(abs(x) < 2.0**-54, x, short_form.expm1(clip(x, -40.0, 90.0)))
    value, error = quarter_expm1(clip(x, -40.0, 710.0), short)
    return where(abs(x) < 2.0**-54, x, (value + error) * 4.0)


def split_exponent(x: Float) -> tuple[Float, Float]:
    """x = 2**k m with m in sqrt(1/2) ... sqrt(2): (k, m), for positive finite x."""
    tiny = x < 2.0**-1022
    bits = where(tiny, x * 2.0**54, x).bits()
    exponent = (bits + SQRT_HALF_UP) >> 52
    k = (exponent | 0x4330000000000000).as_float() - where(tiny, TWO_52 + 1077.0, TWO_52 + 1023.0)
    return k, (bits - (exponent << 52) + ONE).as_float()


def log_reduced(f: Float, short: bool) -> tuple[Float, Float]:
    """log(1 + f) as (value, error), 1 + f in sqrt(1/2) ... sqrt(2)."""
    s = f / (f + 2.0)
    z = s * s
    rest = z * polynomial(z, LOG_TAIL_SHORT if short else LOG_TAIL)
    square = 0.5 * f * f
    value, error = quick_two_sum(f, -square)
    return value, error + fma(s, square + rest, fma(f, -0.5 * f, square))


def log_limits(x: Float, value: Float, at_zero: float = 0.0) -> Float:
    """IEEE's answers where a logarithm that goes to -inf at `at_zero` has none of its own."""
    value = where(x.equals(math.inf) | x.is_nan(), x, value)
    value = where(x.equals(at_zero), -math.inf, value)
    return where(x < at_zero, math.nan, value)


@vectorised(np.log, lambda x: math.log(x))
def log(x: Float, *, short: bool) -> Float:
    """Natural logarithm (0.6 ulp)."""
    k, m = split_exponent(x)
    value, error = log_reduced(m - 1.0, short)
    total, rounding = quick_two_sum(k * LN2_HEAD, value)
    return log_limits(x, total + fma(k, LN2_TAIL, rounding + error))


def log_to_base(
    k: Float, value: Float, error: Float, unit: tuple[float, float], two: tuple[float, float]
) -> Float:
    """(k ln 2 + value + error) / ln(base), with 1 / ln(base) and log_base(2) given to two floats."""
    product, low = two_product(value, unit[0])
    low = fma(error, unit[0], fma(value, unit[1], low))
    whole, whole_low = two_product(k, two[0])
    total, rounding = quick_two_sum(whole, product)
    return total + (rounding + (low + fma(k, two[1], whole_low)))


@vectorised(np.log2, lambda x: np.log2(x))
def log2(x: Float, *, short: bool) -> Float:
    """Logarithm to base 2, exact for powers of two (0.6 ulp)."""
    k, m = split_exponent(x)
    value, error = log_reduced(m - 1.0, short)
    return log_limits(x, log_to_base(k, value, error, (LOG2_E, LOG2_E_LOW), (1.0, 0.0)))


@vectorised(np.log10, lambda x: math.log10(x))
def log10(x: Float, *, short: bool) -> Float:
    """Logarithm to base 10 (0.6 ulp)."""
    k, m = split_exponent(x)
    value, error = log_reduced(m - 1.0, short)
    return log_limits(x, log_to_base(k, value, error, (LOG10_E, LOG10_E_LOW), (LOG10_2, LOG10_2_LOW)))


def log1p_sum(x: Float, low: Float | None, short: bool) -> Float:
    """log(1 + x + low), with `low` small beside x."""
    u, lost = two_sum(x, 1.0)
    lost = lost if low is None else lost + low
    bits = u.bits()
    exponent = (bits + SQRT_HALF_UP) >> 52
    k = (exponent | 0x4330000000000000).as_float() - (TWO_52 + 1023.0)
    shift = (exponent << 52) - ONE
    m = (bits - shift).as_float()
    value, error = log_reduced(m - 1.0, short)
    # 1 + x = u + lost = 2**k (m + lost / 2**k)
    lost = where(u > 2.0**1000, 0.0, lost * (ONE - shift).as_float())
    error = error + lost / m
    total, rounding = quick_two_sum(k * LN2_HEAD, value)
    total = total + fma(k, LN2_TAIL, rounding + error)
    return where(x.equals(0.0), x, log_limits(x, total, -1.0))


@vectorised(np.log1p, lambda x: math.log1p(x))
def log1p(x: Float, *, short: bool) -> Float:
    """log(1 + x), right for small x too (0.7 ulp)."""
    return log1p_sum(x, None, short)


@vectorised(np.logaddexp, lambda x, y: np.logaddexp(x, y))
def logaddexp(x: Float, y: Float, *, short: bool) -> Float:
    """log(e**x + e**y), without overflow on the way: the larger one + log(1 + e**-|x - y|)."""
    rest = log1p_sum(exp_of(-abs(x - y), short), None, short)
    total = where(x > y, x, y) + rest
    return where(x.equals(y), x + LN2, where(x.is_nan() | y.is_nan(), math.nan, total))


@vectorised(np.logaddexp2, lambda x, y: np.logaddexp2(x, y))
def logaddexp2(x: Float, y: Float, *, short: bool) -> Float:
    """log2(2**x + 2**y), likewise."""
    rest = log1p_sum(exp2_of(-abs(x - y), short), None, short) * LOG2_E
    total = where(x > y, x, y) + rest
    return where(x.equals(y), x + 1.0, where(x.is_nan() | y.is_nan(), math.nan, total))
