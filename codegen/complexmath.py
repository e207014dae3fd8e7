"""Complex arithmetic inside compiled code, in NumPy's bits.

`complex_*` are NumPy's loops over arrays, whose ways `graph/ir/complex_loops.py` has asked for;
`number_*` are what NumPy's own numbers do where that is something else. Called from Python they are NumPy's
functions. Functions of one number are those of the C library, which NumPy calls, too.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.typing import Context, signature
from numba.core.typing.templates import Signature
from numba.extending import lower_builtin, type_callable

from ..graph.ir import complex_loops
from ..graph.ir.complex_loops import FUSED, TWICE, Number
from ..graph.ops.from_c import C_NAMES
from .vecmath.formula import SINGLE, Complex, Float, Vector, fma, numpy_scalar, where

_KINDS = {types.complex64: types.float32, types.complex128: types.float64}


def _way(z: Complex, way: Callable[[str], str]) -> str:
    return way("complex64" if z.re.value.type == SINGLE else "complex128")


def _product(z: Complex, w: Complex) -> Complex:
    """Each part with two roundings, or with three."""
    if _way(z, complex_loops.product) == FUSED:
        return Complex.of(fma(z.re, w.re, -(z.im * w.im)), fma(z.re, w.im, z.im * w.re))
    return plain_product(z, w)


def plain_product(z: Complex, w: Complex) -> Complex:
    """The product by its definition, as of NumPy's and Python's numbers."""
    return Complex.of(z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re)


def _square(z: Complex) -> Complex:
    return _product(z, z)


def _quotient(z: Complex, w: Complex) -> Complex:
    """Smith 1962, with one reciprocal for both parts; NumPy gives parts over 0 where both are 0."""
    steep = abs(w.re) < abs(w.im)
    more, less = where(steep, w.im, w.re), where(steep, w.re, w.im)
    ratio = less / more
    scale = 1.0 / (more + less * ratio)
    upper, lower = where(steep, z.im, z.re), where(steep, z.re, z.im)
    re = (upper + lower * ratio) * scale
    im = where(steep, z.im * ratio - z.re, z.im - z.re * ratio) * scale
    zero = w.re.equals(0.0) & w.im.equals(0.0)
    below = abs(w.re)
    return Complex.of(where(zero, z.re / below, re), where(zero, z.im / below, im))


def _inverse(z: Complex) -> Complex:
    flat = abs(z.im) <= abs(z.re)
    more, less = where(flat, z.re, z.im), where(flat, z.im, z.re)
    ratio = less / more
    below = where(flat, z.re + z.im * ratio, z.re * ratio + z.im)
    one, turned = 1.0 / below, ratio / below
    return Complex.of(where(flat, one, turned), where(flat, -ratio / below, -1.0 / below))


def _size(z: Complex) -> Float:
    """The magnitude of an element of an array."""
    way = _way(z, complex_loops.magnitude)
    if way not in (FUSED, TWICE):
        return _hypot(z)
    one, other = abs(z.re), abs(z.im)
    big, small = where(other > one, other, one), where(other > one, one, other)
    ratio = where(big.equals(0.0), small, small / big)
    inner = fma(ratio, ratio, 1.0) if way == FUSED else ratio * ratio + 1.0
    value = inner.sqrt() * big
    return where(one.equals(math.inf) | other.equals(math.inf), math.inf, value)


def _hypot(z: Complex) -> Float:
    """The magnitude of a number of its own."""
    return _c_function("hypot", z.re.builder, [z.re.value, z.im.value], z.re.value.type)


def _c_function(name: str, builder: ir.IRBuilder, args: list[ir.Value], result: ir.Type) -> Float:
    kind = ir.FunctionType(result, [a.type for a in args])
    name += "f" if result == SINGLE else ""
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return Float(builder, builder.call(function, args))


def from_c(name: str, *numbers: Complex) -> Complex:
    """A function of the C library, as the machine's convention hands complex numbers over.

    Those of floats are one vector register on x86, all others a register for each part.
    """
    builder, part = numbers[0].builder, numbers[0].re.value.type
    packed = part == SINGLE and complex_loops.is_x86()
    kind = Vector(part, 2) if packed else ir.LiteralStructType([part, part])
    count = len(numbers) if packed else 2 * len(numbers)
    signature_ = ir.FunctionType(kind, [kind if packed else part] * count)
    called = name + ("f" if part == SINGLE else "")
    function = builder.module.globals.get(called) or ir.Function(builder.module, signature_, called)
    places = [ir.Constant(ir.IntType(32), k) for k in range(2)]
    if not packed:
        found = builder.call(function, [p.value for z in numbers for p in (z.re, z.im)])
        return Complex.of(*(Float(builder, builder.extract_value(found, k)) for k in range(2)))
    vectors = []
    for z in numbers:
        vector = builder.insert_element(ir.Constant(kind, ir.Undefined), z.re.value, places[0])
        vectors.append(builder.insert_element(vector, z.im.value, places[1]))
    found = builder.call(function, vectors)
    return Complex.of(*(Float(builder, builder.extract_element(found, place)) for place in places))


def _function(
    name: str, numpy_function: Callable, formula: Callable[..., Complex | Float], arity: int
) -> Callable:
    """A function for `@njit` code of complex elements of one dtype."""
    python = numpy_scalar(numpy_function)

    def function(*args: Number) -> Number:
        return python(*args)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{numpy_function.__name__} of complex numbers."
    is_real = formula.__annotations__.get("return") == "Float"

    def typer(*args: types.Type) -> Signature | None:
        if not all(isinstance(a, types.Complex) for a in args):
            return None
        kind = types.complex128 if types.complex128 in args else types.complex64
        return signature(_KINDS[kind] if is_real else kind, *[kind] * arity)

    def lower(
        context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
    ) -> ir.Value:
        return formula(*(Complex(builder, a) for a in args)).value

    typers = {1: lambda a: typer(a), 2: lambda a, b: typer(a, b)}
    register: Any = type_callable(function)
    register(lambda context: typers[arity])
    for kind in _KINDS:
        lower_builtin(function, *[kind] * arity)(lower)
    return function


def _named(name: str) -> Callable[[Complex], Complex]:
    def formula(z: Complex) -> Complex:
        return from_c(C_NAMES[name], z)

    return formula


def _c_power(z: Complex, w: Complex) -> Complex:
    return from_c("cpow", z, w)


def _numbers_product(z: Complex, w: Complex) -> Complex:
    return plain_product(z, w)


complex_multiply = _function("complex_multiply", np.multiply, _product, 2)
complex_square = _function("complex_square", np.square, _square, 1)
complex_divide = _function("complex_divide", np.divide, _quotient, 2)
complex_reciprocal = _function("complex_reciprocal", np.reciprocal, _inverse, 1)
complex_absolute = _function("complex_absolute", np.absolute, _size, 1)
number_multiply = _function("number_multiply", operator.mul, _numbers_product, 2)
c_power = _function("c_power", np.power, _c_power, 2)
number_absolute = _function("number_absolute", abs, _hypot, 1)
globals().update(
    {f"complex_{name}": _function(f"complex_{name}", getattr(np, name), _named(name), 1) for name in C_NAMES}
)


def _power(z: Number, w: Number, one: Number) -> Number | complex:
    """NumPy's power: products for small whole exponents; compiled by Numba, for its loop."""
    if w.real == 0 and w.imag == 0:
        return one
    if z.real == 0 and z.imag == 0:
        return one - one if w.real > 0 else complex(math.nan, math.nan)
    if w.imag != 0 or not -100 < w.real < 100 or math.floor(w.real) != w.real:
        return c_power(z, w)
    count = int(w.real)
    if count == 1:
        return z
    if count == 2:
        return number_multiply(z, z)
    if count == 3:
        return number_multiply(z, number_multiply(z, z))
    rest = abs(count)
    value = one
    while True:
        if rest & 1:
            value = number_multiply(value, z)
        rest >>= 1
        if rest == 0:
            break
        z = number_multiply(z, z)
    return complex_divide(one, value) if count < 0 else value


def complex_power(z: Number, w: Number) -> Number:
    """numpy.power of complex numbers of one dtype."""
    return numpy_scalar(np.power)(z, w)


@type_callable(complex_power)
def _type_power(context: Context) -> Callable[..., Signature | None]:
    def typer(z: types.Type, w: types.Type) -> Signature | None:
        kinds = [a for a in (z, w) if isinstance(a, types.Complex)]
        kind = types.complex64 if kinds == [types.complex64, types.complex64] else types.complex128
        return signature(kind, kind, kind) if len(kinds) == 2 else None

    return typer


@lower_builtin(complex_power, types.complex64, types.complex64)
@lower_builtin(complex_power, types.complex128, types.complex128)
def _lower_power(
    context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    kind = sig.return_type
    inner = signature(kind, kind, kind, kind)
    return context.compile_internal(builder, _power, inner, [*args, context.get_constant(kind, 1 + 0j)])
