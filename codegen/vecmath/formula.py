"""Formulas written once in Python, spelled out as LLVM instructions where a compiled loop calls them.

A formula is a plain Python function over the lanes below. `vectorised` gives the function its two lives:
called from Python it is NumPy's own; called inside `@njit` code its formula runs over the instruction builder
and leaves straight-line code without a branch or a call, which LLVM's loop vectoriser takes as it takes `a *
b + c`.

Why not `@njit` functions: Numba would type and lower every line of each of them in every module anew (`exp`
took 115 ms of compile time that way, 6 ms this way), and Python has no way to say a fused multiply-add, on
which both the speed and the last bit depend.
"""

from __future__ import annotations

import functools
import platform
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import config, types
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable

DOUBLE, SINGLE, INT64, INT32 = ir.DoubleType(), ir.FloatType(), ir.IntType(64), ir.IntType(32)
ROUND = 1.5 * 2.0**52  # x + ROUND - ROUND is x rounded to a whole number, for |x| < 2**51
ONE = 1023 << 52  # the bits of 1.0


class Vector(ir.VectorType):
    """Numbers that are computed side by side; LLVM's intrinsics are named after it.

    Who declares an intrinsic first in a module says of which type its result is: this one, see `kind_of`.
    """

    @property
    def intrinsic_name(self) -> str:
        return f"v{self.count}{self.element.intrinsic_name}"


def _with_element(kind: ir.Type, element: ir.Type) -> ir.Type:
    """The type of one or several values of `element`, as many as `kind` has."""
    return Vector(element, kind.count) if isinstance(kind, ir.VectorType) else element


def _element(kind: ir.Type) -> ir.Type:
    return kind.element if isinstance(kind, ir.VectorType) else kind


def kind_of(value: ir.Value) -> ir.Type:
    """The type of a value; a `Vector` also where an instruction, as a shuffle, makes another vector type."""
    kind = value.type
    return _with_element(kind, _element(kind))


class Lane:
    """One value of the loop body, or several side by side: an LLVM value and the builder that made it."""

    def __init__(self, builder: ir.IRBuilder, value: Any) -> None:
        self.builder, self.value = builder, value

    def _raw(self, other: Any) -> Any:
        return other.value if isinstance(other, Lane) else ir.Constant(self.value.type, other)


class Flag(Lane):
    """A truth value."""

    def __and__(self, other: Flag) -> Flag:
        return Flag(self.builder, self.builder.and_(self.value, other.value))

    def __or__(self, other: Flag) -> Flag:
        return Flag(self.builder, self.builder.or_(self.value, other.value))

    def __xor__(self, other: Flag) -> Flag:
        return Flag(self.builder, self.builder.xor(self.value, other.value))

    def __invert__(self) -> Flag:
        return Flag(self.builder, self.builder.not_(self.value))


class Int(Lane):
    """An integer, mostly of 64 bits; arithmetic wraps, comparisons are signed."""

    def __add__(self, other: Int | int) -> Int:
        return Int(self.builder, self.builder.add(self.value, self._raw(other)))

    def __sub__(self, other: Int | int) -> Int:
        return Int(self.builder, self.builder.sub(self.value, self._raw(other)))

    def __rsub__(self, other: int) -> Int:
        return Int(self.builder, self.builder.sub(self._raw(other), self.value))

    def __and__(self, other: Int | int) -> Int:
        return Int(self.builder, self.builder.and_(self.value, self._raw(other)))

    def __or__(self, other: Int | int) -> Int:
        return Int(self.builder, self.builder.or_(self.value, self._raw(other)))

    def __xor__(self, other: Int | int) -> Int:
        return Int(self.builder, self.builder.xor(self.value, self._raw(other)))

    def __lshift__(self, other: int) -> Int:
        return Int(self.builder, self.builder.shl(self.value, self._raw(other)))

    def __rshift__(self, other: int) -> Int:
        """Shift in zeros: vectors of 64-bit integers have no other right shift before AVX-512."""
        return Int(self.builder, self.builder.lshr(self.value, self._raw(other)))

    def _compare(self, sign: str, other: Int | int) -> Flag:
        return Flag(self.builder, self.builder.icmp_signed(sign, self.value, self._raw(other)))

    def __lt__(self, other: Int | int) -> Flag:
        return self._compare("<", other)

    def __gt__(self, other: Int | int) -> Flag:
        return self._compare(">", other)

    def equals(self, other: Int | int) -> Flag:
        return self._compare("==", other)

    def as_float(self) -> Float:
        """The float that has these bits."""
        kind = self.value.type
        element = DOUBLE if _element(kind).width == 64 else SINGLE
        return Float(self.builder, self.builder.bitcast(self.value, _with_element(kind, element)))


