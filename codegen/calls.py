"""What the driver needs to know to call a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..graph.ir.nodes import Literal, Operand, Value
from ..graph.ir.types import Array, Object

if TYPE_CHECKING:
    from .target import Target


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory that the driver allocates for a kernel; `fill` is ``empty``, ``zeros`` or ``ones``."""

    name: str
    type: Array
    fill: str = "empty"
    result: Value | None = None


Argument = Value | Buffer | str
"""A value of the driver, a buffer, or the name of a size symbol."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """One compiled function: its text, how it is called, and the functions that it calls."""

    name: str
    text: tuple[str, ...]
    arguments: tuple[Argument, ...]
    returns: tuple[Value, ...]
    imports: frozenset[tuple[str, str]]
    target: Target
    helpers: tuple[tuple[str, ...], ...] = ()
    device: str = ""
    """The GPU on which it runs; empty for the CPU."""
    displaced: str = ""
    """Why it runs on the CPU though a GPU was asked for."""

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """The buffers among the arguments."""
        return tuple(argument for argument in self.arguments if isinstance(argument, Buffer))

    @property
    def generators(self) -> tuple[Value, ...]:
        """The arguments that are random number generators."""
        values = (argument for argument in self.arguments if isinstance(argument, Value))
        return tuple(value for value in values if isinstance(value.type, Object))


def order_of(size: Array) -> str:
    """The memory order in which an array of this type is allocated."""
    return "F" if size.layout == "F" else "C"


DTYPES = {"BOOL": "np.bool_"} | {
    name.upper(): f"np.{name}"
    for name in ("float32", "float64", "complex64", "complex128")
    + tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
}
"""The dtypes that a module has at hand by name: to find that of a type takes half as long as an array."""


def dtype_constant(dtype: np.dtype) -> str:
    """The name under which a module has the dtype at hand."""
    return dtype.name.upper()


def is_default(dtype: np.dtype) -> bool:
    """NumPy allocates float64 when it isn't told."""
    return dtype == np.float64


def of_layout(text: str, value: Operand | None, imports: set[tuple[str, str]]) -> str:
    """An array as `value`, which a function that calls itself gets or returns: of one type in all calls.

    Where a function has several types that call each other, what Numba puts on disk can't be run again, and
    a type may be taken for what its first `return` gives.
    """
    if value is None or not isinstance(value.type, Array) or value.type.layout != "A":
        return text
    imports.add(("layouts", "of_any_layout"))
    return f"of_any_layout({text})"


_CASTS = {int: "np.int64", bool: "np.bool_"}


def as_given(operand: Operand, text: str) -> str:
    """What a function gets. Numba compiles one apart for a constant int, which can't call the other."""
    kind = _CASTS.get(type(operand.value)) if isinstance(operand, Literal) else None
    return f"{kind}({text})" if kind else text
