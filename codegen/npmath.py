"""NumPy's scalar arithmetic inside compiled code, bit for bit: division, remainders, integer powers and
shifts.

Each `np_*` works on one element and takes two numbers of one dtype (else they are promoted as NumPy promotes
arrays); nothing is raised but for negative integer exponents. Where Numba's own operators give NumPy's answer
(`+ - * / & | ^ < ==` on equal dtypes) there is nothing here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing import Signature, signature
from numba.extending import lower_builtin, register_jitable, type_callable
from numba.np.numpy_support import as_dtype, from_dtype

from .pymath import floor_division
from .vecmath.formula import Float, Lane, numpy_scalar, where


class Whole:
    """An integer element with its signedness."""

    def __init__(self, builder: ir.IRBuilder, value: Any, signed: bool) -> None:
        self.builder, self.value, self.signed = builder, value, signed
        self.width = value.type.width

    def constant(self, number: int) -> Any:
        return ir.Constant(self.value.type, number)

    def is_number(self, number: int) -> Any:
        return self.builder.icmp_unsigned("==", self.value, self.constant(number))


def _safe_divisor(a: Whole, b: Whole) -> Any:
    """b, or 1 where a / b would trap: NumPy's answers there are those of a / 1 or 0."""
    trap = b.is_number(0)
    if a.signed:
        overflow = a.builder.and_(a.is_number(-(1 << (a.width - 1))), b.is_number(-1))
        trap = a.builder.or_(trap, overflow)
    return a.builder.select(trap, b.constant(1), b.value)


def _quotient_and_rest(a: Whole, b: Whole) -> tuple[Any, Any, Any]:
    """C's division, and a flag: does the floor lie one below it?"""
    builder, divisor = a.builder, _safe_divisor(a, b)
    if not a.signed:
        return builder.udiv(a.value, divisor), builder.urem(a.value, divisor), ir.Constant(ir.IntType(1), 0)
    quotient, rest = builder.sdiv(a.value, divisor), builder.srem(a.value, divisor)
    opposite = builder.icmp_signed("<", builder.xor(rest, divisor), a.constant(0))
    return quotient, rest, builder.and_(opposite, builder.icmp_unsigned("!=", rest, a.constant(0)))


def _floordiv_int(a: Whole, b: Whole) -> Any:
    quotient, _, below = _quotient_and_rest(a, b)
    quotient = a.builder.sub(quotient, a.builder.zext(below, quotient.type))
    return a.builder.select(b.is_number(0), a.constant(0), quotient)


def _mod_int(a: Whole, b: Whole) -> Any:
    _, rest, below = _quotient_and_rest(a, b)
    rest = a.builder.select(below, a.builder.add(rest, b.value), rest)
    return a.builder.select(b.is_number(0), a.constant(0), rest)


def _fmod_int(a: Whole, b: Whole) -> Any:
    return a.builder.select(b.is_number(0), a.constant(0), _quotient_and_rest(a, b)[1])


def _near_shift(a: Whole, b: Whole) -> tuple[Any, Any]:
    """Is the shift within the width, and a count that is."""
    near = a.builder.icmp_unsigned("<", b.value, b.constant(b.width))
    return near, a.builder.select(near, b.value, b.constant(0))


def _shift_left(a: Whole, b: Whole) -> Any:
    near, count = _near_shift(a, b)
    return a.builder.select(near, a.builder.shl(a.value, count), a.constant(0))


def _shift_right(a: Whole, b: Whole) -> Any:
    near, count = _near_shift(a, b)
    if not a.signed:
        return a.builder.select(near, a.builder.lshr(a.value, count), a.constant(0))
    sign = a.builder.ashr(a.value, a.constant(a.width - 1))
    return a.builder.select(near, a.builder.ashr(a.value, count), sign)


def _floordiv_float(a: Float, b: Float) -> Float:
    return where(b.equals(0.0), a / b, floor_division(a, b)[0])


def _mod_float(a: Float, b: Float) -> Float:
    return where(b.equals(0.0), math.nan, floor_division(a, b)[1])


def _fmod_float(a: Float, b: Float) -> Float:
    return a % b


def _power(base: int, exponent: int) -> int:
    """Wraps like NumPy; compiled by Numba, for its loop."""
    if exponent < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    return _power_checked(base, exponent)


@register_jitable
def _power_checked(base: int, exponent: int) -> int:
    result = base * 0 + 1
    while exponent > 0:
        if exponent & 1:
            result = result * base
        base = base * base
        exponent = exponent >> 1
    return result


def _elementwise(
    name: str,
    numpy_function: Callable[..., Any],
    whole: Callable[[Whole, Whole], Any],
    real: Callable[[Float, Float], Float] | None = None,
) -> Callable[..., Any]:
    """A function for `@njit` code of two elements of one dtype."""
    python = numpy_scalar(numpy_function)

    def function(a: Any, b: Any) -> Any:
        return python(a, b)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"numpy.{numpy_function.__name__} of one element."

    def typer(a: Any, b: Any) -> Any:
        kind = from_dtype(np.result_type(as_dtype(a), as_dtype(b)))
        served = isinstance(kind, types.Integer) or (real is not None and isinstance(kind, types.Float))
        return signature(kind, kind, kind) if served else None

    def lower_whole(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return whole(*(Whole(builder, a, sig.return_type.signed) for a in args))

    type_callable(function)(lambda context: typer)
    lower_builtin(function, types.Integer, types.Integer)(lower_whole)
    if real is not None:
        lower_builtin(function, types.Float, types.Float)(_lower_real(real))
    return function


def _lower_real(real: Callable[[Float, Float], Float]) -> Callable[..., Any]:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lanes: list[Lane] = [Float(builder, a) for a in args]
        return real(*lanes).value  # type: ignore[arg-type]

    return lower


np_floordiv = _elementwise("np_floordiv", np.floor_divide, _floordiv_int, _floordiv_float)
np_mod = _elementwise("np_mod", np.remainder, _mod_int, _mod_float)
np_fmod = _elementwise("np_fmod", np.fmod, _fmod_int, _fmod_float)
np_lshift = _elementwise("np_lshift", np.left_shift, _shift_left)
np_rshift = _elementwise("np_rshift", np.right_shift, _shift_right)


def np_power_int(a: int, b: int) -> int:
    """numpy.power of one pair of integers: wraps; a negative exponent raises NumPy's `ValueError`."""
    return np.power(a, b)


def np_power_checked(a: int, b: int) -> int:
    """numpy.power of one pair of integers, of which the exponent was seen not to be negative."""
    return np.power(a, b) if b >= 0 else a * 0 + 1


def _install_power(function: Callable[[int, int], int], meaning: Callable[[int, int], int]) -> None:
    def typer(a: types.Type, b: types.Type) -> Signature | None:
        kind = from_dtype(np.result_type(as_dtype(a), as_dtype(b)))
        return signature(kind, kind, kind) if isinstance(kind, types.Integer) else None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        # Wrapping commutes with cutting off high bits.
        wide = types.int64 if sig.return_type.signed else types.uint64
        casts = [context.cast(builder, a, sig.return_type, wide) for a in args]
        value = context.compile_internal(builder, meaning, signature(wide, wide, wide), casts)
        return context.cast(builder, value, wide, sig.return_type)

    type_callable(function)(lambda context: typer)
    lower_builtin(function, types.Integer, types.Integer)(lower)


_install_power(np_power_int, _power)
_install_power(np_power_checked, _power_checked)
