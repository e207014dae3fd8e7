"""The functions of the `math` module on one or two numbers, with CPython's exceptions."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from . import arithmetic, exponential, rounding, trigonometric
from .define import MATH, Gradient, OpDef, define
from .derivatives import INTEGERS, STEPS, TRUTH, as_numpy, each
from .samples import floats

# The rules of NumPy's ops, by the names that the functions have in `math`.
_NUMPYS = {
    op.name: op.gradient
    for group in (arithmetic, exponential, trigonometric, rounding)
    for op in group.RECORDS
}
_NUMPYS |= {name.replace("arc", "a"): rule for name, rule in _NUMPYS.items() if name.startswith("arc")}
_NUMPYS["pow"] = _NUMPYS["power"]

# B(2n) / 2n, Bernoulli's numbers (DLMF 5.11.2).
_STIRLING = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)

_CHEAP = (math.sqrt, math.fabs, math.degrees, math.radians, math.copysign)
_SLOPE = 2 / math.sqrt(math.pi)
_ERF = each(lambda g, x: g * (_SLOPE * np.exp(-(x * x))))
_ERFC = each(lambda g, x: -(g * (_SLOPE * np.exp(-(x * x)))))


def _digamma(w: ModuleType, x: Any) -> Any:
    """The derivative of the logarithm of the gamma function: reflected, shifted, and Stirling's series."""
    mirrored = x < 0.5
    z = w.choose(mirrored, 1 - x, x)
    shift = sum(1 / w.float64(z + k) for k in range(10))
    z = z + 10.0
    square = 1 / w.float64(z * z)
    series = 0.0
    for coefficient in reversed(_STIRLING):
        series = (series + coefficient) * square
    value = np.log(z) - 0.5 / w.float64(z) - series - shift
    return w.choose(mirrored, value - math.pi / np.tan(math.pi * x), value)


def _float(
    function: Callable,
    doc: str,
    low: float = -100,
    high: float = 100,
    operands: int = 1,
    gradient: Gradient = None,
) -> OpDef:
    name = function.__name__
    slots = ", ".join(f"{{{k}}}" for k in range(operands))
    return define(
        f"math.{name}",
        MATH,
        doc,
        lowers=(function,),
        evaluate=function,
        scalar={"f": f"math_{name}({slots})"},
        imports=(("pymath", f"math_{name}"),),
        effect=("raises",),
        gradient=gradient or as_numpy(_NUMPYS[name]),
        samples=floats(low, high),
        expensive=function not in _CHEAP,
    )


def _to_int(function: Callable, doc: str) -> OpDef:
    name = function.__name__
    return define(
        f"math.{name}",
        MATH,
        doc,
        lowers=(function,),
        evaluate=function,
        scalar={"i": "{0}", "f": f"math_{name}({{0}})"},
        imports=(("pymath", f"math_{name}"),),
        effect=("raises",),
        gradient=STEPS,
        samples=floats(-100, 100),
        expensive=True,
    )


def _uncompiled(function: Callable, doc: str, gradient: Gradient = INTEGERS) -> OpDef:
    return define(
        f"math.{function.__name__}",
        MATH,
        doc,
        lowers=(function,),
        evaluate=function,
        effect=("raises",),
        gradient=gradient,
        expensive=True,
    )


RECORDS: tuple[OpDef, ...] = (
    _float(math.sqrt, "Square root.", 0),
    _float(math.exp, "e to the power of x."),
    _float(math.expm1, "exp(x) - 1."),
    _float(math.log, "Natural logarithm.", 0),
    _float(math.log2, "Logarithm to base 2.", 0),
    _float(math.log10, "Logarithm to base 10.", 0),
    _float(math.log1p, "log(1 + x).", -1),
    _float(math.sin, "Sine."),
    _float(math.cos, "Cosine."),
    _float(math.tan, "Tangent."),
    _float(math.asin, "Inverse sine.", -1, 1),
    _float(math.acos, "Inverse cosine.", -1, 1),
    _float(math.atan, "Inverse tangent."),
    _float(math.sinh, "Hyperbolic sine."),
    _float(math.cosh, "Hyperbolic cosine."),
    _float(math.tanh, "Hyperbolic tangent."),
    _float(math.asinh, "Inverse hyperbolic sine."),
    _float(math.acosh, "Inverse hyperbolic cosine.", 1),
    _float(math.atanh, "Inverse hyperbolic tangent.", -1, 1),
    _float(math.erf, "Error function.", gradient=_ERF),
    _float(math.erfc, "Complementary error function.", gradient=_ERFC),
    _float(math.fabs, "Magnitude."),
    _float(math.degrees, "Radians as degrees."),
    _float(math.radians, "Degrees as radians."),
    _float(math.isnan, "Number is NaN.", gradient=TRUTH),
    _float(math.isinf, "Number is infinite.", gradient=TRUTH),
    _float(math.isfinite, "Number is neither infinite nor NaN.", gradient=TRUTH),
    _float(math.atan2, "Angle of the point (y, x).", operands=2),
    _float(math.hypot, "Length of a vector of two.", operands=2),
    _float(math.pow, "Power of floats.", 0, 20, operands=2),
    _float(math.fmod, "Remainder with the sign of the dividend.", operands=2),
    _float(math.copysign, "Magnitude of one number, sign of the other.", operands=2),
    _to_int(math.floor, "Largest int not above."),
    _to_int(math.ceil, "Smallest int not below."),
    _to_int(math.trunc, "Integer part."),
    _uncompiled(math.gamma, "Gamma function.", each(lambda w, g, y, x: g * y * _digamma(w, x))),
    _uncompiled(
        math.lgamma, "Logarithm of the absolute gamma function.", each(lambda w, g, x: g * _digamma(w, x))
    ),
    _uncompiled(math.gcd, "Greatest common divisor."),
    _uncompiled(math.lcm, "Lowest common multiple."),
    _uncompiled(math.isqrt, "Floor of the square root."),
    _uncompiled(math.factorial, "Factorial."),
    _uncompiled(math.comb, "Binomial coefficient."),
    _uncompiled(math.perm, "Number of arrangements."),
    _uncompiled(math.remainder, "IEEE 754 remainder.", as_numpy(_NUMPYS["fmod"])),
    _uncompiled(math.ldexp, "x times two to the power of i.", as_numpy(_NUMPYS["ldexp"])),
)

if sys.version_info >= (3, 11):
    RECORDS += (_float(math.cbrt, "Cube root."), _float(math.exp2, "2 to the power of x."))
