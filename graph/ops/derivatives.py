"""What gradient rules are made of: a derivative for each operand, in NumPy's words.

Rules run while a graph is built: they compute with symbols, so what they compute are nodes. `g` is the
cotangent of the result. For complex numbers it is dL/dRe + i dL/dIm, so that ``z - rate * g`` descends; a
holomorphic function hands on ``g`` times the conjugate of its derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .define import Gradient, NotDifferentiable
from .resolve import resolve_where

Derivative = Callable[..., Any] | None
"""What the cotangent `g` of the result `y` means for one of the operands (see `each`)."""

STEPS = NotDifferentiable("constant between its steps: the derivative is zero wherever there is one")
TRUTH = NotDifferentiable("its result is a truth value")
INTEGERS = NotDifferentiable("its result is an integer")


@dataclass(frozen=True, slots=True)
class Each:
    """The rule of an op with a derivative for each operand; `numpy`: `g` is made NumPy's number."""

    derivatives: tuple[Derivative, ...]
    numpy: bool = False

    def __call__(self, pullback: Any) -> Sequence[Any]:
        return [
            derivative(*(self._given(name, pullback) for name in parameters(derivative)))
            if derivative is not None and pullback.wants(k)
            else None
            for k, derivative in enumerate(self.derivatives)
        ]

    def _given(self, name: str, pullback: Any) -> Any:
        if name == "g":
            return float64(pullback.cotangents[0]) if self.numpy else pullback.cotangents[0]
        return pullback.outputs[0] if name == "y" else in_loop(pullback, _OPERANDS[name])


_OPERANDS = {"x": 0, "a": 0, "b": 1, "c": 2}


def each(*derivatives: Derivative) -> Each:
    """The rule of an op from the derivative for each operand; None where nothing flows.

    A derivative names what it needs, so that nothing else has to be kept: the cotangent `g`, the result `y`,
    the operand `x` or the operands `a`, `b`, `c`. ``each(lambda g, b: g * b, lambda g, a: g * a)`` is the
    rule of a real product.
    """
    return Each(derivatives)


def parameters(derivative: Callable[..., Any]) -> tuple[str, ...]:
    """The names of what a derivative needs."""
    code = derivative.__code__
    return code.co_varnames[: code.co_argcount]


def as_numpy(rule: Gradient) -> Each:
    """The rule of NumPy's op for the same function of `math`: it must not raise Python's exceptions."""
    assert isinstance(rule, Each)
    return Each(rule.derivatives, numpy=True)


def float64(value: Any) -> Any:
    """A Python float as NumPy's, which may be divided by zero."""
    from ..scalar_methods import to_numpy
    from ..symbols import SymbolicScalar

    if isinstance(value, SymbolicScalar):
        return to_numpy(value, np.dtype("float64")) if value.type.is_python else value
    return np.float64(value)


def in_loop(pullback: Any, k: int) -> Any:
    """Operand `k`, an integer as the float as which the op takes it: products of integers may overflow."""
    from ..arith import type_of
    from ..scalar_methods import convert, to_numpy
    from ..symbols import SymbolicScalar
    from ..types import FLOAT, Object, Scalar

    value, loop = pullback.inputs[k], pullback.attrs.get("loop", ())
    kind = type_of(value)
    if k >= len(loop) or isinstance(kind, Object):
        return value
    dtype = np.dtype(loop[k])
    narrow = kind.dtype.kind == dtype.kind == "f" and kind.dtype.itemsize < dtype.itemsize
    if not narrow and (kind.dtype.kind not in "biu" or dtype.kind not in "fc"):
        return value
    if isinstance(value, SymbolicScalar):
        return convert(value, FLOAT) if value.type.is_python else to_numpy(value, dtype)
    if isinstance(kind, Scalar):  # a constant: Python's are weak
        return value if kind.is_python else dtype.type(value)
    return value.astype(dtype)


def kind_of(value: Any) -> str:
    """The kind of the dtype of a symbol or a number: ``b``, ``i``, ``u``, ``f`` or ``c``."""
    from ..arith import type_of
    from ..types import Object

    kind = type_of(value)
    return "O" if isinstance(kind, Object) else kind.dtype.kind


def conj(value: Any) -> Any:
    """The complex conjugate; a real number is its own."""
    return np.conjugate(value) if kind_of(value) == "c" else value


def real(value: Any) -> Any:
    """The real part as numbers of their own (`np.real` of an array is a view)."""
    return _part("real", value)


def imag(value: Any) -> Any:
    """The imaginary part as numbers of their own."""
    return _part("imag", value) if kind_of(value) == "c" else value * 0.0


