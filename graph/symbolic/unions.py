"""Operations on unions (`SymbolicUnion`): on the payload where the kind makes no difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.literals import is_number, literal
from ..ir.nodes import Operand
from ..ir.types import BOOL, COMPLEX, FLOAT, INT, Array, Scalar, numpy_scalar
from ..ops import OPS
from ..ops.resolve import resolve_ufunc
from ..trace.build import current, rules
from .arith import _RANK, COMPARISONS, UFUNCS, operand, type_of
from .scalar_methods import convert, to_numpy
from .symbols import Symbol, SymbolicScalar, SymbolicUnion, as_dim

_FLOATS = [FLOAT, numpy_scalar("float64")]
OF_COMPLEX = ("add", "sub", "mul", "truediv", "pow", "eq", "ne")
"""What `complex` does with a `np.float64` on its right, which is a Python float: `complex` is asked first."""


def binary_either(name: str, left: Any, right: Any) -> Any:
    """``left <op> right`` where one side, or both, are of two kinds; by Python in the driver if need be."""
    both = isinstance(left, SymbolicUnion) and isinstance(right, SymbolicUnion)
    found = _of_two(name, left, right) if both else _of_one(name, left, right)
    if found is not None:
        return found
    return rules().binary(
        name, *(v.as_object() if isinstance(v, SymbolicUnion) else v for v in (left, right))
    )


def unary_either(name: str, value: SymbolicUnion) -> Any:
    """``<op> value``: of floats of two kinds, the operation on the payload has the same bits as either's."""
    if _is_number_choice(value) and name in ("neg", "pos", "abs"):
        kinds = value.first, _kind(value.payload)
        if kinds[0].dtype == kinds[1].dtype and kinds[0].dtype.kind == "f":
            return SymbolicUnion(value.tag, value.first, rules().unary(name, value.payload))
        if kinds[0] == INT and kinds[1] in _FLOATS:
            return _exact(SymbolicUnion(value.tag, INT, rules().unary(name, value.payload)))
    return rules().unary(name, value.as_object())


def _is_number_choice(value: SymbolicUnion) -> bool:
    return isinstance(value.first, Scalar) and isinstance(value.payload.type, Scalar)


def _kind(value: Any) -> Scalar:
    kind = value.type if isinstance(value, Symbol) else value
    assert isinstance(kind, Scalar)
    return kind


def _of_one(name: str, left: Any, right: Any) -> Any:
    which = left if isinstance(left, SymbolicUnion) else right
    other = right if which is left else left
    if which.first is None and name in ("eq", "ne"):
        return _unless_none(name, which, other)
    if not _is_number_choice(which) or not (isinstance(other, Symbol) or is_number(other)):
        return None
    if name == "pow":
        return _power(which, other) if which is left else None
    payload = which.payload
    found = [_computed(name, kind, other, which is left) for kind in (which.first, _kind(payload))]
    if name == "truediv" and which.first in (INT, BOOL) and _are_pythons(found) and not _is_no_zero(other):
        return None  # an int by zero says something else than a float
    if which.first in (INT, BOOL) and name in ("add", "sub", "mul", "truediv"):
        in_floats = name == "truediv" or _kind(payload).dtype.kind == "f"
        payload, other = (_exact_float(v, which.tag) if in_floats else v for v in (payload, other))
        if payload is None or other is None:
            return None
    pair = (payload, other) if which is left else (other, payload)
    if name == "truediv" and which is left and [one and one.kind for one in found] == _FLOATS:
        return _quotient(which.tag, *pair)
    return _joined(name, which.tag, found, pair)


def _are_pythons(found: list[_Computed | None]) -> bool:
    return all(one is not None and one.kind.is_python for one in found)


def _power(which: SymbolicUnion, exponent: object) -> SymbolicUnion | None:
    """A number to the power of a constant that isn't negative."""
    kind = _kind(which.payload)
    if type(exponent) is not int or exponent < 0:
        return None
    if (which.first, kind) == (INT, numpy_scalar("int64")) and exponent == 2:
        found: SymbolicUnion = rules().binary("mul", which, which)
        return found
    if [which.first, kind] != _FLOATS:
        return None
    operands = (which.payload.operand(), operand(float(exponent)), which.tag)
    return SymbolicUnion(which.tag, FLOAT, _checked("either_pow", operands, kind))


def exact_float(value: object) -> object:
    """An int of Python's as a float that holds it exactly, which is checked; None if it can't be."""
    return _exact_float(value, literal(False))


