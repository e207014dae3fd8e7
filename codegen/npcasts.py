"""NumPy's conversions of floats to ints inside compiled code: every float has an int.

LLVM's own conversions are undefined for a float that doesn't fit, NaN among them: where it sees such a one
when it compiles it leaves out the store, and eight at once may give other ints than one by one. NumPy gives
what the processor does: `np_int32(1e300)` is the least int32 on x86 and the largest elsewhere; narrower ints
are the low bits of 32. Beyond uint32 NumPy has two answers: one where four elements are converted at once,
which is this one, and one for what is left over.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing import Signature, signature
from numba.extending import lower_builtin, type_callable
from numba.np.numpy_support import from_dtype

SATURATES = platform.machine().lower() not in ("x86_64", "amd64", "i386", "i686")
"""Whether the processor gives the nearest int (0 for NaN) where x86 gives the least."""


def _signed(builder: ir.IRBuilder, x: ir.Value, width: int) -> ir.Value:
    """x86's conversion: the fraction is cut off; what doesn't fit is the least int of `width` bits."""
    kind, least = ir.IntType(width), -(1 << (width - 1))
    absolute = builder.module.declare_intrinsic("llvm.fabs", [x.type])
    fits = builder.fcmp_ordered("<", builder.call(absolute, [x]), ir.Constant(x.type, -float(least)))
    return builder.select(fits, builder.fptosi(x, kind), ir.Constant(kind, least))


def _unsigned(builder: ir.IRBuilder, x: ir.Value, width: int) -> ir.Value:
    """What compilers make of it: from 2**(width - 1) on, that bit and what is beyond, as a signed int."""
    top = 1 << (width - 1)
    half = ir.Constant(x.type, float(top))
    large = builder.fcmp_ordered(">=", x, half)
    found = _signed(builder, builder.select(large, builder.fsub(x, half), x), width)
    return builder.select(large, builder.xor(found, ir.Constant(found.type, top)), found)


def _nearest(builder: ir.IRBuilder, x: ir.Value, width: int, signed: bool) -> ir.Value:
    """The conversion of other processors."""
    kind, name = ir.IntType(width), f"llvm.fpto{'si' if signed else 'ui'}.sat"
    function = builder.module.declare_intrinsic(name, [kind, x.type], ir.FunctionType(kind, [x.type]))
    return builder.call(function, [x])


def as_int(builder: ir.IRBuilder, x: ir.Value, width: int, signed: bool, saturates: bool) -> ir.Value:
    """A float as an int of 32 or 64 bits, of which the low ones stay if fewer are wanted."""
    if saturates:
        found = _nearest(builder, x, max(width, 32), signed)
    else:
        found = (_signed if signed or width < 32 else _unsigned)(builder, x, max(width, 32))
    return found if found.type.width == width else builder.trunc(found, ir.IntType(width))


def _conversion(dtype: np.dtype) -> Callable[[float], np.integer]:
    """The function for `@njit` code that makes an int of a float."""
    kind: Any = from_dtype(dtype)

    def function(x: float) -> np.integer:
        with np.errstate(all="ignore"):
            return dtype.type(np.asarray(x).astype(dtype))

    function.__name__ = function.__qualname__ = f"np_{dtype.name}"
    function.__doc__ = f"A float as NumPy's {dtype.name}."

    def lower(context: object, builder: ir.IRBuilder, sig: object, args: Sequence[ir.Value]) -> ir.Value:
        return as_int(builder, args[0], kind.bitwidth, kind.signed, SATURATES)

    def typer(x: types.Type) -> Signature | None:
        return signature(kind, x) if isinstance(x, types.Float) else None

    type_callable(function)(lambda context: typer)
    lower_builtin(function, types.Float)(lower)
    return function


np_int8, np_int16, np_int32, np_int64 = (_conversion(np.dtype(f"i{size}")) for size in (1, 2, 4, 8))
np_uint8, np_uint16, np_uint32, np_uint64 = (_conversion(np.dtype(f"u{size}")) for size in (1, 2, 4, 8))