def _part(name: str, value: Any) -> Any:
    from ..arith import emit_elementwise
    from ..symbols import Symbol
    from ..types import Array

    if kind_of(value) != "c":
        return value
    if not isinstance(value, Symbol):
        return getattr(value, name)
    dtype = value.type.dtype  # type: ignore[union-attr]
    half = np.empty(0, dtype).real.dtype
    text = f"{{0}}.{name}.copy()" if isinstance(value.type, Array) else f"{{0}}.{name}"
    return emit_elementwise(name, (value,), (dtype,), half, text)


def choose(condition: Any, x: Any, y: Any) -> Any:
    """``np.where``, which of numbers alone gives a number here."""
    from ..arith import emit_elementwise, type_of
    from ..types import Array

    values = (condition, x, y)
    if isinstance(condition, (bool, np.bool_)):
        return x if condition else y
    if any(isinstance(type_of(value), Array) for value in values):
        return np.where(condition, x, y)
    found = resolve_where(type_of(x), type_of(y))
    return emit_elementwise("where", values, found.loop, found.result, "np.where({0}, {1}, {2})[()]")


def where_zero(x: Any, instead: Any) -> Any:
    """`x` with `instead` in place of zeros."""
    return choose(x == 0, instead, x)


def beyond(x: Any, y: Any) -> Any:
    """``x - y`` of infinities too: equal ones are 0 apart."""
    return choose(x == y, 0.0, x - y)


def turned(matrices: Any) -> Any:
    """A matrix with its axes exchanged, or a stack of matrices, which is copied: stacks run in C order."""
    if matrices.ndim == 2:
        return matrices.T
    return np.copy(np.swapaxes(matrices, -1, -2), order="C")


def kept(value: Any, axis: tuple[int, ...] | None, keepdims: bool) -> Any:
    """The result of a reduction over `axis` with the axes that it lost, of one element each."""
    from ..symbolic_array import SymbolicArray

    if axis is None or keepdims or not isinstance(value, SymbolicArray):
        return value
    return value[tuple(None if k in axis else slice(None) for k in range(value.ndim + len(axis)))]


def ones(shape: Any, dtype: Any) -> Any:
    """``np.ones``, which would take the sizes of symbols for numbers."""
    from ..numpy_api import call

    return call(np.ones, (shape, dtype), {})


def zeros(shape: Any, dtype: Any) -> Any:
    """``np.zeros`` likewise."""
    from ..numpy_api import call

    return call(np.zeros, (shape, dtype), {})


def toward(g: Any, better: Any, equal: Any) -> Any:
    """The cotangent for an operand that won, half of it for one that shares the first place."""
    return choose(better, g, choose(equal, g * 0.5, 0.0))


def _base(g: Any, a: Any, b: Any) -> Any:
    """The derivative of ``a ** b`` for `a`: 0 for a power of 0, also where `a` is 0."""
    from ..arith import type_of
    from ..symbols import Symbol
    from ..types import Array

    exponent = choose(b == 0, 1.0, b - 1)
    if not isinstance(exponent, Symbol) and exponent == 0.5 and kind_of(a) == "f":
        power = np.sqrt(a)
    else:
        power = a**exponent if isinstance(type_of(a), Array) else np.power(a, exponent)
    return g * conj(b * power)


def _exponent(g: Any, y: Any, a: Any, b: Any) -> Any:
    """The derivative of ``a ** b`` for `b`: where `a` is 0 the power stays 0."""
    return g * conj(y * logarithm(where_zero(a, 1.0)))


def logarithm(x: Any) -> Any:
    """``np.log``; of a Python number it is a Python number, which is weak."""
    if isinstance(x, (int, float, complex)) and not isinstance(x, np.generic):
        with np.errstate(all="ignore"):
            return np.log(x).item()
    return np.log(x)


def _sign(g: Any, y: Any, x: Any) -> Any:
    """Of a complex number the sign is ``x / abs(x)``, which only turns; a real one has steps."""
    if kind_of(x) != "c":
        return None
    turned = g - y * real(conj(y) * g)
    return choose(x == 0, 0.0, turned / where_zero(np.abs(x), 1.0))


def _clipped(g: Any, a: Any, b: Any, c: Any) -> Any:
    inner = np.maximum(a, b)
    return toward(toward(g, inner < c, inner == c), a > b, a == b)


def _low(g: Any, a: Any, b: Any, c: Any) -> Any:
    inner = np.maximum(a, b)
    return toward(toward(g, inner < c, inner == c), b > a, a == b)


def _high(g: Any, a: Any, b: Any, c: Any) -> Any:
    inner = np.maximum(a, b)
    return toward(g, c < inner, inner == c)


POWER = each(_base, _exponent)
SIGN = each(_sign)
CLIP = each(_clipped, _low, _high)
