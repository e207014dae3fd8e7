"""Elementwise exponentials, logarithms and roots."""

from __future__ import annotations

import math

import numpy as np

from . import samples
from .define import ELEMENTWISE, OpDef, define, ufunc
from .derivatives import Derivative, each
from .from_c import in_c, is_in_c

_LN_2, _LN_10 = math.log(2), math.log(10)


def _vector_math(function: np.ufunc, doc: str, low: float, high: float, derivative: Derivative) -> OpDef:
    """A function that `codegen/vecmath` has under NumPy's name; of complex numbers it is the C library's."""
    name = function.__name__
    of_complex, from_c = in_c(name)
    return ufunc(
        function,
        doc,
        scalar={"f": f"{name}({{0}})", **of_complex},
        imports=(("vecmath", name), *from_c),
        known=is_in_c(name),
        gradient=each(derivative),
        samples=(*samples.floats(low, high), samples.Samples("c", -20, 20)),
        expensive=function is not np.sqrt,
        gpu=name,
    )


def _of_two(function: np.ufunc, doc: str, power: np.ufunc) -> OpDef:
    """The logarithm of a sum of two powers."""
    return ufunc(
        function,
        doc,
        scalar={"f": f"{function.__name__}({{0}}, {{1}})"},
        imports=(("vecmath", function.__name__),),
        gradient=each(
            lambda w, g, y, a: g * power(w.beyond(a, y)), lambda w, g, y, b: g * power(w.beyond(b, y))
        ),
        samples=samples.floats(-700, 700),
        expensive=True,
    )


RECORDS: tuple[OpDef, ...] = (
    _vector_math(np.exp, "e to the power of each element.", -700, 700, lambda w, g, y: g * w.conj(y)),
    _vector_math(
        np.exp2, "2 to the power of each element.", -1000, 1000, lambda w, g, y: g * (_LN_2 * w.conj(y))
    ),
    _vector_math(np.expm1, "exp(x) - 1, exact near 0.", -30, 700, lambda w, g, y: g * w.conj(y + 1)),
    _vector_math(np.log, "Natural logarithm.", 0, 1000, lambda w, g, x: g / w.conj(x)),
    _vector_math(np.log2, "Logarithm to base 2.", 0, 1000, lambda w, g, x: g / (_LN_2 * w.conj(x))),
    _vector_math(np.log10, "Logarithm to base 10.", 0, 1000, lambda w, g, x: g / (_LN_10 * w.conj(x))),
    _vector_math(np.log1p, "log(1 + x), exact near 0.", -1, 1000, lambda w, g, x: g / w.conj(x + 1)),
    _vector_math(np.sqrt, "Square root.", 0, 1000, lambda w, g, y: g * 0.5 / w.conj(y)),
    define(
        "root",
        ELEMENTWISE,
        "Square root of a sum of squares: where that is 0, so is the derivative.",
        evaluate=np.sqrt,
        scalar={"f": "sqrt({0})"},
        imports=(("vecmath", "sqrt"),),
        gradient=each(lambda w, g, y: g * 0.5 / w.where_zero(y, math.inf)),
        samples=samples.floats(0, 1000),
        gpu="sqrt",
        written="np.sqrt({0})",
    ),
    ufunc(np.cbrt, "Cube root.", gradient=each(lambda g, y: g / (3 * np.square(y))), expensive=True),
    _of_two(np.logaddexp, "log(exp(x) + exp(y)).", np.exp),
    _of_two(np.logaddexp2, "log2(2**x + 2**y).", np.exp2),
)
