"""Products of matrices, vectors and stacks of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import samples
from .define import PRODUCT, STRUCTURAL, OpDef, define
from .derivatives import conj, each, turned


def _left(g: Any, a: Any, b: Any) -> Any:
    """The derivative of ``a @ b`` for `a`."""
    if a.ndim == b.ndim == 1:
        return g * conj(b)
    if b.ndim == 1:
        return g[..., None] * conj(b)
    if a.ndim == 1:
        return conj(b) @ g if b.ndim == 2 else (conj(b) @ g[..., None])[..., 0]
    return g @ conj(turned(b))


def _right(g: Any, a: Any, b: Any) -> Any:
    """The derivative of ``a @ b`` for `b`."""
    if a.ndim == b.ndim == 1:
        return g * conj(a)
    if a.ndim == 1:
        return conj(a)[:, None] * g[..., None, :]
    if b.ndim == 1:
        return conj(turned(a)) @ g if a.ndim == 2 else (conj(turned(a)) @ g[..., None])[..., 0]
    return conj(turned(a)) @ g


RECORDS: tuple[OpDef, ...] = (
    define(
        "matmul",
        PRODUCT,
        "Sums of products along the last axis of one and the last but one of the other.",
        lowers=(np.matmul,),
        evaluate=np.matmul,
        scalar=STRUCTURAL,
        effect=("reads", "allocates"),
        gradient=each(_left, _right),
        samples=samples.ANY,
    ),
)
