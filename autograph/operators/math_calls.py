"""The functions of `math` on symbols."""

from __future__ import annotations

from typing import Any

from ...graph.ir.literals import literal
from ...graph.ir.types import BOOL, FLOAT, INT, Scalar
from ...graph.ops import OPS
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.symbols import Symbol, SymbolicScalar, SymbolicUnion, payload, python_call
from ...graph.trace.build import current
from .builtin_calls import BUILTINS

MATH_TO_INT = ("floor", "ceil", "trunc")
MATH_TO_BOOL = ("isnan", "isinf", "isfinite")
MATH_FLOAT = (
    "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
    " fabs cbrt degrees radians erf erfc gamma lgamma pow fmod atan2 hypot copysign"
).split()


def math_call(plain: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``math.<name>(*args)`` with a symbol among the arguments."""
    args = tuple(payload(arg) if isinstance(arg, SymbolicUnion) else arg for arg in args)
    name = plain.__name__
    kinds = [kind for kind in map(type_of, args) if isinstance(kind, Scalar) and kind.dtype.kind in "biuf"]
    usable = len(kinds) == len(args)
    wanted = MATH_FLOAT + list(MATH_TO_BOOL) + list(MATH_TO_INT)
    if not usable or kwargs or name not in wanted or f"math.{name}" not in OPS:
        return python_call(f"math.{name}", args, kwargs)
    if name in MATH_TO_INT and kinds[0].dtype.kind in "biu":
        return BUILTINS[int](args[0]) if kinds[0].is_python else python_call(f"math.{name}", args, kwargs)
    if name in ("log", "pow") and len(args) != (1 if name == "log" else 2):
        return python_call(f"math.{name}", args, kwargs)
    result = INT if name in MATH_TO_INT else BOOL if name in MATH_TO_BOOL else FLOAT
    slots = ", ".join(f"{{{k}}}" for k in range(len(args)))
    operands = tuple(arg.operand() if isinstance(arg, Symbol) else literal(arg) for arg in args)
    loop = ("float",) * len(args)
    return SymbolicScalar(
        current().one(f"math.{name}", operands, result, loop=loop, text=f"math.{name}({slots})"), result
    )
