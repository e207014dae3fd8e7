"""Reductions: many to one. A kernel text joins the accumulator ``{0}`` with the element ``{1}``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import samples
from .define import REDUCTION, STRUCTURAL, OpDef, Text, define

_MAX = {"f": "maximum({0}, {1})", "biu": "({0} if {0} >= {1} else {1})"}
_MIN = {"f": "minimum({0}, {1})", "biu": "({0} if {0} <= {1} else {1})"}


def _reduction(
    function: Callable,
    doc: str,
    scalar: Text,
    tests: tuple[samples.Samples, ...] = samples.REALS,
    lowers: tuple[Callable, ...] = (),
    raises: bool = False,
    imports: tuple[tuple[str, str], ...] = (),
) -> OpDef:
    return define(
        function.__name__,
        REDUCTION,
        doc,
        lowers=lowers or (function,),
        evaluate=function,
        scalar=scalar,
        imports=imports,
        effect=("reads", "raises") if raises else ("reads",),
        samples=tests,
    )


RECORDS: tuple[OpDef, ...] = (
    _reduction(np.sum, "Sum in NumPy's order.", {"iufc": "{0} + {1}"}, samples.ANY),
    _reduction(np.prod, "Product in NumPy's order.", {"iufc": "{0} * {1}"}, samples.ANY),
    _reduction(
        np.min,
        "Smallest element; NaN if there is one; ValueError if empty.",
        _MIN,
        raises=True,
        imports=(("vecmath", "minimum"),),
    ),
    _reduction(
        np.max,
        "Largest element; NaN if there is one; ValueError if empty.",
        _MAX,
        raises=True,
        imports=(("vecmath", "maximum"),),
    ),
    _reduction(np.any, "An element is true.", {"b": "{0} | {1}"}, samples.ANY),
    _reduction(np.all, "Every element is true.", {"b": "{0} & {1}"}, samples.ANY),
    _reduction(np.argmin, "Index of the first smallest element.", {"biuf": STRUCTURAL}, raises=True),
    _reduction(np.argmax, "Index of the first largest element.", {"biuf": STRUCTURAL}, raises=True),
    _reduction(np.count_nonzero, "Number of elements that are not zero.", {"biufc": STRUCTURAL}, samples.ANY),
)
