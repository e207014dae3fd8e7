"""Python's complex numbers inside compiled code: CPython's bits and its exceptions.

Products and sums are as one writes them; quotients are Smith's without a reciprocal, powers are products for
whole exponents up to 100, else made of C's functions.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence

from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.typing import Context, signature
from numba.core.typing.templates import Signature
from numba.extending import lower_builtin, register_jitable, type_callable

from .checked import FormulaEmitter, checked, message
from .complexmath import number_absolute, number_multiply
from .vecmath.formula import Complex, Flag, Float, Int, where

_DIVIDED = 1


def smith(z: Complex, w: Complex) -> Complex:
    """The quotient for w that is not 0 (_Py_c_quot)."""
    steep = abs(w.re) < abs(w.im)
    more, less = where(steep, w.im, w.re), where(steep, w.re, w.im)
    ratio = less / more
    below = where(steep, less * ratio + more, more + less * ratio)
    re = where(steep, z.re * ratio + z.im, z.re + z.im * ratio)
    im = where(steep, z.im * ratio - z.re, z.im - z.re * ratio)
    lost = w.re.is_nan() | w.im.is_nan()
    return Complex.of(where(lost, math.nan, re / below), where(lost, math.nan, im / below))


def _divide(emit: FormulaEmitter, z: Complex, w: Complex) -> Complex:
    zero = w.re.equals(0.0) & w.im.equals(0.0)
    emit.fail_if(zero, ZeroDivisionError, *message(operator.truediv, 1j, 0j))
    return smith(z, w)


def _smith(emit: FormulaEmitter, z: Complex, w: Complex) -> Complex:
    return smith(z, w)


def _divided(emit: FormulaEmitter, a: Float, b: Float) -> Float:
    return a / b


def _multiplies() -> bool:
    """Whether this Python multiplies by an exponential in powers, as newer ones do, or divides by one."""
    z, w = 0.358671487661899 + 0.3980709045486008j, 1.9823302246196388 - 1.54222527715688j
    angle = math.atan2(z.imag, z.real)
    length = math.pow(abs(z), w.real) * math.exp(-angle * w.imag)
    phase = angle * w.real + w.imag * math.log(abs(z))
    return z**w == complex(length * math.cos(phase), length * math.sin(phase))


_MULTIPLIES = _multiplies()
_ratio = checked("_ratio", operator.truediv, {"ff": _divided})


@register_jitable
def _shrunk(length: float, by: float) -> float:
    return length * math.exp(-by) if _MULTIPLIES else _ratio(length, math.exp(by))


py_div_complex = checked("py_div_complex", operator.truediv, {"cc": _divide})
_quotient = checked("_quotient", operator.truediv, {"cc": _smith})


def _power(z: complex, w: complex) -> tuple[complex, int]:
    """The power and what is wrong with it (complex_pow); compiled by Numba, for its loop."""
    if w.imag == 0.0 and abs(w.real) <= 100.0 and math.floor(w.real) == w.real:
        return _whole_power(z, int(w.real))
    if z.real == 0.0 and z.imag == 0.0:
        return 0j, _DIVIDED if w.imag != 0.0 or w.real < 0.0 else 0
    size = number_absolute(z)
    length = math.pow(size, w.real)
    angle = math.atan2(z.imag, z.real)
    phase = angle * w.real
    if w.imag != 0.0:
        length = _shrunk(length, angle * w.imag)
        phase += w.imag * math.log(size)
    value = complex(length * math.cos(phase), length * math.sin(phase))
    return value, _DIVIDED if abs(phase) == math.inf else 0


@register_jitable
def _whole_power(z: complex, count: int) -> tuple[complex, int]:
    value, rest = 1 + 0j, abs(count)
    while rest:
        if rest & 1:
            value = number_multiply(value, z)
        rest >>= 1
        if rest:
            z = number_multiply(z, z)
    if count > 0:
        return value, 0
    if value.real == 0.0 and value.imag == 0.0:
        return 0j, _DIVIDED
    return _quotient(1 + 0j, value), 0


def py_pow_complex(z: complex, w: complex) -> complex:
    """``z ** w`` of Python's complex numbers."""
    return z**w


@type_callable(py_pow_complex)
def _type_power(context: Context) -> Callable[..., Signature | None]:
    def typer(z: types.Type, w: types.Type) -> Signature | None:
        kind = types.complex128
        return signature(kind, kind, kind) if isinstance(z, types.Complex) and z == w else None

    return typer


@lower_builtin(py_pow_complex, types.complex128, types.complex128)
def _lower_power(
    context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    pair = types.Tuple((types.complex128, types.int64))
    both = context.compile_internal(builder, _power, signature(pair, *sig.args), args)
    value = Complex(builder, builder.extract_value(both, 0))
    fault = Int(builder, builder.extract_value(both, 1))
    emit = FormulaEmitter(context, builder)
    emit.fail_if(fault.equals(_DIVIDED), ZeroDivisionError, *message(operator.pow, 0j, -1))
    over: Flag = abs(value.re).equals(math.inf) | abs(value.im).equals(math.inf)
    emit.fail_if(over, OverflowError, *message(operator.pow, 1e200 + 0j, 2))
    return value.value
