"""Exponentials and logarithms of float32 numbers, in float64: its spare bits make up for every rounding.

No step has to be exact, and no power of two leaves float64's range; the only rounding that counts is the last
one, to float32 (0.51 ulp).
"""

from __future__ import annotations

from .formula import ROUND, Float, fma, polynomial, power_of_two, where

LOG2_E = float.fromhex("0x1.71547652b82fep+0")
LN2 = float.fromhex("0x1.62e42fefa39efp-1")
# (exp(r) - 1 - r) / r**2 on |r| <= ln(2) / 2 to 5e-10 of exp(r) - 1, by interpolation at Chebyshev nodes.
EXP_TAIL = (
    *(0.5000000013465808, 0.16666666681623984, 0.041666464925288735),
    *(0.008333310925262214, 0.0013933649997121338, 0.00019890990961750026),
)


def clip(x: Float, low: float, high: float) -> Float:
    """min(max(x, low), high), NaN left alone."""
    x = where(x > high, high, x)
    return where(x < low, low, x)


def parts_of_exp(x: Float) -> tuple[Float, Float]:
    """exp(x) = 2**k (1 + rest), |rest| < 0.42, for |x| < 700: (2**k, rest)."""
    t = fma(x, LOG2_E, ROUND)
    r = fma(t - ROUND, -LN2, x)
    return power_of_two(t), fma(r * r, polynomial(r, EXP_TAIL), r)


def exp(x: Float) -> Float:
    """e**x; beyond the limits it is 0, or infinite, in float32."""
    power, rest = parts_of_exp(clip(x, -110.0, 90.0))
    return fma(power, rest, power)


def expm1(x: Float) -> Float:
    """e**x - 1 for |x| < 700: where 2**k is not 1 the result is not small."""
    power, rest = parts_of_exp(x)
    return fma(power, rest, power - 1.0)
