"""`SymbolicArray`: an ndarray of the graph, with ndarray's operators, methods and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import Literal, Operand, Value
from ..ir.types import OBJECT, Array, Scalar
from ..trace.build import TraceError, current, rules
from .symbols import Symbol, SymbolicObject, SymbolicScalar, size_symbol


class SymbolicArray(Symbol):
    """A reference to an array.

    `order` says which way its strides run (see `broadcasting.result_layout`); it `ascends` where they are
    known not to be negative.
    """

    __slots__ = ("_value", "ascends", "order")

    def __init__(self, value: Value, order: str | None = "C", ascends: bool = False) -> None:
        self._value = value
        self.ascends = ascends or value.type.layout != "A"  # type: ignore[union-attr]
        self.order = order if value.type.ndim > 1 else "C"  # type: ignore[union-attr]

    @property
    def type(self) -> Array:
        assert isinstance(self._value.type, Array)
        return self._value.type

    def operand(self) -> Value:
        return self._value

    @property
    def shape_sizes(self) -> tuple[Size, ...]:
        """The shape as size expressions."""
        return tuple(current().settle(size) for size in self.type.shape)

    @property
    def ndim(self) -> int:
        return self.type.ndim

    @property
    def dtype(self) -> np.dtype:
        return self.type.dtype

    @property
    def shape(self) -> tuple[Any, ...]:
        return tuple(size_symbol(size) for size in self.shape_sizes)

    @property
    def size(self) -> Any:
        return size_symbol(dims.product(self.shape_sizes))

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def T(self) -> Any:  # noqa: N802 (NumPy's name)
        return rules().array_attribute(self, "T")

    @property
    def mT(self) -> Any:  # noqa: N802 (NumPy's name)
        return rules().array_attribute(self, "mT")

    def length(self) -> Any:
        """``len(a)``."""
        if self.ndim == 0:
            raise TraceError("len() of unsized object")
        return size_symbol(self.shape_sizes[0])

    def __getitem__(self, index: Any) -> Any:
        return rules().get_item(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        rules().set_item(self, index, value)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return rules().ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return rules().function(func, args, kwargs)

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        return np

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return rules().array_attribute(self, name)

    __hash__ = Symbol.__hash__


def _install_inplace() -> None:
    def method_for(name: str) -> Any:
        def method(self: SymbolicArray, other: Any) -> Any:
            return rules().in_place(name, self, other)

        return method

    for name in (
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "lshift",
        "rshift",
        "and",
        "or",
        "xor",
    ):
        setattr(SymbolicArray, f"__i{name}__", method_for(name))


_install_inplace()


def symbol_for(value: Operand, *, order: str | None = "C") -> Any:
    """The symbol that wraps a graph value."""
    type_ = value.type
    if isinstance(type_, Scalar):
        if isinstance(value, Literal):
            return value.value
        return SymbolicScalar(value, type_)
    if type_ == OBJECT:
        assert isinstance(value, Value)
        return SymbolicObject(value)
    assert isinstance(value, Value)
    return SymbolicArray(value, order)
