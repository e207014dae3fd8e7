"""Products of matrices, vectors and stacks of matrices."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from . import samples
from .define import PRODUCT, STRUCTURAL, OpDef, define
from .derivatives import each


def _left(w: ModuleType, g: Any, a: Any, b: Any) -> Any:
    """The derivative of ``a @ b`` for `a`."""
    if a.ndim == b.ndim == 1:
        return g * w.conj(b)
    if b.ndim == 1:
        return g[..., None] * w.conj(b)
    if a.ndim == 1:
        return w.conj(b) @ g if b.ndim == 2 else (w.conj(b) @ g[..., None])[..., 0]
    return g @ w.conj(w.turned(b))


def _right(w: ModuleType, g: Any, a: Any, b: Any) -> Any:
    """The derivative of ``a @ b`` for `b`."""
    if a.ndim == b.ndim == 1:
        return g * w.conj(a)
    if a.ndim == 1:
        return w.conj(a)[:, None] * g[..., None, :]
    if b.ndim == 1:
        return w.conj(w.turned(a)) @ g if a.ndim == 2 else (w.conj(w.turned(a)) @ g[..., None])[..., 0]
    return w.conj(w.turned(a)) @ g


RECORDS: tuple[OpDef, ...] = (
    define(
        "matmul",
        PRODUCT,
        "Sums of products along the last axis of one and the last but one of the other.",
        lowers=(np.matmul,),
        evaluate=np.matmul,
        scalar=STRUCTURAL,
        effect=("reads", "allocates"),
        written="{0} @ {1}",
        gradient=each(_left, _right),
        operands=(2, 2),
        samples=samples.ANY,
    ),
)