class Float(Lane):
    """A float64 (or float32); every operation rounds once, nothing is contracted or reordered."""

    def __add__(self, other: Float | float) -> Float:
        return Float(self.builder, self.builder.fadd(self.value, self._raw(other)))

    __radd__ = __add__

    def __sub__(self, other: Float | float) -> Float:
        return Float(self.builder, self.builder.fsub(self.value, self._raw(other)))

    def __rsub__(self, other: float) -> Float:
        return Float(self.builder, self.builder.fsub(self._raw(other), self.value))

    def __mul__(self, other: Float | float) -> Float:
        return Float(self.builder, self.builder.fmul(self.value, self._raw(other)))

    __rmul__ = __mul__

    def __truediv__(self, other: Float | float) -> Float:
        return Float(self.builder, self.builder.fdiv(self.value, self._raw(other)))

    def __rtruediv__(self, other: float) -> Float:
        return Float(self.builder, self.builder.fdiv(self._raw(other), self.value))

    def __neg__(self) -> Float:
        return Float(self.builder, self.builder.fneg(self.value))

    def __abs__(self) -> Float:
        return _intrinsic("llvm.fabs", self)

    def _compare(self, sign: str, other: Float | float) -> Flag:
        return Flag(self.builder, self.builder.fcmp_ordered(sign, self.value, self._raw(other)))

    def __lt__(self, other: Float | float) -> Flag:
        return self._compare("<", other)

    def __gt__(self, other: Float | float) -> Flag:
        return self._compare(">", other)

    def __le__(self, other: Float | float) -> Flag:
        return self._compare("<=", other)

    def __ge__(self, other: Float | float) -> Flag:
        return self._compare(">=", other)

    def equals(self, other: Float | float) -> Flag:
        return self._compare("==", other)

    def is_nan(self) -> Flag:
        return Flag(self.builder, self.builder.fcmp_unordered("uno", self.value, self.value))

    def __mod__(self, other: Float | float) -> Float:
        """C's fmod."""
        return Float(self.builder, self.builder.frem(self.value, self._raw(other)))

    def bits(self) -> Int:
        kind = self.value.type
        element = INT64 if _element(kind) == DOUBLE else INT32
        return Int(self.builder, self.builder.bitcast(self.value, _with_element(kind, element)))

    def sign_bit(self) -> Int:
        bits = self.bits()
        return bits & -(1 << (_element(bits.value.type).width - 1))

    def with_sign(self, sign: Int) -> Float:
        """The value, not negative so far, with a sign bit put on."""
        return (self.bits() | sign).as_float()

    def flipped(self, sign: Int) -> Float:
        """The value, its sign changed where the sign bit is set."""
        return (self.bits() ^ sign).as_float()

    def floor(self) -> Float:
        return _intrinsic("llvm.floor", self)

    def ceil(self) -> Float:
        return _intrinsic("llvm.ceil", self)

    def trunc(self) -> Float:
        return _intrinsic("llvm.trunc", self)

    def round_half_even(self) -> Float:
        return _intrinsic("llvm.rint", self)

    def sqrt(self) -> Float:
        return _intrinsic("llvm.sqrt", self)


class Complex(Lane):
    """A complex number, of two floats `re` and `im`."""

    def __init__(self, builder: ir.IRBuilder, value: Any) -> None:
        super().__init__(builder, value)
        self.re, self.im = (Float(builder, builder.extract_value(value, part)) for part in range(2))

    @classmethod
    def of(cls, re: Float, im: Float) -> Complex:
        """The number of two parts."""
        kind = re.value.type
        both = ir.Constant(ir.LiteralStructType([kind, kind]), ir.Undefined)
        for part, half in enumerate((re, im)):
            both = re.builder.insert_value(both, half.value, part)
        return cls(re.builder, both)


def _intrinsic(name: str, *args: Float) -> Float:
    builder = args[0].builder
    kind = kind_of(args[0].value)
    function = builder.module.declare_intrinsic(name, [kind], ir.FunctionType(kind, [kind] * len(args)))
    return Float(builder, builder.call(function, [a.value for a in args]))


def libm(name: str, *args: Float) -> Float:
    """A function of the C library, the one that CPython calls: a call for each element."""
    builder = args[0].builder
    function = libm_function(builder.module, name, len(args))
    return Float(builder, builder.call(function, [a.value for a in args]))


