"""Elementwise arithmetic: NumPy's ufuncs from ``add`` to ``reciprocal``, ``where``, ``clip`` and casts."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import samples
from .define import ELEMENTWISE, OpDef, define
from .derivatives import CLIP, INTEGERS, POWER, SIGN, STEPS, each


def _cast(x: Any, dtype: Any) -> Any:
    return np.asarray(x).astype(dtype)[()]


def _is_of_ints(node: Any) -> bool:
    """Ints have no negative powers, which is a ValueError."""
    loop = node.attrs.get("loop", ())
    return bool(loop) and "int" in loop[0]


def _real(x: Any) -> Any:
    return np.asarray(x).real.copy()[()]


def _imag(x: Any) -> Any:
    return np.asarray(x).imag.copy()[()]


# The comparison with itself lets NaN through, as in NumPy.
_ABOVE = "({0} if ({0} > {1}) | ({0} != {0}) else {1})"
_CLIP = "(LOW if (LOW < {2}) | (LOW != LOW) else {2})".replace("LOW", _ABOVE)

RECORDS: tuple[OpDef, ...] = (
    define(
        "add",
        ELEMENTWISE,
        "Sum; the logical or of booleans.",
        lowers=(np.add,),
        evaluate=np.add,
        scalar={"b": "{0} | {1}", "iufc": "{0} + {1}"},
        written="{0} + {1}",
        gradient=each(lambda g: g, lambda g: g),
        samples=samples.ANY,
    ),
    define(
        "subtract",
        ELEMENTWISE,
        "Difference.",
        lowers=(np.subtract,),
        evaluate=np.subtract,
        scalar={"iufc": "{0} - {1}"},
        written="{0} - {1}",
        gradient=each(lambda g: g, lambda g: -g),
        samples=samples.NUMBERS,
    ),
    define(
        "multiply",
        ELEMENTWISE,
        "Product; the logical and of booleans.",
        lowers=(np.multiply,),
        evaluate=np.multiply,
        scalar={"b": "{0} & {1}", "iufc": "{0} * {1}"},
        written="{0} * {1}",
        gradient=each(lambda w, g, b: g * w.conj(b), lambda w, g, a: g * w.conj(a)),
        samples=samples.ANY,
    ),
    define(
        "divide",
        ELEMENTWISE,
        "True quotient.",
        lowers=(np.divide,),
        evaluate=np.divide,
        scalar={"f": "{0} / {1}"},
        written="{0} / {1}",
        gradient=each(lambda w, g, b: g / w.conj(b), lambda w, g, y, b: -(g * w.conj(y / b))),
        samples=samples.NUMBERS,
    ),
    define(
        "floor_divide",
        ELEMENTWISE,
        "Largest integer not above the quotient; integers divided by zero give 0.",
        lowers=(np.floor_divide,),
        evaluate=np.floor_divide,
        scalar={"iuf": "np_floordiv({0}, {1})"},
        imports=(("npmath", "np_floordiv"),),
        written="{0} // {1}",
        gradient=STEPS,
        samples=samples.REALS,
    ),
    define(
        "remainder",
        ELEMENTWISE,
        "Remainder with the sign of the divisor; integers modulo zero give 0.",
        lowers=(np.remainder,),
        evaluate=np.remainder,
        scalar={"iuf": "np_mod({0}, {1})"},
        imports=(("npmath", "np_mod"),),
        written="{0} % {1}",
        gradient=each(lambda g: g, lambda g, y, a, b: -(g * np.rint((a - y) / b))),
        samples=samples.REALS,
    ),
    define(
        "fmod",
        ELEMENTWISE,
        "Remainder with the sign of the dividend; integers modulo zero give 0.",
        lowers=(np.fmod,),
        evaluate=np.fmod,
        scalar={"iuf": "np_fmod({0}, {1})"},
        imports=(("npmath", "np_fmod"),),
        gradient=each(lambda g: g, lambda g, y, a, b: -(g * np.rint((a - y) / b))),
        samples=samples.REALS,
    ),
    define(
        "power",
        ELEMENTWISE,
        "First operand raised to the second; ValueError for negative integer exponents of integers.",
        lowers=(np.power,),
        evaluate=np.power,
        scalar={"f": "power({0}, {1})", "iu": "np_power_int({0}, {1})"},
        imports=(("vecmath", "power"), ("npmath", "np_power_int")),
        effect=("raises",),
        written="{0} ** {1}",
        gradient=POWER,
        raises_if=_is_of_ints,
        expensive=True,
        gpu="pow",
        samples=(samples.Samples("f", 0, 20), samples.Samples("iu", 0, 9, special=False)),
    ),
    define(
        "float_power",
        ELEMENTWISE,
        "Power in float64 or complex128 at least.",
        lowers=(np.float_power,),
        evaluate=np.float_power,
        scalar={"f": "power({0}, {1})"},
        imports=(("vecmath", "power"),),
        gradient=POWER,
        expensive=True,
        samples=samples.floats(0, 20),
    ),
    define(
        "negative",
        ELEMENTWISE,
        "Operand with the other sign.",
        lowers=(np.negative,),
        evaluate=np.negative,
        scalar={"iufc": "-{0}"},
        written="-{0}",
        gradient=each(lambda g: -g),
        samples=samples.NUMBERS,
    ),
    define(
        "positive",
        ELEMENTWISE,
        "Operand itself.",
        lowers=(np.positive,),
        evaluate=np.positive,
        scalar={"iufc": "{0}"},
        written="+{0}",
        gradient=each(lambda g: g),
        samples=samples.NUMBERS,
    ),
    define(
        "absolute",
        ELEMENTWISE,
        "Magnitude; the smallest signed integer is its own.",
        lowers=(np.absolute,),
        evaluate=np.absolute,
        scalar={"bu": "{0}", "if": "abs({0})"},  # complex: NumPy's loop has bits of its own
        gradient=each(lambda g, x: g * np.sign(x)),
        samples=samples.ANY,
    ),
    define(
        "fabs",
        ELEMENTWISE,
        "Magnitude in floating point.",
        lowers=(np.fabs,),
        evaluate=np.fabs,
        scalar={"f": "abs({0})"},
        gradient=each(lambda g, x: g * np.sign(x)),
        samples=samples.floats(-100, 100),
    ),
    define(
        "sign",
        ELEMENTWISE,
        "−1, 0 or 1; NaN for NaN, and 0.0 for −0.0.",
        lowers=(np.sign,),
        evaluate=np.sign,
        scalar={
            "f": "({0} if {0} != {0} else ({0} > 0) - ({0} < 0))",
            "i": "({0} > 0) - ({0} < 0)",
            "u": "{0} != 0",
        },
        gradient=SIGN,
        samples=(samples.Samples("iuf", -100, 100),),
    ),
    define(
        "square",
        ELEMENTWISE,
        "Operand times itself.",
        lowers=(np.square,),
        evaluate=np.square,
        scalar={"iufc": "{0} * {0}"},
        gradient=each(lambda w, g, x: g * (2 * w.conj(x))),
        samples=samples.NUMBERS,
    ),
    define(
        "reciprocal",
        ELEMENTWISE,
        "One divided by the operand.",
        lowers=(np.reciprocal,),
        evaluate=np.reciprocal,
        # Quotients of float32 rounded twice, in float64 first, are correctly rounded; this is only faster.
        scalar={"float32": "np.float32(1.0) / {0}", "float64": "1.0 / {0}"},
        gradient=each(lambda w, g, y: -(g * w.conj(np.square(y)))),
        samples=samples.floats(-100, 100),
    ),
    define(
        "maximum",
        ELEMENTWISE,
        "Larger operand; NaN if either is NaN.",
        lowers=(np.maximum,),
        evaluate=np.maximum,
        scalar={
            "f": "maximum({0}, {1})",
            "biu": "({0} if {0} >= {1} else {1})",
        },
        imports=(("vecmath", "maximum"),),
        gradient=each(
            lambda w, g, a, b: w.toward(g, a > b, a == b), lambda w, g, a, b: w.toward(g, b > a, a == b)
        ),
        samples=samples.REALS,
    ),
    define(
        "minimum",
        ELEMENTWISE,
        "Smaller operand; NaN if either is NaN.",
        lowers=(np.minimum,),
        evaluate=np.minimum,
        scalar={
            "f": "minimum({0}, {1})",
            "biu": "({0} if {0} <= {1} else {1})",
        },
        imports=(("vecmath", "minimum"),),
        gradient=each(
            lambda w, g, a, b: w.toward(g, a < b, a == b), lambda w, g, a, b: w.toward(g, b < a, a == b)
        ),
        samples=samples.REALS,
    ),
    define(
        "fmax",
        ELEMENTWISE,
        "Larger operand; NaN only if both are NaN.",
        lowers=(np.fmax,),
        evaluate=np.fmax,
        scalar={
            "f": "fmax({0}, {1})",
            "biu": "({0} if {0} >= {1} else {1})",
        },
        imports=(("vecmath", "fmax"),),
        gradient=each(
            lambda w, g, a, b: w.choose((a > b) | (b != b), g, 0.0),
            lambda w, g, a, b: w.choose((a > b) | (b != b), 0.0, g),
        ),
        samples=samples.REALS,
    ),
    define(
        "fmin",
        ELEMENTWISE,
        "Smaller operand; NaN only if both are NaN.",
        lowers=(np.fmin,),
        evaluate=np.fmin,
        scalar={
            "f": "fmin({0}, {1})",
            "biu": "({0} if {0} <= {1} else {1})",
        },
        imports=(("vecmath", "fmin"),),
        gradient=each(
            lambda w, g, a, b: w.choose((a < b) | (b != b), g, 0.0),
            lambda w, g, a, b: w.choose((a < b) | (b != b), 0.0, g),
        ),
        samples=samples.REALS,
    ),
    define(
        "gcd",
        ELEMENTWISE,
        "Greatest common divisor.",
        lowers=(np.gcd,),
        evaluate=np.gcd,
        gradient=INTEGERS,
    ),
    define(
        "lcm",
        ELEMENTWISE,
        "Lowest common multiple.",
        lowers=(np.lcm,),
        evaluate=np.lcm,
        gradient=INTEGERS,
    ),
    define(
        "conjugate",
        ELEMENTWISE,
        "Complex conjugate.",
        lowers=(np.conjugate,),
        evaluate=np.conjugate,
        scalar={"iuf": "{0}", "c": "{0}.conjugate()"},
        gradient=each(lambda w, g: w.conj(g)),
        samples=samples.NUMBERS,
    ),
    define(
        "real",
        ELEMENTWISE,
        "Real part, as a number of its own.",
        evaluate=_real,
        scalar={"iuf": "{0}", "c": "{0}.real"},
        gradient=each(lambda g: g),
        samples=samples.NUMBERS,
    ),
    define(
        "imag",
        ELEMENTWISE,
        "Imaginary part, as a number of its own.",
        evaluate=_imag,
        scalar={"c": "{0}.imag"},
        gradient=each(lambda g: g * 1j),
        samples=samples.NUMBERS,
    ),
    define(
        "where",
        ELEMENTWISE,
        "Second operand where the first is true, else the third.",
        lowers=(np.where,),
        evaluate=np.where,
        scalar="({1} if {0} else {2})",
        gradient=each(None, lambda w, g, a: w.choose(a, g, 0.0), lambda w, g, a: w.choose(a, 0.0, g)),
        operands=(3, 3),
        samples=samples.ANY,
    ),
    define(
        "clip",
        ELEMENTWISE,
        "Operand held between the second and the third; NaN comes through.",
        lowers=(np.clip,),
        evaluate=np.clip,
        scalar={"biuf": _CLIP},
        gradient=CLIP,
        operands=(3, 3),
        samples=samples.REALS,
    ),
    define(
        "cast",
        ELEMENTWISE,
        "Operand in the result's dtype.",
        evaluate=_cast,
        scalar="{0}",
        gradient=each(lambda g: g),
        operands=(1, 1),
        samples=samples.ANY,
    ),
)
