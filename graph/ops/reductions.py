"""Reductions: many to one. A kernel text joins the accumulator ``{0}`` with the element ``{1}``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.types import Array
from . import samples
from .define import REDUCTION, STRUCTURAL, Gradient, OpDef, Text, define
from .derivatives import INTEGERS, TRUTH

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
    gradient: Gradient = None,
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
        gradient=gradient,
        samples=tests,
        raises_if=_may_be_empty,
    )


def _may_be_empty(node: Any) -> bool:
    source = node.operands[0].type
    if not isinstance(source, Array):
        return False
    axis = node.attrs.get("axis")
    sizes = [source.shape[k] for k in (axis if axis is not None else range(source.ndim))]
    return any((low := dims.lower(size)) is None or low < 1 for size in sizes)


def _sum(pullback: Any) -> Sequence[Any]:
    """Each element has the cotangent of the sum that it is in."""
    return [pullback.words.kept(pullback.cotangents[0], pullback.attrs["axis"], pullback.attrs["keepdims"])]


def _extreme(pullback: Any) -> Sequence[Any]:
    w, axis, keepdims, (x,) = (
        pullback.words,
        pullback.attrs["axis"],
        pullback.attrs["keepdims"],
        pullback.inputs,
    )
    g, y = (w.kept(value, axis, keepdims) for value in (pullback.cotangents[0], pullback.outputs[0]))
    return [w.shared(g, x == y, axis)]


def _prod(pullback: Any) -> Sequence[Any]:
    """One axis after the other, and without quotients, which zeros spoil."""
    w, axis, (x,) = pullback.words, pullback.attrs["axis"], pullback.inputs
    g = w.kept(pullback.cotangents[0], axis, pullback.attrs["keepdims"])
    return [w.product_of_others(g, x, axis)]


RECORDS: tuple[OpDef, ...] = (
    _reduction(np.sum, "Sum in NumPy's order.", {"iufc": "{0} + {1}"}, samples.ANY, gradient=_sum),
    _reduction(np.prod, "Product in NumPy's order.", {"iufc": "{0} * {1}"}, samples.ANY, gradient=_prod),
    _reduction(
        np.min,
        "Smallest element; NaN if there is one; ValueError if empty.",
        _MIN,
        raises=True,
        imports=(("vecmath", "minimum"),),
        gradient=_extreme,
    ),
    _reduction(
        np.max,
        "Largest element; NaN if there is one; ValueError if empty.",
        _MAX,
        raises=True,
        imports=(("vecmath", "maximum"),),
        gradient=_extreme,
    ),
    _reduction(np.any, "An element is true.", {"b": "{0} | {1}"}, samples.ANY, gradient=TRUTH),
    _reduction(np.all, "Every element is true.", {"b": "{0} & {1}"}, samples.ANY, gradient=TRUTH),
    _reduction(
        np.argmin,
        "Index of the first smallest element.",
        {"biuf": STRUCTURAL},
        raises=True,
        gradient=INTEGERS,
    ),
    _reduction(
        np.argmax, "Index of the first largest element.", {"biuf": STRUCTURAL}, raises=True, gradient=INTEGERS
    ),
    _reduction(
        np.count_nonzero,
        "Number of elements that are not zero.",
        {"biufc": STRUCTURAL},
        samples.ANY,
        gradient=INTEGERS,
    ),
)
