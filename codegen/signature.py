"""Numba's types for the arguments of a kernel, as the text of an explicit signature."""

from __future__ import annotations

from collections.abc import Iterable

from ..graph.types import Array, Scalar, Type


def signature(types: Iterable[Type]) -> str:
    """The argument types of a kernel: ``(float64[:, ::1], int64)``."""
    inner = [numba_type(type_) for type_ in types]
    return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"


def numba_type(type_: Type) -> str:
    """Numba's name of a type."""
    if isinstance(type_, Scalar):
        return _dtype(type_.dtype.name)
    assert isinstance(type_, Array)
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