def _exact_float(value: object, tag: Operand) -> object:
    """An int as a float that holds it exactly where it is Python's, or None; what is no int as it is."""
    if not isinstance(value, SymbolicScalar):
        return value if type(value) is not int or abs(value) < 2**53 else None
    kind = _kind(value)
    if kind.dtype.kind != "i":
        return value
    if kind == INT:
        return _checked("exact", (convert(value, FLOAT).operand(), tag), FLOAT)
    wide = numpy_scalar("float64")
    return _checked("exact", (to_numpy(value, wide.dtype).operand(), tag), wide)


def _unless_none(name: str, which: SymbolicUnion, other: object) -> Symbol | None:
    """What is None or a number, compared with a number: None is equal to none, and that is Python's bool."""
    if not isinstance(which.payload, SymbolicScalar) or not (
        isinstance(other, SymbolicScalar) or is_number(other)
    ):
        return None
    found, tag = rules().binary(name, which.payload, other), which.tag
    held = convert(found, BOOL).operand()
    if name == "ne":
        tag = current().one("py.not", (tag,), BOOL, loop=("bool",), text="not {0}")
    op, text = ("py.and", "{0} and {1}") if name == "eq" else ("py.or", "{0} or {1}")
    held = current().one(op, (tag, held), BOOL, loop=("bool", "bool"), text=text)
    if found.type == BOOL:
        return SymbolicScalar(held, BOOL)
    return SymbolicUnion(which.tag, BOOL, SymbolicScalar(_as_numpys(held), numpy_scalar("bool")))


def _quotient(tag: Operand, number: object, divisor: Any) -> SymbolicUnion:
    """A float or np.float64 by a number: the one raises ZeroDivisionError, the other gives infinity."""
    if isinstance(divisor, SymbolicScalar) or not divisor:
        symbolic = isinstance(divisor, SymbolicScalar)
        plain = convert(divisor, FLOAT).operand() if symbolic else operand(float(divisor))
        divisor = _checked("divisor", (plain, tag), FLOAT)
    return SymbolicUnion(tag, FLOAT, rules().binary("truediv", number, divisor))


def _of_two(name: str, left: SymbolicUnion, right: SymbolicUnion) -> Any:
    if not _is_number_choice(left) or not _is_number_choice(right):
        return None
    found = []
    for a in (left.first, _kind(left.payload)):
        for b in (right.first, _kind(right.payload)):
            found.append(_computed(name, a, _Kind(b), True))
    if len(set(found[1:])) != 1:
        return None
    tag = current().one("py.or", (left.tag, right.tag), BOOL, loop=("bool", "bool"), text="{0} or {1}")
    return _joined(name, tag, [found[0], found[-1]], (left.payload, right.payload))


def _joined(name: str, tag: Operand, found: list[_Computed | None], pair: tuple[Any, Any]) -> Any:
    """The operation on payloads, as one kind or as a new choice; None where that isn't exact."""
    one, other = found
    if one is None or other is None:
        return None
    if one == other:
        return rules().binary(name, *pair)
    first, second = one.kind, other.kind
    if first == second or any(isinstance(type_of(value), Array) for value in pair):
        return None
    if name in COMPARISONS:
        return _compared(name, tag, first, one.loop or other.loop, pair)
    if first == INT and second == numpy_scalar("int64") and _has_form_of_ints(name):
        return SymbolicUnion(tag, first, _checked(f"either_{name}", (*map(operand, pair), tag), second))
    if name not in ("add", "sub", "mul"):
        return None
    if first.dtype == second.dtype:
        return _choice(tag, first, rules().binary(name, *pair))
    if first == INT and second in (FLOAT, numpy_scalar("float64")):
        result = _choice(tag, first, rules().binary(name, *pair))
        return _exact(result) if isinstance(result, SymbolicUnion) else None
    return None


def _compared(
    name: str, tag: Operand, first: Scalar, loop: tuple[np.dtype, ...], pair: tuple[object, object]
) -> SymbolicUnion:
    """A comparison that NumPy makes in `loop`, and Python exactly."""
    numpys = rules().binary(name, *pair)
    if all(map(_is_alike, pair, loop)):
        return SymbolicUnion(tag, first, numpys)
    python = rules().binary(name, *map(_as_python, pair))
    ways = [convert(way, BOOL).operand() for way in (python, numpys)]
    operands = (tag, *(ways if first == numpys.type else ways[::-1]))
    held = current().one("py.select", operands, BOOL, loop=("bool",) * 3, text="{1} if {0} else {2}")
    if first != BOOL:
        return SymbolicUnion(tag, first, SymbolicScalar(held, BOOL))
    return SymbolicUnion(tag, first, SymbolicScalar(_as_numpys(held), numpys.type))


