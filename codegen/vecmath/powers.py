"""x ** y, through a logarithm of about 120 bits and an exponential that takes its error in."""

from __future__ import annotations

import math

import numpy as np

from .exp_log import LN2_HEAD, LN2_TAIL, clip, exp_sum, log_reduced, split_exponent
from .formula import Float, fma, polynomial, quick_two_sum, two_product, two_sum, vectorised, where

THIRD = float.fromhex("0x1.5555555555555p-2")
THIRD_LOW = float.fromhex("0x1.5555555555555p-56")
# (atanh(s) / s - 1 - s**2 / 3) / s**4 as a polynomial in s**2, |s| <= 0.1716.
ATANH_TAIL = (
    *(0.2, 0.14285714285714682, 0.11111111110827954, 0.090909091676938),
    *(0.07692297481537068, 0.06667402331812168, 0.05853118574408186, 0.058615850803995374),
)


def log_in_two(x: Float) -> tuple[Float, Float]:
    """log(x) as (value, error), relative error 2**-66, for positive finite x."""
    k, m = split_exponent(x)
    f = m - 1.0
    below, below_low = quick_two_sum(2.0, f)
    scale = 1.0 / below
    s = f * scale
    s_low = (fma(-s, below, f) - s * below_low) * scale
    z, z_low = two_product(s, s)
    z_low = fma(s + s, s_low, z_low)
    # atanh(s) = s + s z (1/3 + z tail): only the last product may be a single float.
    inner, inner_low = quick_two_sum(THIRD, z * polynomial(z, ATANH_TAIL))
    inner_low = inner_low + THIRD_LOW
    product, product_low = two_product(z, inner)
    product_low = product_low + fma(z, inner_low, z_low * inner)
    cubic, cubic_low = two_product(s, product)
    cubic_low = cubic_low + fma(s, product_low, s_low * product)
    value, error = quick_two_sum(s, cubic)
    error = error + (s_low + cubic_low)
    # log(x) = k ln 2 + 2 atanh(s)
    tail, tail_low = two_product(k, Float(k.builder, k._raw(LN2_TAIL)))
    total, lost = quick_two_sum(k * LN2_HEAD, value + value)
    middle, middle_low = two_sum(tail, lost)
    total, lost = quick_two_sum(total, middle)
    return total, lost + (middle_low + fma(error, 2.0, tail_low))


@vectorised(np.power, lambda x, y: math.pow(x, y))
def power(x: Float, y: Float, *, short: bool) -> Float:
    """x**y with the special cases of C's pow (0.8 ulp)."""
    size = abs(x)
    if short:
        k, m = split_exponent(size)
        log, log_low = log_reduced(m - 1.0, short=False)
        value = exp_sum(clip(y * fma(k, LN2_HEAD, log + log_low), -800.0, 800.0), 0.0, short)
    else:
        log, log_low = log_in_two(size)
        exponent, low = two_product(y, log)
        near = abs(exponent) < 800.0
        low = where(near, fma(y, log_low, low), 0.0)
        value = exp_sum(clip(exponent, -800.0, 800.0), low, short)
    # Zero and infinite bases, then 1**y, then the sign or NaN of negative bases.
    outermost = size.equals(0.0) | size.equals(math.inf)
    value = where(outermost, where((size < 1.0) ^ (y < 0.0), 0.0, Float(x.builder, x._raw(math.inf))), value)
    value = where(size.equals(1.0), 1.0, value)
    whole = y.floor().equals(y)
    half = y * 0.5
    odd = whole & ~half.floor().equals(half)
    value = where(odd, value.with_sign(x.sign_bit()), value)
    value = where((x < 0.0) & ~whole & ~outermost, math.nan, value)
    value = where(x.is_nan() | y.is_nan(), math.nan, value)
    return where(x.equals(1.0) | y.equals(0.0), 1.0, value)
