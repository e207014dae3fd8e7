"""Hyperbolic functions, from q = (exp(|x|) - 1) / 4 and its error: no cancellation, no early overflow."""

from __future__ import annotations

import math

import numpy as np

from . import short as short_form
from .exp_log import quarter_expm1
from .formula import Float, fma, two_sum, vectorised, where
from .short import clip


def corrected_quotient(a: Float, a_low: Float | float, b: Float, b_low: Float) -> tuple[Float, Float]:
    """(a + a_low) / (b + b_low) as (value, error), with one division."""
    scale = 1.0 / b
    quotient = a * scale
    return quotient, (fma(-quotient, b, a) + fma(-quotient, b_low, a_low)) * scale


@vectorised(np.tanh, lambda x: math.tanh(x))
def tanh(x: Float, *, short: bool) -> Float:
    """Hyperbolic tangent: q / (q + 1/2) at 2 |x| (0.7 ulp)."""
    size = abs(x)
    if short:
        value = short_form.expm1(clip(size + size, 0.0, 44.0))
        return (value / (value + 2.0)).with_sign(x.sign_bit())
    q, low = quarter_expm1(clip(size + size, 0.0, 44.0), short)
    below, below_low = two_sum(q, 0.5)
    value, error = corrected_quotient(q, low, below, below_low + low)
    return where(size < 2.0**-28, size, value + error).with_sign(x.sign_bit())


@vectorised(np.sinh, lambda x: math.sinh(x))
def sinh(x: Float, *, short: bool) -> Float:
    """Hyperbolic sine: 2 (q + q / 4 / (q + 1/4)) (0.8 ulp)."""
    size = abs(x)
    if short:
        value = short_form.expm1(clip(size, 0.0, 90.0))
        return (0.5 * (value + value / (value + 1.0))).with_sign(x.sign_bit())
    q, low = quarter_expm1(clip(size, 0.0, 710.6), short)
    below, below_low = two_sum(q, 0.25)
    value, error = corrected_quotient(q * 0.25, low * 0.25, below, below_low + low)
    total, rest = two_sum(q, value)
    return where(size < 2.0**-28, size, 2.0 * (total + (rest + (error + low)))).with_sign(x.sign_bit())


@vectorised(np.cosh, lambda x: math.cosh(x))
def cosh(x: Float, *, short: bool) -> Float:
    """Hyperbolic cosine: 2 (d + 1 / (16 d)) with d = q + 1/4 (0.7 ulp)."""
    if short:
        power = short_form.exp(abs(x))
        return 0.5 * (power + 1.0 / power)
    q, low = quarter_expm1(clip(abs(x), 0.0, 710.6), short)
    d, d_low = two_sum(q, 0.25)
    d_low = d_low + low
    value, error = corrected_quotient(Float(x.builder, x._raw(0.0625)), 0.0, d, d_low)
    total, rest = two_sum(d, value)
    return 2.0 * (total + (rest + (error + d_low)))