def _is_alike(value: object, dtype: np.dtype) -> bool:
    """Whether `value` is what it was when it is converted to `dtype`."""
    if not isinstance(value, Symbol):
        with np.errstate(all="ignore"):
            return bool(dtype.type(value) == value) and (type(value) is not int or abs(value) < 2**53)
    kind = _kind(value)
    return kind.dtype == dtype or dtype.kind in "iub"


def _as_python(value: object) -> object:
    """One of Python's numbers that is as large."""
    if not isinstance(value, SymbolicScalar) or _kind(value).is_python:
        return value
    kinds = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}
    return convert(value, kinds[_kind(value).dtype.kind])


def _as_numpys(held: Operand) -> Operand:
    return current().one("cast", (held,), numpy_scalar("bool"), loop=("bool",), text="np.bool_({0})")


def _checked(name: str, operands: tuple[Operand, ...], kind: Scalar) -> SymbolicScalar:
    """A number that Python's kind must be able to be; the last operand, a flag, frees NumPy's."""
    loop = ("float" if kind.dtype.kind == "f" else "int",) * (len(operands) - 1)
    slots = ", ".join(f"{{{k}}}" for k in range(len(operands)))
    text = f"either_{name.removeprefix('either_')}({slots})"
    node = current().one(f"py.{name}", operands, kind, loop=(*loop, "bool"), text=text)
    return SymbolicScalar(node, kind)


def _choice(tag: Operand, first: Scalar, result: Any) -> Any:
    return SymbolicUnion(tag, first, result) if isinstance(result, SymbolicScalar) else result


def _exact(value: SymbolicUnion) -> SymbolicUnion:
    """While it still is an int, its float must hold it exactly: below 53 bits, else the run starts again."""
    kind = value.payload.type
    assert isinstance(kind, Scalar)
    held = _checked("exact", (value.payload.operand(), value.tag), kind)
    return SymbolicUnion(value.tag, value.first, held)


def _is_no_zero(value: Any) -> bool:
    """Whether a number is known not to be 0: a constant, or a size that is at least 1."""
    if isinstance(value, (int, float)):
        return value != 0
    size = as_dim(value)
    low = None if size is None else dims.lower(size)
    return low is not None and low > 0


@dataclass(frozen=True, slots=True)
class _Computed:
    """What an operation gives and, of NumPy's, in which dtypes it is computed."""

    kind: Scalar
    loop: tuple[np.dtype, ...] = ()


class _Kind(Symbol):
    """A number of a kind, to ask what an operation would give."""

    __slots__ = ("_type",)

    def __init__(self, kind: Scalar) -> None:
        self._type = kind

    @property
    def type(self) -> Scalar:
        return self._type


def _computed(name: str, kind: Scalar, other: Any, is_left: bool) -> _Computed | None:
    """What ``kind <op> other`` is, without making a node; None when it isn't a scalar."""
    there = type_of(other)
    pair = (kind, there) if is_left else (there, kind)
    if pair == (COMPLEX, numpy_scalar("float64")) and name in OF_COMPLEX:
        pair = (COMPLEX, FLOAT)
    pythons = tuple(one for one in pair if isinstance(one, Scalar) and one.is_python)
    if len(pythons) == len(pair):
        found = _of_pythons(name, pythons, _is_no_zero(other), is_left)
        return None if found is None else _Computed(found)
    if not isinstance(there, Scalar | Array):
        return None
    try:
        ufunc = resolve_ufunc(UFUNCS[name], pair)
    except TypeError:
        return None
    return _Computed(numpy_scalar(ufunc.result), tuple(map(np.dtype, ufunc.loop)))


def _of_pythons(name: str, pair: tuple[Scalar, ...], harmless: bool, is_left: bool) -> Scalar | None:
    """The kind of an operation on two of Python's numbers; `harmless`: the one that is no union isn't 0."""
    kinds = [kind.kind for kind in pair]
    if name in COMPARISONS:
        return BOOL if name in ("eq", "ne") or "complex" not in kinds else None
    if name == "truediv" and "complex" not in kinds:
        return FLOAT if harmless or (is_left and pair[1] in (INT, FLOAT)) else None
    wide = max(kinds, key=_RANK.__getitem__)
    of_ints = _has_form_of_ints(name) and _RANK[wide] <= _RANK["int"]
    if name not in ("add", "sub", "mul") and not of_ints:
        return None
    return INT if wide == "bool" else Scalar(wide)


def _has_form_of_ints(name: str) -> bool:
    """Whether there is the operation for ints of which a flag tells whose they are."""
    return f"py.either_{name}" in OPS
