"""``round(x, digits)`` of Python's floats for `@njit` code.

Python rounds the exact value to so many decimals, halves to the even one, and reads the result as a float
(CPython, `Objects/floatobject.c`, `double_round`). The power of ten is exact: the quotient is the float
next to the decimal; what the product lost is found by Dekker's splitting ("A floating-point technique for
extending the available precision", Numerische Mathematik 18, 1971, p. 224).
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from ..graph.ops.python_scalars import MOST_DIGITS

POWERS = tuple(float(10**digits) for digits in range(MOST_DIGITS + 1))
_WHOLE = 2.0**52
"""Floats from here on are whole numbers."""
_SPLIT = 2.0**27 + 1


@register_jitable
def _lost(a: float, b: float, product: float) -> float:
    """``a * b - product`` without a rounding error."""
    high_a = _SPLIT * a - (_SPLIT * a - a)
    high_b = _SPLIT * b - (_SPLIT * b - b)
    low_a, low_b = a - high_a, b - high_b
    return low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)


@register_jitable
def round_to(x: float, digits: int) -> float:
    """``round(x, digits)``, for up to `MOST_DIGITS` of them."""
    power = POWERS[digits]
    scaled = x * power
    if not (abs(x) < _WHOLE and abs(scaled) < 2.0 * _WHOLE):
        return x  # NaN, too: no other float is as near to the decimal
    whole = np.rint(scaled)
    half = scaled - whole
    if abs(half) == 0.5:
        lost = _lost(x, power, scaled)
        if half > 0.0 and lost > 0.0:
            whole += 1.0
        elif half < 0.0 and lost < 0.0:
            whole -= 1.0
    return whole / power
