"""The words of gradient rules: NumPy's functions where symbols need another form of them.

Rules of operations get this module as their argument `w`; those of NumPy's functions import it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.types import FLOAT, Array, Object, Scalar
from ..ops.resolve import resolve_where
from ..symbolic.arith import emit_elementwise, type_of
from ..symbolic.arrays import SymbolicArray
from ..symbolic.numpy_functions import call
from ..symbolic.scalar_methods import convert, to_numpy
from ..symbolic.symbols import Symbol, SymbolicScalar

if TYPE_CHECKING:
    from .pullback import ReverseNode


def float64(value: Any) -> Any:
    """A Python float as NumPy's, which may be divided by zero."""
    if isinstance(value, SymbolicScalar):
        return to_numpy(value, np.dtype("float64")) if value.type.is_python else value
    return np.float64(value)


def in_loop(pullback: ReverseNode, k: int) -> Any:
    """Operand `k`, an integer as the float as which the op takes it: products of integers may overflow."""
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
    if axis is None or keepdims or not isinstance(value, SymbolicArray):
        return value
    return value[tuple(None if k in axis else slice(None) for k in range(value.ndim + len(axis)))]


def ones(shape: Any, dtype: Any) -> Any:
    """``np.ones``, which would take the sizes of symbols for numbers."""
    return call(np.ones, (shape, dtype), {})


def zeros(shape: Any, dtype: Any) -> Any:
    """``np.zeros`` likewise."""
    return call(np.zeros, (shape, dtype), {})


def one_power_less(a: Any, b: Any) -> Any:
    """``a ** (b - 1)``, and 1 for a power of 0."""
    exponent = choose(b == 0, 1.0, b - 1)
    if not isinstance(exponent, Symbol) and exponent == 0.5 and kind_of(a) == "f":
        return np.sqrt(a)
    return a**exponent if isinstance(type_of(a), Array) else np.power(a, exponent)


def toward(g: Any, better: Any, equal: Any) -> Any:
    """The cotangent for an operand that won, half of it for one that shares the first place."""
    return choose(better, g, choose(equal, g * 0.5, 0.0))


def logarithm(x: Any) -> Any:
    """``np.log``; of a Python number it is a Python number, which is weak."""
    if isinstance(x, (int, float, complex)) and not isinstance(x, np.generic):
        with np.errstate(all="ignore"):
            return np.log(x).item()
    return np.log(x)


def shared(g: Any, winners: Any, axis: tuple[int, ...] | None) -> Any:
    """The cotangent of an extreme, shared equally by the elements that are it."""
    return np.where(winners, g / np.sum(winners, axis=axis, keepdims=axis is not None), 0.0)


def product_of_others(g: Any, x: Any, axis: tuple[int, ...] | None) -> Any:
    """`g` times the product of the other elements along `axis`."""
    factors = [x]
    axes = tuple(range(x.ndim)) if axis is None else axis
    if not axes:
        return g
    for k in axes[:-1]:
        factors.append(np.prod(factors[-1], axis=k, keepdims=True))
    for k, factor in zip(reversed(axes), reversed(factors), strict=True):
        g = g * conj(_others(factor, k))
    return g


def _others(x: Any, axis: int) -> Any:
    """For each element the product of the others along `axis`."""

    def at(*ends: int | None) -> Any:
        return (slice(None),) * axis + (slice(*ends),)

    before, after = ones(x.shape, x.dtype), ones(x.shape, x.dtype)
    before[at(1, None)] = np.cumprod(x[at(None, -1)], axis=axis)
    after[at(None, -1)] = np.cumprod(x[at(None, 0, -1)], axis=axis)[at(None, None, -1)]
    return before * after
