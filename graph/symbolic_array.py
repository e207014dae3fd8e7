"""`SymbolicArray`: an ndarray of the graph, with ndarray's operators, methods and attributes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import dims
from .build import TraceError, current
from .dims import Size
from .ir import Value
from .symbols import Symbol, python_expression, size_symbol
from .types import Array


class SymbolicArray(Symbol):
    """A reference to an array. `order` says which way its strides run (see `broadcasting.result_layout`)."""

    __slots__ = ("_value", "order")

    def __init__(self, value: Value, order: str | None = "C") -> None:
        self._value = value
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
        from .indexing import transpose

        return transpose(self, tuple(reversed(range(self.ndim))), "{0}.T")

    @property
    def mT(self) -> Any:  # noqa: N802 (NumPy's name)
        from .numpy_shapes import swapaxes

        if self.ndim < 2:
            raise TraceError("matrix transpose with ndim < 2 is undefined")
        return swapaxes(self, -1, -2)

    def length(self) -> Any:
        """``len(a)``."""
        if self.ndim == 0:
            raise TraceError("len() of unsized object")
        return size_symbol(self.shape_sizes[0])

    def __getitem__(self, index: Any) -> Any:
        from .indexing import getitem

        return getitem(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        from .indexing import setitem

        setitem(self, index, value)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from .ufunc_calls import ufunc_method

        return ufunc_method(ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from .numpy_api import call

        return call(func, args, kwargs)

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        return np

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        from .array_methods import METHODS, bind

        if name in METHODS:
            return bind(self, name)
        if not hasattr(np.ndarray, name):
            raise TraceError(f"'numpy.ndarray' object has no attribute '{name}'")
        return python_expression(lambda t: f"{t.write(self)}.{name}")

    def _inplace(self, name: str, other: Any) -> Any:
        from .arith import binary
        from .called import call_of
        from .indexing import assign, fits
        from .symbols import BINARY, SymbolicObject, python_statement, template

        builder = current()
        snapshot = builder.snapshot()
        result = binary(name, self, other)
        if isinstance(result, SymbolicObject):
            if name not in ("add", "sub", "mul", "truediv"):
                raise TraceError(f"in-place {name} with a Python object")
            mark = BINARY[name][0]
            python_statement(lambda t: f"{t.write(self)}[...] {mark}= {t.write(other)}")
            return self
        made_by_numpy = isinstance(result, SymbolicArray) and self._made_by_numpy(result)
        dtype = getattr(result, "dtype", None) or result.type.dtype
        if not made_by_numpy and not np.can_cast(dtype, self.dtype, "same_kind"):
            raise TraceError(f"Cannot cast ufunc output from {dtype} to {self.dtype}")
        if made_by_numpy or not fits(self, result):
            builder.rollback(snapshot)  # NumPy computes in place, with its own errors
            under = template()
            sign = BINARY[name][0]
            source = f"{under.write(self)} {sign}= {under.write(other)}"
            called = call_of(under, getattr(operator, f"i{name}"), (self, other), {})
            builder.emit("numpy_write", under.operands, (), {"text": source, "_call": called})
            return self
        assign(self, result)
        return self

    def _made_by_numpy(self, result: SymbolicArray) -> bool:
        block = current().blocks[-1]
        return bool(block) and block[-1].op == "numpy" and block[-1].results[0] is result.operand()

    __hash__ = Symbol.__hash__


def _install_inplace() -> None:
    def method_for(name: str) -> Any:
        def method(self: SymbolicArray, other: Any) -> Any:
            return self._inplace(name, other)

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
