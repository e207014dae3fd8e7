"""Python's scalar arithmetic and its `math` module inside compiled code: CPython's bits, checks and messages.

`py_*` are the operators and conversions on `int` and `float`; an integer result beyond 64 bits raises
`Deoptimise`. `math_*` are the functions of `math`. They call the C library as CPython does and so give its
bits (`gamma` has CPython's own algorithm); where CPython raises, they raise the same. NumPy's arithmetic is
in `npmath`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .checked import Formula, FormulaEmitter, checked, message
from .either import (
    BIG,
    INT_MIN,
    either_add,
    either_divisor,
    either_exact,
    either_floordiv,
    either_mod,
    either_mul,
    either_pow,
    either_sub,
)
from .faults import DIFFERENT_SIZES, Deoptimise
from .gamma import gamma, lgamma
from .vecmath.formula import Flag, Float, Int, libm, where
from .vecmath.trig import hypot_of

# Integers ---------------------------------------------------------------------------------------------------


LEAST_ROOM = 64
"""What plain Python needs for the functions that a function that calls itself calls besides."""


def _overflowing(name: str) -> Formula:
    def formula(emit: FormulaEmitter, a: Int, b: Int) -> Int:
        value, over = emit.with_overflow(name, a, b)
        emit.deoptimise_if(over, BIG)
        return value

    return formula


def _of_either_kind(name: str, python: Callable[..., np.int64]) -> Callable[..., Any]:
    """An operation on ints: NumPy's where the flag is set, which wrap around; else Python's."""

    def formula(emit: FormulaEmitter, a: Int, b: Int, numpys: Flag) -> Int:
        value, over = emit.with_overflow(name, a, b)
        emit.deoptimise_if(over & ~numpys, BIG)
        return value

    return checked(f"py_either_{name[1:]}", python, {"iib": formula})


def _either_floordiv(emit: FormulaEmitter, a: Int, b: Int, numpys: Flag) -> Int:
    emit.fail_if(b.equals(0) & ~numpys, ZeroDivisionError, *message(operator.floordiv, 1, 0))
    beyond = a.equals(INT_MIN) & b.equals(-1)
    emit.deoptimise_if(beyond & ~numpys, BIG)
    none = b.equals(0) | beyond
    return where(none, where(beyond, a, 0), _floor_and_rest(emit, a, where(none, 1, b))[0])


def _either_mod(emit: FormulaEmitter, a: Int, b: Int, numpys: Flag) -> Int:
    emit.fail_if(b.equals(0) & ~numpys, ZeroDivisionError, *message(operator.mod, 1, 0))
    return _floor_and_rest(emit, a, where(b.equals(0) | b.equals(-1), 1, b))[1]


def _either_pow(emit: FormulaEmitter, x: Float, y: Float, numpys: Flag) -> Float:
    value = libm("pow", x, y)
    beyond = abs(value).equals(math.inf) & (abs(x) < math.inf)
    emit.fail_if(beyond & ~numpys, OverflowError, *message(operator.pow, 10.0, 400))
    return value


def _left(emit: FormulaEmitter, room: Int, calls: Int, end: Int) -> Int:
    left = room - calls
    emit.deoptimise_if(left < LEAST_ROOM, "Python's stack has no room for more calls")
    emit.deoptimise_if(emit.stack_address() < end, "the thread's stack has no room for more calls")
    return left


def _same_size(emit: FormulaEmitter, a: Int, b: Int) -> Int:
    emit.deoptimise_if(~a.equals(b), DIFFERENT_SIZES)
    return a


def same_size(a: int, b: int) -> int:
    """`a`, where kernels are run by Python."""
    if a != b:
        raise Deoptimise(DIFFERENT_SIZES)
    return a


def _neg(emit: FormulaEmitter, a: Int) -> Int:
    emit.deoptimise_if(a.equals(INT_MIN), BIG)
    return 0 - a


def _abs(emit: FormulaEmitter, a: Int) -> Int:
    emit.deoptimise_if(a.equals(INT_MIN), BIG)
    return where(a < 0, 0 - a, a)


def _shift_left(emit: FormulaEmitter, a: Int, count: Int) -> Int:
    emit.fail_if(count < 0, ValueError, *message(operator.lshift, 1, -1))
    near = where(count > 63, 63, count)
    value = Int(a.builder, a.builder.shl(a.value, near.value))
    back = Int(a.builder, a.builder.ashr(value.value, near.value))
    lost = ~back.equals(a) | ((count > 63) & ~a.equals(0))
    emit.deoptimise_if(lost, BIG)
    return value


def _shift_right(emit: FormulaEmitter, a: Int, count: Int) -> Int:
    emit.fail_if(count < 0, ValueError, *message(operator.rshift, 1, -1))
    near = where(count > 63, 63, count)
    return Int(a.builder, a.builder.ashr(a.value, near.value))


def _divide_ints(emit: FormulaEmitter, a: Int, b: Int) -> Float:
    emit.fail_if(b.equals(0), ZeroDivisionError, *message(operator.truediv, 1, 0))
    for x in (a, b):  # beyond 2**53 CPython rounds the quotient of the integers, not that of two floats
        emit.deoptimise_if((x > 2**53) | (x < -(2**53)), BIG)
    return emit.to_float(a) / emit.to_float(b)


def _floor_and_rest(emit: FormulaEmitter, a: Int, b: Int) -> tuple[Int, Int]:
    """Floor division of ints, b != 0 and the quotient in range."""
    quotient = Int(a.builder, a.builder.sdiv(a.value, b.value))
    rest = Int(a.builder, a.builder.srem(a.value, b.value))
    off = ~rest.equals(0) & ((rest ^ b) < 0)
    return where(off, quotient - 1, quotient), where(off, rest + b, rest)


def _floordiv_ints(emit: FormulaEmitter, a: Int, b: Int) -> Int:
    emit.fail_if(b.equals(0), ZeroDivisionError, *message(operator.floordiv, 1, 0))
    emit.deoptimise_if(a.equals(INT_MIN) & b.equals(-1), BIG)
    return _floor_and_rest(emit, a, b)[0]


def _mod_ints(emit: FormulaEmitter, a: Int, b: Int) -> Int:
    emit.fail_if(b.equals(0), ZeroDivisionError, *message(operator.mod, 1, 0))
    return _floor_and_rest(emit, a, where(b.equals(-1), 1, b))[1]


def _pow_ints(emit: FormulaEmitter, a: Int, b: Int) -> Int:
    emit.deoptimise_if(b < 0, "an integer to a negative power")
    value: Int = emit.compiled(_power_by_squaring, a, b)
    return value


def _power_by_squaring(base: int, exponent: int) -> int:
    result = 1
    while True:
        if exponent & 1:
            result = py_mul_int(result, base)
        exponent >>= 1
        if exponent == 0:
            return result
        base = py_mul_int(base, base)


py_add_int = checked("py_add_int", operator.add, {"ii": _overflowing("sadd")})
py_left = checked("py_left", lambda room, calls, end: room - calls, {"iii": _left})
py_same_size = checked("py_same_size", same_size, {"ii": _same_size})
py_sub_int = checked("py_sub_int", operator.sub, {"ii": _overflowing("ssub")})
py_mul_int = checked("py_mul_int", operator.mul, {"ii": _overflowing("smul")})
py_either_add = _of_either_kind("sadd", either_add)
py_either_sub = _of_either_kind("ssub", either_sub)
py_either_mul = _of_either_kind("smul", either_mul)
py_either_floordiv = checked("py_either_floordiv", either_floordiv, {"iib": _either_floordiv})
py_either_mod = checked("py_either_mod", either_mod, {"iib": _either_mod})
py_either_pow = checked("py_either_pow", either_pow, {"ffb": _either_pow})
py_neg_int = checked("py_neg_int", operator.neg, {"i": _neg})
py_abs_int = checked("py_abs_int", operator.abs, {"i": _abs})
py_lshift_int = checked("py_lshift_int", operator.lshift, {"ii": _shift_left})
py_rshift_int = checked("py_rshift_int", operator.rshift, {"ii": _shift_right})
py_div_int = checked("py_div_int", operator.truediv, {"ii": _divide_ints})
py_floordiv_int = checked("py_floordiv_int", operator.floordiv, {"ii": _floordiv_ints})
py_mod_int = checked("py_mod_int", operator.mod, {"ii": _mod_ints})
py_pow_int = checked("py_pow_int", operator.pow, {"ii": _pow_ints})


# Floats -----------------------------------------------------------------------------------------------------


def floor_division(a: Float, b: Float) -> tuple[Float, Float]:
    """(a // b, a % b) as CPython and NumPy compute them, b != 0."""
    rest = a % b
    quotient = (a - rest) / b
    off = ~rest.equals(0.0) & ~rest.is_nan() & ((b < 0.0) ^ (rest < 0.0))
    quotient = where(off, quotient - 1.0, quotient)
    whole = quotient.floor()
    whole = where(quotient - whole > 0.5, whole + 1.0, whole)
    zero = Float(a.builder, a._raw(0.0))
    signed_zero = zero.with_sign((a / b).sign_bit())
    modulus = where(rest.equals(0.0), zero.with_sign(b.sign_bit()), where(off, rest + b, rest))
    return where(quotient.equals(0.0), signed_zero, whole), modulus


def _divide(emit: FormulaEmitter, a: Float, b: Float) -> Float:
    emit.fail_if(b.equals(0.0), ZeroDivisionError, *message(operator.truediv, 1.0, 0.0))
    return a / b


def _floordiv(emit: FormulaEmitter, a: Float, b: Float) -> Float:
    emit.fail_if(b.equals(0.0), ZeroDivisionError, *message(operator.floordiv, 1.0, 0.0))
    return floor_division(a, b)[0]


def _mod(emit: FormulaEmitter, a: Float, b: Float) -> Float:
    emit.fail_if(b.equals(0.0), ZeroDivisionError, *message(operator.mod, 1.0, 0.0))
    return floor_division(a, b)[1]


def _pow(emit: FormulaEmitter, a: Float, b: Float) -> Float:
    emit.fail_if(
        a.equals(0.0) & (b < 0.0) & (b > -math.inf), ZeroDivisionError, *message(operator.pow, 0.0, -1.0)
    )
    finite = (abs(a) < math.inf) & (abs(b) < math.inf)
    emit.deoptimise_if((a < 0.0) & finite & ~b.floor().equals(b), "a complex power")
    value = libm("pow", a, b)
    emit.fail_if(abs(value).equals(math.inf) & finite, OverflowError, *message(operator.pow, 10.0, 400))
    return value


def _to_int(rounding: str) -> Formula:
    def formula(emit: FormulaEmitter, x: Float) -> Int:
        emit.fail_if(x.is_nan(), ValueError, *message(int, math.nan))
        emit.fail_if(abs(x).equals(math.inf), OverflowError, *message(int, math.inf))
        whole = getattr(x, rounding)()
        emit.deoptimise_if((whole < -(2.0**63)) | (whole >= 2.0**63), BIG)
        return emit.to_int(whole)

    return formula


def _same_int(emit: FormulaEmitter, x: Int) -> Int:
    return x


py_div = checked("py_div", operator.truediv, {"ff": _divide})
py_floordiv_float = checked("py_floordiv_float", operator.floordiv, {"ff": _floordiv})
py_mod_float = checked("py_mod_float", operator.mod, {"ff": _mod})
py_pow_float = checked("py_pow_float", operator.pow, {"ff": _pow})
py_int_from_float = checked("py_int_from_float", int, {"i": _same_int, "f": _to_int("trunc")})
py_round = checked("py_round", round, {"i": _same_int, "f": _to_int("round_half_even")})
math_floor = checked("math_floor", math.floor, {"i": _same_int, "f": _to_int("floor")})
math_ceil = checked("math_ceil", math.ceil, {"i": _same_int, "f": _to_int("ceil")})
math_trunc = checked("math_trunc", math.trunc, {"i": _same_int, "f": _to_int("trunc")})


# math.* -----------------------------------------------------------------------------------------------------


def _one(name: str, overflows: bool = False) -> Any:
    """A function of one float by CPython's rule: NaN from a number is a domain error; infinity from a finite
    number is
    a range error if the function can overflow, else (a pole) a domain error."""

    def formula(emit: FormulaEmitter, x: Float) -> Float:
        value = libm(name, x)
        emit.fail_if(value.is_nan() & ~x.is_nan(), ValueError, *message(math.sqrt, -1.0))
        pole = abs(value).equals(math.inf) & (abs(x) < math.inf)
        kind = (
            (OverflowError, *message(math.exp, 1000.0))
            if overflows
            else (ValueError, *message(math.sqrt, -1.0))
        )
        emit.fail_if(pole, *kind)
        return value

    return checked(f"math_{name}", getattr(math, name), {"f": formula})


def _gamma(name: str, python: Callable[[float], float]) -> Any:
    """gamma and lgamma: poles at 0, -1, -2, ..., overflow elsewhere."""

    def formula(emit: FormulaEmitter, x: Float) -> Float:
        pole = (x <= 0.0) & x.floor().equals(x)
        if name == "lgamma":
            pole = pole & (x > -math.inf)
        emit.fail_if(pole, ValueError, *message(math.gamma, -1.0))
        value: Float = emit.compiled(python, x)
        over = abs(value).equals(math.inf) & (abs(x) < math.inf)
        emit.fail_if(over, OverflowError, *message(math.gamma, 1000.0))
        return value

    return checked(f"math_{name}", getattr(math, name), {"f": formula})


def _two(name: str, formula: Formula) -> Any:
    return checked(f"math_{name}", getattr(math, name), {"ff": formula})


def _math_pow(emit: FormulaEmitter, x: Float, y: Float) -> Float:
    value = libm("pow", x, y)
    finite = (abs(x) < math.inf) & (abs(y) < math.inf)
    over = abs(value).equals(math.inf) & finite
    emit.fail_if(
        (value.is_nan() & finite) | (over & x.equals(0.0)), ValueError, *message(math.pow, 0.0, -1.0)
    )
    emit.fail_if(over, OverflowError, *message(math.pow, 10.0, 400.0))
    return value


def _fmod(emit: FormulaEmitter, x: Float, y: Float) -> Float:
    value = x % y
    bad = value.is_nan() & ~x.is_nan() & ~y.is_nan()
    emit.fail_if(bad, ValueError, *message(math.fmod, 1.0, 0.0))
    return value


def _hypot(emit: FormulaEmitter, x: Float, y: Float) -> Float:
    value = hypot_of(x, y)
    over = value.equals(math.inf) & (abs(x) < math.inf) & (abs(y) < math.inf)
    emit.fail_if(over, OverflowError, *message(math.exp, 1000.0))
    return value


def _abs_complex(emit: FormulaEmitter, x: Float, y: Float) -> Float:
    """_Py_c_abs: C's hypot, which `math.hypot` is not."""
    value = libm("hypot", x, y)
    over = value.equals(math.inf) & (abs(x) < math.inf) & (abs(y) < math.inf)
    emit.fail_if(over, OverflowError, *message(abs, complex(1.7e308, 1.7e308)))
    return value


def _tie(emit: FormulaEmitter, i: Int, f: Float) -> tuple[Float, Flag, Int]:
    """The int as a float; whether `f` is the same float; the sign of ``i - f`` if it is.

    Rounding is monotone: where the floats differ, they compare as the numbers do.
    """
    x = emit.to_float(i)
    beyond = x >= 2.0**63
    return x, x.equals(f), where(beyond, -1, i - emit.to_int(where(beyond, 0.0, x)))


def _lt_exactly(emit: FormulaEmitter, i: Int, f: Float) -> Flag:
    x, same, sign = _tie(emit, i, f)
    return (x < f) | (same & (sign < 0))


def _le_exactly(emit: FormulaEmitter, i: Int, f: Float) -> Flag:
    x, same, sign = _tie(emit, i, f)
    return (x < f) | (same & (sign < 1))


def _gt_exactly(emit: FormulaEmitter, i: Int, f: Float) -> Flag:
    x, same, sign = _tie(emit, i, f)
    return (x > f) | (same & (sign > 0))


def _ge_exactly(emit: FormulaEmitter, i: Int, f: Float) -> Flag:
    x, same, sign = _tie(emit, i, f)
    return (x > f) | (same & (sign > -1))


def _eq_exactly(emit: FormulaEmitter, i: Int, f: Float) -> Flag:
    _, same, sign = _tie(emit, i, f)
    return same & sign.equals(0)


def _ne_exactly(emit: FormulaEmitter, i: Int, f: Float) -> Flag:
    return ~_eq_exactly(emit, i, f)


def _exact(emit: FormulaEmitter, x: Float, free: Flag) -> Float:
    """At 2**53 itself it may have been rounded; no int is -0.0."""
    emit.deoptimise_if(~free & ~(abs(x) < 2.0**53), BIG)
    return where(free, x, x + 0.0)


def _fit(name: str) -> Any:
    """A check of an int that goes into an integer dtype."""
    low, high = int(np.iinfo(name).min), min(int(np.iinfo(name).max), 2**63 - 1)

    def fit(value: int) -> int:
        return int(np.array(value, name))

    def formula(emit: FormulaEmitter, value: Int) -> Int:
        beyond = (value < low) | (value > high)
        emit.fail_saying(beyond, "OverflowError", f"Python integer %lld out of bounds for {name}", value)
        return value

    return checked(f"py_fit_{name}", fit, {"i": formula})


def _divisor(emit: FormulaEmitter, x: Float, free: Flag) -> Float:
    emit.fail_if(x.equals(0.0) & ~free, ZeroDivisionError, *message(operator.truediv, 1.0, 0.0))
    return x


def _magnitude(x: float, y: float) -> float:
    return abs(complex(x, y))


def _atan2(emit: FormulaEmitter, y: Float, x: Float) -> Float:
    return libm("atan2", y, x)


def _copysign(emit: FormulaEmitter, x: Float, y: Float) -> Float:
    return abs(x).with_sign(y.sign_bit())


def _fabs(emit: FormulaEmitter, x: Float) -> Float:
    return abs(x)


def _degrees(emit: FormulaEmitter, x: Float) -> Float:
    return x * (180.0 / math.pi)


def _radians(emit: FormulaEmitter, x: Float) -> Float:
    return x * (math.pi / 180.0)


def _isnan(emit: FormulaEmitter, x: Float) -> Flag:
    return x.is_nan()


def _isinf(emit: FormulaEmitter, x: Float) -> Flag:
    return abs(x).equals(math.inf)


def _isfinite(emit: FormulaEmitter, x: Float) -> Flag:
    return abs(x) < math.inf


math_acos, math_asin, math_atan = _one("acos"), _one("asin"), _one("atan")
math_sin = _one("sin")
math_cos = _one("cos")
math_tan = _one("tan")
math_sinh = _one("sinh", True)
math_cosh = _one("cosh", True)
math_tanh = _one("tanh")
math_asinh = _one("asinh")
math_acosh = _one("acosh")
math_atanh = _one("atanh")
math_exp = _one("exp", True)
math_expm1 = _one("expm1", True)
math_log = _one("log")
math_log2 = _one("log2")
math_log10 = _one("log10")
math_log1p = _one("log1p")
math_sqrt = _one("sqrt")
if hasattr(math, "cbrt"):  # Python 3.11
    math_cbrt, math_exp2 = _one("cbrt"), _one("exp2", True)
math_erf, math_erfc = _one("erf"), _one("erfc")
math_gamma, math_lgamma = _gamma("gamma", gamma), _gamma("lgamma", lgamma)
math_hypot = _two("hypot", _hypot)
py_lt_exactly = checked("py_lt_exactly", operator.lt, {"if": _lt_exactly})
py_le_exactly = checked("py_le_exactly", operator.le, {"if": _le_exactly})
py_gt_exactly = checked("py_gt_exactly", operator.gt, {"if": _gt_exactly})
py_ge_exactly = checked("py_ge_exactly", operator.ge, {"if": _ge_exactly})
py_eq_exactly = checked("py_eq_exactly", operator.eq, {"if": _eq_exactly})
py_ne_exactly = checked("py_ne_exactly", operator.ne, {"if": _ne_exactly})
py_exact = checked("py_exact", either_exact, {"fb": _exact})
py_fit_int8, py_fit_int16, py_fit_int32 = _fit("int8"), _fit("int16"), _fit("int32")
py_fit_uint8, py_fit_uint16, py_fit_uint32 = _fit("uint8"), _fit("uint16"), _fit("uint32")
py_fit_uint64 = _fit("uint64")
py_divisor = checked("py_divisor", either_divisor, {"fb": _divisor})
py_abs_complex = checked("py_abs_complex", _magnitude, {"ff": _abs_complex})
math_pow, math_fmod = _two("pow", _math_pow), _two("fmod", _fmod)
math_atan2, math_copysign = _two("atan2", _atan2), _two("copysign", _copysign)
math_fabs = checked("math_fabs", math.fabs, {"f": _fabs})
math_degrees = checked("math_degrees", math.degrees, {"f": _degrees})
math_radians = checked("math_radians", math.radians, {"f": _radians})
math_isnan = checked("math_isnan", math.isnan, {"f": _isnan})
math_isinf = checked("math_isinf", math.isinf, {"f": _isinf})
math_isfinite = checked("math_isfinite", math.isfinite, {"f": _isfinite})
