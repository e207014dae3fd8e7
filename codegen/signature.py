"""Numba's types for the arguments of a kernel, as the text of an explicit signature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..graph.ir.types import Array, Object, Scalar, Type
from ..graph.ops.drawing import STREAM


def signature(types: Iterable[Type]) -> str:
    """The argument types of a kernel: ``(float64[:, ::1], int64)``."""
    inner = [numba_type(type_) for type_ in types]
    return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"


def numba_type(type_: Type) -> str:
    """Numba's name of a type."""
    if isinstance(type_, Scalar):
        return _dtype(type_.dtype.name)
    if isinstance(type_, Object):
        return STREAM
    if not type_.writeable:
        return f"Array({_dtype(type_.dtype.name)}, {type_.ndim}, '{type_.layout}', readonly=True)"
    if type_.ndim == 0:
        return f"Array({_dtype(type_.dtype.name)}, 0, 'C')"
    axes = [":"] * type_.ndim
    if type_.layout == "C":
        axes[-1] = "::1"
    elif type_.layout == "F":
        axes[0] = "::1"
    return f"{_dtype(type_.dtype.name)}[{', '.join(axes)}]"


def _dtype(name: str) -> str:
    return "boolean" if name == "bool" else name


def given_type(type_: Type, is_parameter: bool) -> Type:
    """The type of an argument: Numba calls an array C if it is both C and F, as one row or column is.

    The dispatcher looks at the parameters; what is made in the driver may be either.
    """
    if isinstance(type_, Array) and type_.layout == "F" and not is_parameter:
        return replace(type_, layout="A")
    return type_


def same_held(left: Type, right: Type) -> bool:
    """True when Numba holds values of both types alike."""
    if isinstance(left, Array) and isinstance(right, Array):
        return left.dtype == right.dtype and left.ndim == right.ndim
    return isinstance(left, Scalar) and isinstance(right, Scalar) and left.dtype == right.dtype
