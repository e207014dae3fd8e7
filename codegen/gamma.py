"""The gamma function and its logarithm, with the bits of CPython's `math` (not the C library's).

Lanczos' approximation with g = 6.0247 and 13 terms, by Pugh's and Boost's coefficients; the order of the
operations is CPython's, as the bits depend on it. Poles are the caller's business.
"""

from __future__ import annotations

import math

from numba.extending import register_jitable

G = 6.024680040776729583740234375
G_LESS_HALF = 5.524680040776729583740234375
LOG_PI = 1.144729885849400174143427351353058711647
NUMERATOR = (
    *(23531376880.410759688572, 42919803642.649098768958, 35711959237.355668049440, 17921034426.037209699920),
    *(6039542586.3520280050643, 1439720407.3117216736632, 248874557.86205415651146, 31426415.585400194380614),
    *(2876370.6289353724412254, 186056.26539522349504029, 8071.6720023658162106380, 210.82427775157934587251),
    2.5066282746310002701649,
)
DENOMINATOR = (
    *(0.0, 39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0, 2637558.0),
    *(357423.0, 32670.0, 1925.0, 66.0, 1.0),
)
FACTORIALS = tuple(float(math.factorial(n)) for n in range(23))


@register_jitable
def lanczos_sum(x: float) -> float:
    """The rational part, for positive x."""
    above = below = 0.0
    if x < 5.0:
        for k in range(13):
            above = above * x + NUMERATOR[12 - k]
            below = below * x + DENOMINATOR[12 - k]
    else:
        for k in range(13):
            above = above / x + NUMERATOR[k]
            below = below / x + DENOMINATOR[k]
    return above / below


@register_jitable
def sin_pi(x: float) -> float:
    """sin(pi x) for x >= 0."""
    y = x % 2.0
    quarter = math.floor(2.0 * y + 0.5)
    if quarter == 0:
        return math.sin(math.pi * y)
    if quarter == 1:
        return math.cos(math.pi * (y - 0.5))
    if quarter == 2:
        return math.sin(math.pi * (1.0 - y))
    if quarter == 3:
        return -math.cos(math.pi * (y - 1.5))
    return math.sin(math.pi * (y - 2.0))


def gamma(x: float) -> float:
    """Gamma function; infinite where it overflows."""
    size = abs(x)
    if math.isnan(x) or math.isinf(x):
        return x
    if x == math.floor(x) and 0.0 < x <= 23.0:
        return FACTORIALS[int(x) - 1]
    if size < 1e-20:
        return 1.0 / x
    if size > 200.0:
        return math.inf if x > 0.0 else math.copysign(0.0, -sin_pi(size))
    y = size + G_LESS_HALF
    lost = (y - size) - G_LESS_HALF if size > G_LESS_HALF else (y - G_LESS_HALF) - size
    lost = lost * G / y
    if x < 0.0:
        r = -math.pi / sin_pi(size) / size * math.exp(y) / lanczos_sum(size)
        r -= lost * r
        if size < 140.0:
            return r / math.pow(y, size - 0.5)
        root = math.pow(y, size / 2.0 - 0.25)
        return r / root / root
    r = lanczos_sum(size) / math.exp(y)
    r += lost * r
    if size < 140.0:
        return r * math.pow(y, size - 0.5)
    root = math.pow(y, size / 2.0 - 0.25)
    return r * root * root


def lgamma(x: float) -> float:
    """Logarithm of |gamma(x)|; infinite where it overflows."""
    size = abs(x)
    if math.isnan(x):
        return x
    if math.isinf(x):
        return math.inf
    if x in (1.0, 2.0):
        return 0.0
    if size < 1e-20:
        return -math.log(size)
    r = math.log(lanczos_sum(size)) - G
    r += (size - 0.5) * (math.log(size + G - 0.5) - 1.0)
    if x < 0.0:
        r = LOG_PI - math.log(abs(sin_pi(size))) - math.log(size) - r
    return r
