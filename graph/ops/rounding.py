"""Elementwise rounding and the parts of floating-point numbers."""

from __future__ import annotations

import numpy as np

from . import samples
from .define import OpDef, ufunc
from .derivatives import STEPS, each


def _rounding(function: np.ufunc, doc: str) -> OpDef:
    """A function that is the identity on integers; Numba knows ``np.floor`` and its like as intrinsics."""
    name = function.__name__
    return ufunc(
        function, doc, scalar={"f": f"np.{name}({{0}})", "biu": "{0}"}, gradient=STEPS, samples=samples.REALS
    )


RECORDS: tuple[OpDef, ...] = (
    _rounding(np.floor, "Largest integer not above."),
    _rounding(np.ceil, "Smallest integer not below."),
    _rounding(np.trunc, "Integer part."),
    ufunc(
        np.rint,
        "Nearest integer; halves go to the even one.",
        scalar={"f": "np.rint({0})"},
        gradient=STEPS,
        samples=samples.floats(-10, 10),
    ),
    ufunc(
        np.copysign,
        "Magnitude of the first operand with the sign of the second.",
        scalar={"f": "copysign({0}, {1})"},
        imports=(("math", "copysign"),),
        gpu="copysign",
        gradient=each(lambda g, a, b: g * (np.sign(a) * np.copysign(1.0, b)), None),
        samples=samples.floats(-100, 100),
    ),
    ufunc(
        np.heaviside,
        "0 below zero, 1 above, the second operand at zero.",
        scalar={"f": "({0} if {0} != {0} else {1} if {0} == 0 else 1.0 if {0} > 0 else 0.0)"},
        gradient=each(None, lambda w, g, a: w.choose(a == 0, g, 0.0)),
        samples=samples.floats(-100, 100),
    ),
    ufunc(
        np.nextafter,
        "Next number after the first operand towards the second.",
        gradient=each(lambda g: g, None),
    ),
    ufunc(np.spacing, "Distance to the next number.", gradient=STEPS),
    ufunc(
        np.ldexp,
        "First operand times two to the power of the second.",
        gradient=each(lambda g, b: np.ldexp(g, b), None),
    ),
)