def libm_function(module: ir.Module, name: str, arity: int) -> ir.Function:
    """The same, as it is known in a module."""
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(DOUBLE, [DOUBLE] * arity), name)


def where(condition: Flag, yes: Any, no: Any) -> Any:
    """`yes` if the condition holds, else `no`; both are computed."""
    kind = yes if isinstance(yes, Lane) else no
    if not isinstance(kind, Lane):  # two numbers
        number = _with_element(condition.value.type, DOUBLE)
        kind = Float(condition.builder, ir.Constant(number, 0.0))
    raw = condition.builder.select(condition.value, kind._raw(yes), kind._raw(no))
    return type(kind)(condition.builder, raw)


def fma(a: Float | float, b: Float | float, c: Float | float) -> Float:
    """a * b + c, rounded once."""
    lane = next(x for x in (a, b, c) if isinstance(x, Lane))
    return _intrinsic("llvm.fma", *(Float(lane.builder, lane._raw(x)) for x in (a, b, c)))


def polynomial(x: Float, coefficients: Sequence[float]) -> Any:
    """c[0] + c[1] x + c[2] x**2 + ... by Horner's rule."""
    total: Any = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = fma(total, x, c)
    return total


def quick_two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """a + b as (rounded sum, error), given |a| >= |b| or a == 0 (Dekker 1971)."""
    total = a + b
    return total, (a - total) + b


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """a + b as (rounded sum, error) (Knuth)."""
    total = a + b
    shift = total - a
    return total, (a - (total - shift)) + (b - shift)


def two_product(a: Any, b: Any) -> tuple[Float, Float]:
    """a * b as (rounded product, error)."""
    product = a * b
    return product, fma(a, b, -product)


def power_of_two(k: Float) -> Float:
    """2.0**n for the whole number n in -1022 ... 1023 of which `k` is n + ROUND."""
    return ((k.bits() << 52) + ONE).as_float()


@functools.cache
def has_fma() -> bool:
    """Can the code that Numba makes for this machine multiply and add in one instruction?"""
    if platform.machine().lower() in ("aarch64", "arm64"):
        return True
    name = getattr(config, "CPU_NAME", None)  # the options of Numba come from environment variables
    if name:
        return "+fma" in (getattr(config, "CPU_FEATURES", None) or "")
    return bool(llvm.get_host_cpu_features().get("fma"))


def vectorised(numpy_function: Callable[..., Any], fallback: Callable[..., Any]) -> Callable[..., Any]:
    """Make a formula into a function for `@njit` code.

    The formula takes lanes and the keyword `short`: True where the arguments are float32, so that fewer terms
    do (it is evaluated in float64 all the same, and rounded once at the end). `fallback` is a function that
    Numba compiles; it serves machines without fused multiply-add.
    """

    def decorate(formula: Callable[..., Float]) -> Callable[..., Any]:
        def function(*args: Any) -> Any:
            return numpy_function(*args)

        function.__name__ = function.__qualname__ = formula.__name__
        function.__doc__, function.__module__ = formula.__doc__, formula.__module__
        arity = formula.__code__.co_argcount
        _register(function, arity, formula, fallback)
        _VECTORISED.add(function)
        return function

    return decorate


_VECTORISED: set[Callable[..., Any]] = set()


def vectorised_in(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions that a module makes of formulas, by name."""
    return {f.__name__: f for f in _VECTORISED if f.__module__ == module.__name__}


def _register(
    function: Callable[..., Any], arity: int, formula: Callable[..., Float], fallback: Callable[..., Any]
) -> None:
    def type_call(context: Any) -> Callable[..., Any]:
        return (lambda x: _result(x)) if arity == 1 else (lambda x, y: _result(x, y))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not has_fma():
            return context.compile_internal(builder, fallback, sig, args)
        short = sig.return_type == types.float32
        lanes = [Float(builder, builder.fpext(a, DOUBLE) if short else a) for a in args]
        value = formula(*lanes, short=short).value
        return builder.fptrunc(value, SINGLE) if short else value

    type_callable(function)(type_call)
    for kind in (types.float32, types.float64):
        lower_builtin(function, *[kind] * arity)(lower)


def _result(*args: Any) -> Any:
    if not all(isinstance(a, (types.Float, types.Integer, types.Boolean)) for a in args):
        return None
    kind = types.float32 if all(a == types.float32 for a in args) else types.float64
    return signature(kind, *[kind] * len(args))


def numpy_scalar(function: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's function without its warnings, as compiled code has none."""

    def quiet(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*args)

    return quiet
