"""Elementwise arithmetic: NumPy's ufuncs from ``add`` to ``reciprocal``, ``where``, ``clip`` and casts."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..ir import complex_loops
from ..ir.complex_loops import is_known
from . import samples
from .define import ELEMENTWISE, OpDef, define, ufunc
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

_COMPLEX = "complexmath"
_PRODUCT = each(lambda w, g, b: g * w.conj(b), lambda w, g, a: g * w.conj(a))
_MAGNITUDE = each(lambda g, x: g * np.sign(x))

RECORDS: tuple[OpDef, ...] = (
    ufunc(
        np.add,
        "Sum; the logical or of booleans.",
        scalar={"b": "{0} | {1}", "iufc": "{0} + {1}"},
        written="{0} + {1}",
        gradient=each(lambda g: g, lambda g: g),
        samples=samples.ANY,
    ),
    ufunc(
        np.subtract,
        "Difference.",
        scalar={"iufc": "{0} - {1}"},
        written="{0} - {1}",
        gradient=each(lambda g: g, lambda g: -g),
        samples=samples.NUMBERS,
    ),
    ufunc(
        np.multiply,
        "Product; the logical and of booleans.",
        scalar={"b": "{0} & {1}", "iuf": "{0} * {1}", "c": "complex_multiply({0}, {1})"},
        imports=((_COMPLEX, "complex_multiply"),),
        known=is_known(complex_loops.product),
        backwards=("complex64",),
        written="{0} * {1}",
        gradient=_PRODUCT,
        samples=samples.ANY,
    ),
    ufunc(
        np.divide,
        "True quotient.",
        scalar={"f": "{0} / {1}", "c": "complex_divide({0}, {1})"},
        imports=((_COMPLEX, "complex_divide"),),
        known=is_known(complex_loops.quotient),
        written="{0} / {1}",
        gradient=each(lambda w, g, b: g / w.conj(b), lambda w, g, y, b: -(g * w.conj(y / b))),
        samples=samples.NUMBERS,
    ),
    ufunc(
        np.floor_divide,
        "Largest integer not above the quotient; integers divided by zero give 0.",
        scalar={"iuf": "np_floordiv({0}, {1})"},
        imports=(("npmath", "np_floordiv"),),
        written="{0} // {1}",
        gradient=STEPS,
        samples=samples.REALS,
    ),
    ufunc(
        np.remainder,
        "Remainder with the sign of the divisor; integers modulo zero give 0.",
        scalar={"iuf": "np_mod({0}, {1})"},
        imports=(("npmath", "np_mod"),),
        written="{0} % {1}",
        gradient=each(lambda g: g, lambda g, y, a, b: -(g * np.rint((a - y) / b))),
        samples=samples.REALS,
    ),
    ufunc(
        np.fmod,
        "Remainder with the sign of the dividend; integers modulo zero give 0.",
        scalar={"iuf": "np_fmod({0}, {1})"},
        imports=(("npmath", "np_fmod"),),
        gradient=each(lambda g: g, lambda g, y, a, b: -(g * np.rint((a - y) / b))),
        samples=samples.REALS,
    ),
    ufunc(
        np.power,
        "First operand raised to the second; ValueError for negative integer exponents of integers.",
        scalar={"f": "power({0}, {1})", "iu": "np_power_int({0}, {1})", "c": "complex_power({0}, {1})"},
        safe={"iu": "np_power_checked({0}, {1})"},
        imports=(
            ("vecmath", "power"),
            ("npmath", "np_power_int"),
            ("npmath", "np_power_checked"),
            (_COMPLEX, "complex_power"),
        ),
        known=is_known(complex_loops.power),
        effect=("raises",),
        written="{0} ** {1}",
        gradient=POWER,
        raises_if=_is_of_ints,
        not_negative=(1, "Integers to negative integer powers are not allowed."),
        expensive=True,
        gpu="pow",
        samples=(
            samples.Samples("f", 0, 20),
            samples.Samples("iu", 0, 9, special=False),
            samples.Samples("c", -9, 9),
        ),
    ),
    ufunc(
        np.float_power,
        "Power in float64 or complex128 at least.",
        scalar={"f": "power({0}, {1})"},
        imports=(("vecmath", "power"),),
        gradient=POWER,
        expensive=True,
        samples=samples.floats(0, 20),
    ),
    ufunc(
        np.negative,
        "Operand with the other sign.",
        scalar={"iufc": "-{0}"},
        written="-{0}",
        gradient=each(lambda g: -g),
        samples=samples.NUMBERS,
    ),
    ufunc(
        np.positive,
        "Operand itself.",
        scalar={"iufc": "{0}"},
        written="+{0}",
        gradient=each(lambda g: g),
        samples=samples.NUMBERS,
    ),
    ufunc(
        np.absolute,
        "Magnitude; the smallest signed integer is its own.",
        scalar={"bu": "{0}", "if": "abs({0})", "c": "complex_absolute({0})"},
        imports=((_COMPLEX, "complex_absolute"),),
        known=is_known(complex_loops.magnitude),
        backwards=complex_loops.DTYPES,
        gradient=_MAGNITUDE,
        samples=samples.ANY,
    ),
    ufunc(
        np.fabs,
        "Magnitude in floating point.",
        scalar={"f": "abs({0})"},
        gradient=each(lambda g, x: g * np.sign(x)),
        samples=samples.floats(-100, 100),
    ),
    ufunc(
        np.sign,
        "−1, 0 or 1; NaN for NaN, and 0.0 for −0.0.",
        scalar={
            "f": "({0} if {0} != {0} else ({0} > 0) - ({0} < 0))",
            "i": "({0} > 0) - ({0} < 0)",
            "u": "{0} != 0",
        },
        gradient=SIGN,
        samples=(samples.Samples("iuf", -100, 100),),
    ),
    ufunc(
        np.square,
        "Operand times itself.",
        scalar={"iuf": "{0} * {0}", "c": "complex_square({0})"},
        imports=((_COMPLEX, "complex_square"),),
        known=is_known(complex_loops.product),
        backwards=("complex64",),
        gradient=each(lambda w, g, x: g * (2 * w.conj(x))),
        samples=samples.NUMBERS,
    ),
    ufunc(
        np.reciprocal,
        "One divided by the operand.",
        # Quotients of float32 rounded twice, in float64 first, are correctly rounded; this is only faster.
        scalar={"float32": "np.float32(1.0) / {0}", "float64": "1.0 / {0}", "c": "complex_reciprocal({0})"},
        imports=((_COMPLEX, "complex_reciprocal"),),
        known=is_known(complex_loops.inverse),
        gradient=each(lambda w, g, y: -(g * w.conj(np.square(y)))),
        samples=(samples.Samples("fc", -100, 100),),
    ),
    ufunc(
        np.maximum,
        "Larger operand; NaN if either is NaN.",
        scalar={"f": "maximum({0}, {1})", "biu": "({0} if {0} >= {1} else {1})"},
        imports=(("vecmath", "maximum"),),
        gradient=each(
            lambda w, g, a, b: w.toward(g, a > b, a == b), lambda w, g, a, b: w.toward(g, b > a, a == b)
        ),
        samples=samples.REALS,
    ),
    ufunc(
        np.minimum,
        "Smaller operand; NaN if either is NaN.",
        scalar={"f": "minimum({0}, {1})", "biu": "({0} if {0} <= {1} else {1})"},
        imports=(("vecmath", "minimum"),),
        gradient=each(
            lambda w, g, a, b: w.toward(g, a < b, a == b), lambda w, g, a, b: w.toward(g, b < a, a == b)
        ),
        samples=samples.REALS,
    ),
    ufunc(
        np.fmax,
        "Larger operand; NaN only if both are NaN.",
        scalar={"f": "fmax({0}, {1})", "biu": "({0} if {0} >= {1} else {1})"},
        imports=(("vecmath", "fmax"),),
        gradient=each(
            lambda w, g, a, b: w.choose((a > b) | (b != b), g, 0.0),
            lambda w, g, a, b: w.choose((a > b) | (b != b), 0.0, g),
        ),
        samples=samples.REALS,
    ),
    ufunc(
        np.fmin,
        "Smaller operand; NaN only if both are NaN.",
        scalar={"f": "fmin({0}, {1})", "biu": "({0} if {0} <= {1} else {1})"},
        imports=(("vecmath", "fmin"),),
        gradient=each(
            lambda w, g, a, b: w.choose((a < b) | (b != b), g, 0.0),
            lambda w, g, a, b: w.choose((a < b) | (b != b), 0.0, g),
        ),
        samples=samples.REALS,
    ),
    ufunc(np.gcd, "Greatest common divisor.", gradient=INTEGERS),
    ufunc(np.lcm, "Lowest common multiple.", gradient=INTEGERS),
    ufunc(
        np.conjugate,
        "Complex conjugate.",
        scalar={"iuf": "{0}", "c": "{0}.conjugate()"},
        gradient=each(lambda w, g: w.conj(g)),
        samples=samples.NUMBERS,
    ),
    # What NumPy's complex numbers do themselves, which is not what its loops over arrays do.
    define(
        "number.multiply",
        ELEMENTWISE,
        "Product of two numbers, each part of it rounded three times.",
        evaluate=operator.mul,
        scalar={"c": "{0} * {1}"},
        known=is_known(complex_loops.product),
        written="{0} * {1}",
        gradient=_PRODUCT,
        operands=(2, 2),
        samples=samples.NUMBERS,
    ),
    define(
        "number.absolute",
        ELEMENTWISE,
        "Magnitude of a number, by C's hypot.",
        evaluate=abs,
        scalar={"c": "number_absolute({0})"},
        imports=((_COMPLEX, "number_absolute"),),
        known=is_known(complex_loops.magnitude),
        written="abs({0})",
        gradient=_MAGNITUDE,
        operands=(1, 1),
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
