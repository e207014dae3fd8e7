"""The functions of `math` on symbols."""

from __future__ import annotations

import math
from typing import Any

from ...graph.ir.literals import literal
from ...graph.ir.types import BOOL, FLOAT, INT, Scalar
from ...graph.ops import lookup
from ...graph.ops.define import NotDifferentiable, OpDef
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.symbols import Symbol, SymbolicScalar, SymbolicUnion, payload, python_call
from ...graph.trace.build import current
from .builtin_calls import BUILTINS

_TO_INT = (math.floor, math.ceil, math.trunc)
_TO_BOOL = (math.isnan, math.isinf, math.isfinite)


def _is_of_ints(op: OpDef) -> bool:
    """`math.gcd` and its like, which are Python's."""
    return op.scalar is None and isinstance(op.gradient, NotDifferentiable)


def math_call(plain: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``math.<name>(*args)`` with a symbol among the arguments."""
    args = tuple(payload(arg) if isinstance(arg, SymbolicUnion) else arg for arg in args)
    name = plain.__name__
    kinds = [kind for kind in map(type_of, args) if isinstance(kind, Scalar) and kind.dtype.kind in "biuf"]
    usable = len(kinds) == len(args)
    op = lookup(plain)
    if not usable or kwargs or op is None or _is_of_ints(op):
        return python_call(f"math.{name}", args, kwargs)
    if plain in _TO_INT and kinds[0].dtype.kind in "biu":
        return BUILTINS[int](args[0]) if kinds[0].is_python else python_call(f"math.{name}", args, kwargs)
    if name in ("log", "pow") and len(args) != (1 if name == "log" else 2):
        return python_call(f"math.{name}", args, kwargs)
    result = INT if plain in _TO_INT else BOOL if plain in _TO_BOOL else FLOAT
    operands = tuple(arg.operand() if isinstance(arg, Symbol) else literal(arg) for arg in args)
    loop = ("float",) * len(args)
    return SymbolicScalar(current().one(f"math.{name}", operands, result, loop=loop), result)
