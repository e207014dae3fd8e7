"""Reductions: many to one. A kernel text joins the accumulator ``{0}`` with the element ``{1}``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.types import Array
from . import samples
from .define import REDUCTION, Fold, Gradient, OpDef, Text, define
from .derivatives import INTEGERS, TRUTH

_MAX = {"f": "maximum({0}, {1})", "biu": "{1} if {1} > {0} else {0}"}
_MIN = {"f": "minimum({0}, {1})", "biu": "{1} if {1} < {0} else {0}"}


def _zero(dtype: np.dtype) -> Any:
    return 0


def _one(dtype: np.dtype) -> Any:
    return 1


def _highest(dtype: np.dtype) -> Any:
    return True if dtype.kind == "b" else np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def _lowest(dtype: np.dtype) -> Any:
    return False if dtype.kind == "b" else -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _reduction(
    function: Callable,
    doc: str,
    scalar: Text,
    fold: Fold,
    tests: tuple[samples.Samples, ...] = samples.REALS,
    lowers: tuple[Callable, ...] = (),
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
        effect=("reads", "raises") if fold.empty else ("reads",),
        gradient=gradient,
        samples=tests,
        raises_if=_may_be_empty,
        fold=fold,
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
    _reduction(
        np.sum,
        "Sum in NumPy's order.",
        {"iufc": "{0} + {1}"},
        Fold(_zero, widens=True, in_pairs=True, variable="total"),
        samples.ANY,
        gradient=_sum,
    ),
    _reduction(
        np.prod,
        "Product in NumPy's order.",
        {"iufc": "{0} * {1}"},
        Fold(_one, widens=True, variable="product"),
        samples.ANY,
        gradient=_prod,
    ),
    _reduction(
        np.min,
        "Smallest element; NaN if there is one; ValueError if empty.",
        _MIN,
        Fold(
            _highest,
            unordered="smaller",
            empty="zero-size array to reduction operation minimum which has no identity",
            variable="low",
        ),
        imports=(("vecmath", "minimum"),),
        gradient=_extreme,
    ),
    _reduction(
        np.max,
        "Largest element; NaN if there is one; ValueError if empty.",
        _MAX,
        Fold(
            _lowest,
            unordered="larger",
            empty="zero-size array to reduction operation maximum which has no identity",
            variable="high",
        ),
        imports=(("vecmath", "maximum"),),
        gradient=_extreme,
    ),
    _reduction(
        np.any,
        "An element is true.",
        {"b": "{0} | {1}"},
        Fold(_zero, np.dtype(bool), of_truth=True),
        samples.ANY,
        gradient=TRUTH,
    ),
    _reduction(
        np.all,
        "Every element is true.",
        {"b": "{0} & {1}"},
        Fold(_one, np.dtype(bool), of_truth=True),
        samples.ANY,
        gradient=TRUTH,
    ),
    _reduction(
        np.argmin,
        "Index of the first smallest element.",
        {"biuf": "{0} < {1}"},
        Fold(_highest, finds_place=True, empty="attempt to get argmin of an empty sequence"),
        gradient=INTEGERS,
    ),
    _reduction(
        np.argmax,
        "Index of the first largest element.",
        {"biuf": "{0} > {1}"},
        Fold(_lowest, finds_place=True, empty="attempt to get argmax of an empty sequence"),
        gradient=INTEGERS,
    ),
    _reduction(
        np.count_nonzero,
        "Number of elements that are not zero.",
        {"biufc": "{0} + {1}"},
        Fold(_zero, np.dtype(np.int64), of_truth=True, variable="count"),
        samples.ANY,
        gradient=INTEGERS,
    ),
)
