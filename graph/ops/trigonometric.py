"""Elementwise trigonometric and hyperbolic functions, and angles."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from . import samples
from .define import ELEMENTWISE, OpDef, define


def _vector_math(function: Callable, doc: str, low: float, high: float, operands: str = "{0}") -> OpDef:
    """A function of real operands that `codegen/vecmath.py` has under NumPy's name."""
    name = function.__name__
    return define(
        name,
        ELEMENTWISE,
        doc,
        lowers=(function,),
        evaluate=function,
        scalar={"f": f"{name}({operands})"},
        imports=(("vecmath", name),),
        samples=samples.floats(low, high),
    )


def _uncompiled(function: Callable, doc: str) -> OpDef:
    return define(function.__name__, ELEMENTWISE, doc, lowers=(function,), evaluate=function)


def _angle(function: Callable, doc: str, factor: str) -> OpDef:
    """A product with a constant, which NumPy computes and holds in the loop's own precision."""
    single = re.sub(r"np\.pi|180\.0", lambda number: f"np.float32({number[0]})", f"({factor})")
    return define(
        function.__name__,
        ELEMENTWISE,
        doc,
        lowers=(function,),
        evaluate=function,
        scalar={"float32": f"{{0}} * {single}", "float64": f"{{0}} * ({factor})"},
        samples=samples.floats(-720, 720),
    )


RECORDS: tuple[OpDef, ...] = (
    _vector_math(np.sin, "Sine.", -100, 100),
    _vector_math(np.cos, "Cosine.", -100, 100),
    _vector_math(np.tan, "Tangent.", -100, 100),
    _vector_math(np.arctan, "Inverse tangent.", -100, 100),
    _vector_math(np.arctan2, "Angle of the point (second, first operand).", -100, 100, "{0}, {1}"),
    _vector_math(np.hypot, "Length of the vector of the two operands.", -100, 100, "{0}, {1}"),
    _vector_math(np.sinh, "Hyperbolic sine.", -700, 700),
    _vector_math(np.cosh, "Hyperbolic cosine.", -700, 700),
    _vector_math(np.tanh, "Hyperbolic tangent.", -30, 30),
    _uncompiled(np.arcsin, "Inverse sine."),
    _uncompiled(np.arccos, "Inverse cosine."),
    _uncompiled(np.arcsinh, "Inverse hyperbolic sine."),
    _uncompiled(np.arccosh, "Inverse hyperbolic cosine."),
    _uncompiled(np.arctanh, "Inverse hyperbolic tangent."),
    _angle(np.deg2rad, "Degrees as radians.", "np.pi / 180.0"),
    _angle(np.radians, "Degrees as radians.", "np.pi / 180.0"),
    _angle(np.rad2deg, "Radians as degrees.", "180.0 / np.pi"),
    _angle(np.degrees, "Radians as degrees.", "180.0 / np.pi"),
)
