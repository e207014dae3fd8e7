"""Operations on unions (`SymbolicUnion`): on the payload where the kind makes no difference."""

from __future__ import annotations

from typing import Any

from ..ir import dims
from ..ir.literals import is_number
from ..ir.nodes import Operand
from ..ir.types import BOOL, FLOAT, INT, Array, Scalar, numpy_scalar
from ..ops.resolve import resolve_ufunc
from ..trace.build import current, rules
from .arith import _RANK, COMPARISONS, UFUNCS, operand, type_of
from .scalar_methods import convert
from .symbols import Symbol, SymbolicScalar, SymbolicUnion, as_dim


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
    kinds = [result_kind(name, kind, other, which is left) for kind in (which.first, _kind(which.payload))]
    pair = (which.payload, other) if which is left else (other, which.payload)
    if name == "truediv" and which is left and kinds == [FLOAT, numpy_scalar("float64")]:
        return _quotient(which, other)
    return _joined(name, which.tag, kinds, pair)


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
    numpys = numpy_scalar("bool")
    node = current().one("cast", (held,), numpys, loop=("bool",), text="np.bool_({0})")
    return SymbolicUnion(which.tag, BOOL, SymbolicScalar(node, numpys))


def _quotient(which: SymbolicUnion, other: Any) -> SymbolicUnion:
    """A float or np.float64 by a number: the one raises ZeroDivisionError, the other gives infinity."""
    divisor = other
    if isinstance(other, SymbolicScalar) or not other:
        symbolic = isinstance(other, SymbolicScalar)
        plain = convert(other, FLOAT).operand() if symbolic else operand(float(other))
        node = current().one("py.divisor", (plain, which.tag), FLOAT, loop=("float", "bool"), text="{0}")
        divisor = SymbolicScalar(node, FLOAT)
    return SymbolicUnion(which.tag, FLOAT, rules().binary("truediv", which.payload, divisor))


def _of_two(name: str, left: SymbolicUnion, right: SymbolicUnion) -> Any:
    if not _is_number_choice(left) or not _is_number_choice(right):
        return None
    kinds = []
    for a in (left.first, _kind(left.payload)):
        for b in (right.first, _kind(right.payload)):
            kinds.append(result_kind(name, a, _Kind(b), True))
    if name not in COMPARISONS and len(set(kinds[1:])) != 1:
        return None
    tag = current().one("py.or", (left.tag, right.tag), BOOL, loop=("bool", "bool"), text="{0} or {1}")
    return _joined(name, tag, [kinds[0], kinds[-1]], (left.payload, right.payload))


def _joined(name: str, tag: Operand, kinds: list[Scalar | None], pair: tuple[Any, Any]) -> Any:
    """The operation on payloads, as one kind or as a new choice; None where that isn't exact."""
    first, second = kinds
    if first is None or second is None:
        return None
    if first == second:
        return rules().binary(name, *pair)
    if name in COMPARISONS:
        return SymbolicUnion(tag, first, rules().binary(name, *pair))
    if name not in ("add", "sub", "mul"):
        return None
    if first.dtype == second.dtype:
        return _choice(tag, first, rules().binary(name, *pair))
    if first == INT and second in (FLOAT, numpy_scalar("float64")):
        result = _choice(tag, first, rules().binary(name, *pair))
        return _exact(result) if isinstance(result, SymbolicUnion) else None
    return None


def _choice(tag: Operand, first: Scalar, result: Any) -> Any:
    return SymbolicUnion(tag, first, result) if isinstance(result, SymbolicScalar) else result


def _exact(value: SymbolicUnion) -> SymbolicUnion:
    """While it still is an int, its float must hold it exactly: below 53 bits, else the run starts again."""
    kind = value.payload.type
    assert isinstance(kind, Scalar)
    operands = (value.payload.operand(), value.tag)
    node = current().one("py.exact", operands, kind, loop=("float", "bool"), text="{0}")
    return SymbolicUnion(value.tag, value.first, SymbolicScalar(node, kind))


def _is_no_zero(value: Any) -> bool:
    """Whether a number is known not to be 0: a constant, or a size that is at least 1."""
    if isinstance(value, (int, float)):
        return value != 0
    size = as_dim(value)
    low = None if size is None else dims.lower(size)
    return low is not None and low > 0


class _Kind(Symbol):
    """A number of a kind, to ask what an operation would give."""

    __slots__ = ("_type",)

    def __init__(self, kind: Scalar) -> None:
        self._type = kind

    @property
    def type(self) -> Scalar:
        return self._type


def result_kind(name: str, kind: Scalar, other: Any, is_left: bool) -> Scalar | None:
    """The kind of ``kind <op> other`` without making a node; None when it isn't a scalar."""
    there = type_of(other)
    if not isinstance(there, Scalar):
        if isinstance(there, Array):
            try:
                pair = (kind, there) if is_left else (there, kind)
                return numpy_scalar(resolve_ufunc(UFUNCS[name], pair).result)
            except TypeError:
                return None
        return None
    if kind.is_python and there.is_python:
        if name in COMPARISONS:
            return BOOL
        if name == "truediv" and "complex" not in (kind.kind, there.kind):
            harmless = _is_no_zero(other)
            return FLOAT if harmless or (is_left and kind == FLOAT and there in (INT, FLOAT)) else None
        if name not in ("add", "sub", "mul"):
            return None
        wide = max((kind.kind, there.kind), key=_RANK.__getitem__)
        return INT if wide == "bool" else Scalar(wide)
    kinds = (kind, there) if is_left else (there, kind)
    try:
        return numpy_scalar(resolve_ufunc(UFUNCS[name], kinds).result)
    except TypeError:
        return None
