"""Maxima and minima with NumPy's results.

`maximum` element by element is vectorised, but as a reduction only the right one of these two loops is::

    m = -np.inf                                 m, bad = -np.inf, False
    for j in range(n):                          for j in range(n):
        m = maximum(m, expression)                  x = expression
                                                    m = larger(m, x)
                                                    bad |= x != x
                                                m = np.nan if bad else m

There a loop must read all it reads before its first store. Integers need neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable


def _pair(
    name: str, numpy_function: Callable[..., Any], emit: Callable[..., Any], doc: str
) -> Callable[..., Any]:
    """A function of two floats of one kind, lowered by `emit(builder, a, b)`."""

    def function(a: Any, b: Any) -> Any:
        return numpy_function(a, b)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc

    def typer(a: Any, b: Any) -> Any:
        if not all(isinstance(k, (types.Float, types.Integer, types.Boolean)) for k in (a, b)):
            return None
        kind = types.float32 if a == b == types.float32 else types.float64
        return signature(kind, kind, kind)

    type_callable(function)(lambda context: typer)
    for kind in (types.float32, types.float64):
        lower_builtin(function, kind, kind)(lambda context, builder, sig, args: emit(builder, *args))
    return function


def _either(name: str, sign: str) -> Callable[..., Any]:
    """NaN if there is one; of 0.0 and -0.0 the one that this machine's NumPy takes.

    That is the second operand where the instruction is x86's, else -0.0 is the smaller one.
    """
    if not np.signbit(np.maximum(0.0, -0.0)):
        return _call(f"llvm.{name}")

    def emit(builder: ir.IRBuilder, a: Any, b: Any) -> Any:
        chosen = builder.select(builder.fcmp_ordered(sign, a, b), a, b)
        return builder.select(builder.fcmp_unordered("uno", a, a), a, chosen)

    return emit


def _call(name: str) -> Callable[..., Any]:
    def emit(builder: ir.IRBuilder, a: Any, b: Any) -> Any:
        kind = ir.FunctionType(a.type, [a.type, a.type])
        return builder.call(builder.module.declare_intrinsic(name, [a.type], kind), [a, b])

    return emit


def _select(sign: str) -> Callable[..., Any]:
    # "nnan" makes the result undefined for NaN, and the loop around it a maximum that LLVM knows; callers
    # watch for NaN themselves.
    def emit(builder: ir.IRBuilder, a: Any, b: Any) -> Any:
        flags = ("nnan", "nsz")
        return builder.select(builder.fcmp_ordered(sign, a, b, flags=flags), a, b, flags=flags)

    return emit


def _unless(sign: str) -> Callable[..., Any]:
    """a where it wins or b is NaN, else b."""

    def emit(builder: ir.IRBuilder, a: Any, b: Any) -> Any:
        wins = builder.or_(builder.fcmp_ordered(sign, a, b), builder.fcmp_unordered("uno", b, b))
        return builder.select(wins, a, b)

    return emit


maximum = _pair("maximum", np.maximum, _either("maximum", ">"), "Larger of two floats; NaN if one is NaN.")
minimum = _pair(
    "minimum", np.minimum, _either("minimum", "<"), "The smaller of two floats; NaN if one is NaN."
)
fmax = _pair("fmax", np.fmax, _unless(">="), "The larger of two floats; the other one if one is NaN.")
fmin = _pair("fmin", np.fmin, _unless("<="), "The smaller of two floats; the other one if one is NaN.")
larger = _pair("larger", np.maximum, _select(">"), "The larger of two floats; *undefined* if one is NaN.")
smaller = _pair("smaller", np.minimum, _select("<"), "The smaller of two floats; *undefined* if one is NaN.")
