"""Elementwise rounding and the parts of floating-point numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import samples
from .define import ELEMENTWISE, Gradient, OpDef, define
from .derivatives import STEPS, each


def _rounding(function: Callable, doc: str) -> OpDef:
    """A function that is the identity on integers; Numba knows ``np.floor`` and its like as intrinsics."""
    name = function.__name__
    return define(
        name,
        ELEMENTWISE,
        doc,
        lowers=(function,),
        evaluate=function,
        scalar={"f": f"np.{name}({{0}})", "biu": "{0}"},
        gradient=STEPS,
        samples=samples.REALS,
    )


def _uncompiled(function: Callable, doc: str, gradient: Gradient) -> OpDef:
    return define(
        function.__name__, ELEMENTWISE, doc, lowers=(function,), evaluate=function, gradient=gradient
    )


RECORDS: tuple[OpDef, ...] = (
    _rounding(np.floor, "Largest integer not above."),
    _rounding(np.ceil, "Smallest integer not below."),
    _rounding(np.trunc, "Integer part."),
    define(
        "rint",
        ELEMENTWISE,
        "Nearest integer; halves go to the even one.",
        lowers=(np.rint,),
        evaluate=np.rint,
        scalar={"f": "np.rint({0})"},
        gradient=STEPS,
        samples=samples.floats(-10, 10),
    ),
    define(
        "copysign",
        ELEMENTWISE,
        "Magnitude of the first operand with the sign of the second.",
        lowers=(np.copysign,),
        evaluate=np.copysign,
        scalar={"f": "copysign({0}, {1})"},
        imports=(("math", "copysign"),),
        gpu="copysign",
        gradient=each(lambda g, a, b: g * (np.sign(a) * np.copysign(1.0, b)), None),
        samples=samples.floats(-100, 100),
    ),
    define(
        "heaviside",
        ELEMENTWISE,
        "0 below zero, 1 above, the second operand at zero.",
        lowers=(np.heaviside,),
        evaluate=np.heaviside,
        scalar={"f": "({0} if {0} != {0} else {1} if {0} == 0 else 1.0 if {0} > 0 else 0.0)"},
        gradient=each(None, lambda w, g, a: w.choose(a == 0, g, 0.0)),
        samples=samples.floats(-100, 100),
    ),
    _uncompiled(
        np.nextafter,
        "Next number after the first operand towards the second.",
        each(lambda g: g, None),
    ),
    _uncompiled(np.spacing, "Distance to the next number.", STEPS),
    _uncompiled(
        np.ldexp,
        "First operand times two to the power of the second.",
        each(lambda g, b: np.ldexp(g, b), None),
    ),
)
