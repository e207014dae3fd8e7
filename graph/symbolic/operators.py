"""Python's operators on symbols: one rule decides between Python's numbers, NumPy's and opaque objects."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.complex_loops import DTYPES, shortcut
from ..ir.dims import Size
from ..ir.literals import is_number
from ..ir.types import BOOL, COMPLEX, FLOAT, INT, Array, Scalar, Type, numpy_scalar
from ..ops.resolve import result_dtype
from ..trace.attempt import Attempt
from ..trace.build import TraceError, current, rules
from ..trace.called import call_of
from .arith import _RANK, COMPARISONS, UFUNCS, elementwise, lift, may_stop_midway, operand, type_of
from .arrays import SymbolicArray
from .indexing import assign, fits
from .symbols import (
    BINARY,
    UNARY,
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    SymbolicUnion,
    as_dim,
    python_expression,
    python_statement,
    template,
    unwrap_union,
)
from .unions import OF_COMPLEX, binary_either, unary_either

_FLOAT64 = numpy_scalar(np.dtype(np.float64))


def binary(name: str, left: Any, right: Any) -> Any:
    """``left <op> right`` for any mixture of symbols and constants."""
    left, right = unwrap_union(left), unwrap_union(right)
    if isinstance(left, (list, tuple)) and _is_array(right):
        left = lift(left)
    elif isinstance(right, (list, tuple)) and _is_array(left):
        right = lift(right)
    if isinstance(left, SymbolicUnion) or isinstance(right, SymbolicUnion):
        return binary_either(name, left, right)
    for one in (left, right):
        if (operate := getattr(type(one), "operate", None)) is not None:
            return operate(name, left, right)
    known = _known(left) and _known(right)
    if not known or isinstance(left, SymbolicObject) or isinstance(right, SymbolicObject):
        sign = BINARY[name][0]
        return python_expression(lambda t: f"{t.write(left)} {sign} {t.write(right)}")
    if name == "matmul":
        return rules().function(np.matmul, (left, right), {})
    kinds = type_of(left), type_of(right)
    if all(isinstance(k, Scalar) and k.is_python for k in kinds):
        return _python_binary(name, left, right)
    if kinds[0] == COMPLEX and kinds[1] == _FLOAT64 and name in OF_COMPLEX:
        return _python_binary(name, left, _as_float(right))
    if name == "pow" and (fast := _power_shortcut(left, right)) is not None:
        return fast
    of_numbers = "number.multiply" if name == "mul" and _is_of_numbers(*kinds) else None
    return elementwise(UFUNCS[name], (left, right), f"{{0}} {BINARY[name][0]} {{1}}", of_numbers)


def _is_of_numbers(left: Type, *right: Type) -> bool:
    """True where one of NumPy's complex numbers computes by itself, and not a loop over arrays.

    It does if its own type is that of the result, or if one of Python's stands on its left.
    """
    kinds = (left, *right)
    if not all(isinstance(kind, Scalar) for kind in kinds):
        return False
    wide = result_dtype(kinds)
    own = any(kind == numpy_scalar(wide) for kind in kinds)
    return wide.kind == "c" and (own or left == COMPLEX)


def _as_float(value: Any) -> Any:
    """A `np.float64` as the Python float that it also is: in ``1j + x`` `complex` is asked first."""
    if not isinstance(value, Symbol):
        return float(value)
    return SymbolicScalar(current().one("py.float", (operand(value),), FLOAT, loop=(_FLOAT64.kind,)), FLOAT)


def _is_array(value: Any) -> bool:
    return isinstance(value, Symbol) and isinstance(value.type, Array)


def _known(value: Any) -> bool:
    return isinstance(value, Symbol) or is_number(value) or type(value) is np.ndarray


def unary(name: str, value: Any) -> Any:
    """``-x``, ``+x``, ``~x``, ``abs(x)``."""
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion):
        return unary_either(name, value)
    if isinstance(value, SymbolicObject):
        return python_expression(lambda t: UNARY[name].replace("{0}", t.write(value)))
    kind = type_of(value)
    if isinstance(kind, Scalar) and kind.is_python:
        return _python_unary(name, value, kind)
    of_numbers = "number.absolute" if name == "abs" and _is_of_numbers(kind) else None
    return elementwise(UFUNCS[name], (value,), UNARY[name], of_numbers)


def _python_unary(name: str, value: Any, kind: Scalar) -> Any:
    dim = as_dim(value)
    if dim is not None and name in ("neg", "pos"):
        return SymbolicScalar(None, INT, dims.scale(dim, -1 if name == "neg" else 1))
    if kind == COMPLEX and name == "abs":
        result = FLOAT
    elif kind == BOOL or name == "invert":
        if kind in (FLOAT, COMPLEX):
            raise TraceError(f"bad operand type for unary ~: '{kind}'")
        result = INT
    else:
        result = kind
    loop = ("int",) if kind == BOOL else (kind.kind,)
    node = current().one(f"py.{name}", (operand(value),), result, loop=loop)
    return SymbolicScalar(node, result)


def _python_binary(name: str, left: Any, right: Any) -> Any:
    affine = _affine(name, left, right)
    if affine is not None:
        return affine
    a, b = type_of(left), type_of(right)
    assert isinstance(a, Scalar)
    assert isinstance(b, Scalar)
    wide = max((a.kind, b.kind), key=_RANK.__getitem__)
    if name in COMPARISONS:
        if wide == "complex" and name not in ("eq", "ne"):
            raise TraceError(f"'{BINARY[name][0]}' not supported between complex numbers")
        result, loop = BOOL, (wide, wide) if wide != "bool" else ("int", "int")
        if {a.kind, b.kind} == {"int", "float"}:
            loop = (a.kind, b.kind)
    elif name in ("and", "or", "xor") and wide == "bool":
        result, loop = BOOL, ("bool", "bool")
    elif name in ("and", "or", "xor", "lshift", "rshift"):
        if wide in ("float", "complex"):
            raise TraceError(f"unsupported operand types for {BINARY[name][0]}: {a} and {b}")
        result, loop = INT, ("int", "int")
    elif name == "truediv" and wide in ("bool", "int"):
        result, loop = FLOAT, ("int", "int")
    elif name == "pow" and wide in ("bool", "int") and isinstance(right, int) and right < 0:
        result, loop = FLOAT, ("float", "float")
    elif name in ("floordiv", "mod") and wide == "complex":
        raise TraceError("can't take floor or mod of a complex number")
    else:
        wide = "int" if wide == "bool" else wide
        result, loop = Scalar(wide), (wide, wide)
    node = current().one(f"py.{name}", (operand(left), operand(right)), result, loop=loop)
    if name in COMPARISONS and (one := as_dim(left)) is not None and (other := as_dim(right)) is not None:
        current().compared[node.name] = name, one, other
    return SymbolicScalar(node, result)


def _affine(name: str, left: Any, right: Any) -> Any:
    """Sums, constant multiples and quotients of index-like ints stay affine forms: they fit in 64 bits."""
    if name not in ("add", "sub", "mul", "floordiv"):
        return None
    a, b = as_dim(left), as_dim(right)
    if a is None or b is None or max(_magnitude(a), _magnitude(b)) >= 2**13:
        return None
    if name == "floordiv":
        # Of sizes and arguments only: of what changes in loops more is known about a node.
        if not isinstance(b, int) or b <= 0 or not (made_of_sizes(a) or current().guardable(a)):
            return None
        size = dims.floordiv(a, b)
    elif name == "mul":
        if not isinstance(a, int) and not isinstance(b, int):
            return None
        size = dims.mul(a, b)
    else:
        size = dims.add(a, b) if name == "add" else dims.sub(a, b)
    return SymbolicScalar(None, INT, size) if not isinstance(size, int) else size


def made_of_sizes(size: Size) -> bool:
    """Whether nothing but sizes of arrays is in an affine form."""
    return dims.symbols(size) <= current().sizes.keys()


def _magnitude(size: Any) -> int:
    if isinstance(size, int):
        return abs(size) if abs(size) >= 2**40 else min(abs(size), 2**12)
    return sum(abs(coefficient) for _, coefficient in size.terms)


def _power_shortcut(left: Any, right: Any) -> Any:
    """NumPy computes ``x ** 2`` as square and so on for arrays (array_power's fast scalar powers)."""
    if not isinstance(type_of(left), Array) or type(right) not in (int, float):
        return None
    dtype = type_of(left).dtype  # type: ignore[union-attr]
    if dtype.kind in "fc":
        table: dict[float, Any] = {1.0: np.positive, 2.0: np.square, -1.0: np.reciprocal, 0.5: np.sqrt}
        if dtype.kind == "f":
            fast = table.get(float(right))
        else:
            fast = shortcut(dtype.name, right) if dtype.name in DTYPES else None
        if fast is not None:
            text = f"{{0}} ** {right!r}" if right >= 0 else f"{{0}} ** ({right!r})"
            return elementwise(fast, (left,), text=text)
    elif dtype.kind in "iub" and type(right) is int and right == 2:
        return elementwise(np.square, (left,), text="{0} ** 2")
    return None


def in_place(name: str, array: SymbolicArray, other: Any) -> SymbolicArray:
    """``array <op>= other``: computed and stored, or by NumPy where it has to say what is wrong."""
    sign, opaque = BINARY[name][0], False
    with Attempt(current()) as trial:
        result = binary(name, array, other)
        if isinstance(result, SymbolicObject):
            opaque = name in ("add", "sub", "mul", "truediv")
            trial.give_up()
        if name in UFUNCS and may_stop_midway(UFUNCS[name].__name__, (array, other)):
            trial.give_up()
        made_by_numpy = isinstance(result, SymbolicArray) and _made_by_numpy(result)
        dtype = getattr(result, "dtype", None) or result.type.dtype
        if not made_by_numpy and not np.can_cast(dtype, array.dtype, "same_kind"):
            raise TraceError(f"Cannot cast ufunc output from {dtype} to {array.dtype}")
        if made_by_numpy or not fits(array, result):
            trial.give_up()
        assign(array, result)
        return array
    if opaque:
        python_statement(lambda t: f"{t.write(array)}[...] {sign}= {t.write(other)}")
        return array
    # NumPy computes in place, with its own errors.
    under = template()
    source = f"{under.write(array)} {sign}= {under.write(other)}"
    called = call_of(under, getattr(operator, f"i{name}"), (array, other), {})
    current().emit("numpy_write", under.operands, (), {"text": source, "_call": called})
    return array


def _made_by_numpy(result: SymbolicArray) -> bool:
    block = current().blocks[-1]
    return bool(block) and block[-1].op == "numpy" and block[-1].results[0] is result.operand()
