"""Elementwise trigonometric and hyperbolic functions, and angles."""

from __future__ import annotations

import re

import numpy as np

from . import samples
from .define import Gradient, OpDef, ufunc
from .derivatives import each
from .from_c import in_c, is_in_c


def _vector_math(
    function: np.ufunc, doc: str, low: float, high: float, gradient: Gradient, operands: str = "{0}"
) -> OpDef:
    """A function that `codegen/vecmath` has under NumPy's name; of complex numbers it is the C library's."""
    name = function.__name__
    of_complex, from_c = in_c(name)
    return ufunc(
        function,
        doc,
        scalar={"f": f"{name}({operands})", **of_complex},
        imports=(("vecmath", name), *from_c),
        known=is_in_c(name),
        gradient=gradient,
        samples=(*samples.floats(low, high), samples.Samples("c", -20, 20)),
        expensive=True,
        gpu=name.replace("arc", "a"),
    )


def _angle(function: np.ufunc, doc: str, factor: str) -> OpDef:
    """A product with a constant, which NumPy computes and holds in the loop's own precision."""
    single = re.sub(r"np\.pi|180\.0", lambda number: f"np.float32({number[0]})", f"({factor})")
    return ufunc(
        function,
        doc,
        scalar={"float32": f"{{0}} * {single}", "float64": f"{{0}} * ({factor})"},
        gradient=each(lambda g: function(g)),
        samples=samples.floats(-720, 720),
    )


_ARCTAN2 = each(
    lambda g, a, b: g * (b / (np.square(a) + np.square(b))),
    lambda g, a, b: -(g * (a / (np.square(a) + np.square(b)))),
)
_HYPOT = each(
    lambda w, g, y, a: g * (a / w.where_zero(y, 1.0)), lambda w, g, y, b: g * (b / w.where_zero(y, 1.0))
)
_ARCSIN = each(lambda w, g, x: g / w.conj(np.sqrt(1 - np.square(x))))
_ARCSINH = each(lambda w, g, x: g / w.conj(np.sqrt(np.square(x) + 1)))
_ARCCOSH = each(lambda w, g, x: g / w.conj(np.sqrt(x - 1) * np.sqrt(x + 1)))

RECORDS: tuple[OpDef, ...] = (
    _vector_math(np.sin, "Sine.", -100, 100, each(lambda w, g, x: g * w.conj(np.cos(x)))),
    _vector_math(np.cos, "Cosine.", -100, 100, each(lambda w, g, x: -(g * w.conj(np.sin(x))))),
    _vector_math(np.tan, "Tangent.", -100, 100, each(lambda w, g, y: g * w.conj(1 + np.square(y)))),
    _vector_math(
        np.arctan, "Inverse tangent.", -100, 100, each(lambda w, g, x: g / w.conj(1 + np.square(x)))
    ),
    _vector_math(np.arctan2, "Angle of the point (second, first operand).", -100, 100, _ARCTAN2, "{0}, {1}"),
    _vector_math(np.hypot, "Length of the vector of the two operands.", -100, 100, _HYPOT, "{0}, {1}"),
    _vector_math(np.sinh, "Hyperbolic sine.", -700, 700, each(lambda w, g, x: g * w.conj(np.cosh(x)))),
    _vector_math(np.cosh, "Hyperbolic cosine.", -700, 700, each(lambda w, g, x: g * w.conj(np.sinh(x)))),
    _vector_math(np.tanh, "Hyperbolic tangent.", -30, 30, each(lambda w, g, y: g * w.conj(1 - np.square(y)))),
    _vector_math(np.arcsin, "Inverse sine.", -1, 1, _ARCSIN),
    _vector_math(
        np.arccos, "Inverse cosine.", -1, 1, each(lambda w, g, x: -(g / w.conj(np.sqrt(1 - np.square(x)))))
    ),
    _vector_math(np.arcsinh, "Inverse hyperbolic sine.", -1000, 1000, _ARCSINH),
    _vector_math(np.arccosh, "Inverse hyperbolic cosine.", 1, 1000, _ARCCOSH),
    _vector_math(
        np.arctanh, "Inverse hyperbolic tangent.", -1, 1, each(lambda w, g, x: g / w.conj(1 - np.square(x)))
    ),
    _angle(np.deg2rad, "Degrees as radians.", "np.pi / 180.0"),
    _angle(np.radians, "Degrees as radians.", "np.pi / 180.0"),
    _angle(np.rad2deg, "Radians as degrees.", "180.0 / np.pi"),
    _angle(np.degrees, "Radians as degrees.", "180.0 / np.pi"),
)
