"""Result types by asking NumPy: no tables of our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.types import Array, Scalar, Type

_WEAK: dict[str, type] = {"int": int, "float": float, "complex": complex}


@dataclass(frozen=True, slots=True)
class Resolution:
    """The dtypes in which an op works: one per operand, and the result's."""

    loop: tuple[np.dtype, ...]
    result: np.dtype

    @property
    def names(self) -> tuple[str, ...]:
        """The loop's dtypes by name, as in ``attrs["loop"]``."""
        return tuple(dtype.name for dtype in self.loop)


def resolve_ufunc(ufunc: np.ufunc, operands: Sequence[Type], dtype: Any = None) -> Resolution:
    """The loop that NumPy picks for a ufunc of one result on operands of these types.

    Python's int, float and complex are weak (NEP 50). `dtype` is the call's ``dtype=``. Raises what NumPy
    raises (``TypeError``, also for a cast that NumPy refuses).
    """
    if ufunc.nout != 1 or ufunc.signature is not None:
        raise ValueError(f"{ufunc.__name__} is not an elementwise ufunc of one result")
    if len(operands) != ufunc.nin:
        raise TypeError(f"{ufunc.__name__}() takes {ufunc.nin} operands, not {len(operands)}")
    given = (*(_weak_or_dtype(operand) for operand in operands), None)
    if dtype is None:
        found = ufunc.resolve_dtypes(given)
    else:
        found = ufunc.resolve_dtypes(given, signature=(None,) * ufunc.nin + (np.dtype(dtype),))
    return Resolution(tuple(found[:-1]), found[-1])


def _weak_or_dtype(type_: Type) -> Any:
    if isinstance(type_, Array):
        return type_.dtype
    if not isinstance(type_, Scalar):
        raise TypeError("an object has no dtype")
    return _WEAK.get(type_.kind, type_.dtype)


def result_dtype(operands: Sequence[Type]) -> np.dtype:
    """``np.result_type`` of operands of these types (``where``, ``concatenate``, ...)."""
    given = [_example(operand) for operand in operands]
    return np.result_type(*given)


def _example(type_: Type) -> Any:
    if isinstance(type_, Scalar) and type_.kind in _WEAK:
        return _WEAK[type_.kind](1)  # a small number: its value plays no part under NEP 50
    return _weak_or_dtype(type_)


def resolve_where(x: Type, y: Type) -> Resolution:
    """The dtypes of ``np.where(condition, x, y)``."""
    dtype = result_dtype((x, y))
    return Resolution((np.dtype(bool), dtype, dtype), dtype)


def resolve_reduction(name: str, dtype: np.dtype, wanted: Any = None) -> Resolution:
    """Accumulator and result dtypes of the reduction `name` over elements of `dtype`, or NumPy's error."""
    function = getattr(np, name)
    one = np.ones(1, dtype)
    result = function(one) if wanted is None else function(one, dtype=wanted)
    found = np.asarray(result).dtype
    if name in ("sum", "prod"):
        return Resolution((found,), found)
    if name in ("any", "all"):
        return Resolution((np.dtype(bool),), found)
    return Resolution((dtype,), found)
