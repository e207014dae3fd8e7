"""Operators and ufuncs on symbols: one rule decides between Python's numbers, NumPy's and opaque objects."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from . import dims
from .broadcasting import broadcast, result_layout
from .build import TraceError, current, is_number, literal
from .called import Call, Slot
from .dims import Size
from .ir import Operand
from .ops import OPS
from .ops.resolve import resolve_ufunc
from .symbols import (
    BINARY,
    UNARY,
    Either,
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    as_dim,
    python_call,
    python_expression,
    settled,
    template,
)
from .types import BOOL, COMPLEX, FLOAT, INT, Array, Scalar, Type, numpy_scalar

UFUNCS = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "neg": np.negative,
    "pos": np.positive,
    "invert": np.invert,
    "abs": np.absolute,
}
COMPARISONS = ("lt", "le", "eq", "ne", "gt", "ge")
_FLOAT64 = numpy_scalar(np.dtype(np.float64))
_OF_COMPLEX = ("add", "sub", "mul", "truediv", "pow", "eq", "ne")
_RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}


def type_of(value: Any) -> Type:
    """The graph type of a symbol or constant."""
    return value.type if isinstance(value, Symbol) else literal(value).type


def operand(value: Any) -> Operand:
    """The operand for a symbol or a constant number."""
    return value.operand() if isinstance(value, Symbol) else literal(value)


def binary(name: str, left: Any, right: Any) -> Any:
    """``left <op> right`` for any mixture of symbols and constants."""
    left, right = settled(left), settled(right)
    if isinstance(left, (list, tuple)) and _is_array(right):
        left = lift(left)
    elif isinstance(right, (list, tuple)) and _is_array(left):
        right = lift(right)
    if isinstance(left, Either) or isinstance(right, Either):
        from .either import binary_either

        return binary_either(name, left, right)
    known = _known(left) and _known(right)
    if not known or isinstance(left, SymbolicObject) or isinstance(right, SymbolicObject):
        sign = BINARY[name][0]
        return python_expression(lambda t: f"{t.write(left)} {sign} {t.write(right)}")
    if name == "matmul":
        from .numpy_api import call

        return call(np.matmul, (left, right), {})
    kinds = type_of(left), type_of(right)
    if all(isinstance(k, Scalar) and k.is_python for k in kinds):
        return _python_binary(name, left, right)
    if kinds[0] == COMPLEX and kinds[1] == _FLOAT64 and name in _OF_COMPLEX:
        return _python_binary(name, left, _as_float(right))
    if name == "pow" and (fast := _power_shortcut(left, right)) is not None:
        return fast
    return elementwise(UFUNCS[name], (left, right), text=f"{{0}} {BINARY[name][0]} {{1}}")


def _as_float(value: Any) -> Any:
    """A `np.float64` as the Python float that it also is: in ``1j + x`` `complex` is asked first."""
    if not isinstance(value, Symbol):
        return float(value)
    attrs = {"loop": (_FLOAT64.kind,), "text": "float({0})"}
    return SymbolicScalar(current().one("py.float", (operand(value),), FLOAT, **attrs), FLOAT)


def _is_array(value: Any) -> bool:
    return isinstance(value, Symbol) and isinstance(value.type, Array)


def _known(value: Any) -> bool:
    return isinstance(value, Symbol) or is_number(value) or type(value) is np.ndarray


def unary(name: str, value: Any) -> Any:
    """``-x``, ``+x``, ``~x``, ``abs(x)``."""
    value = settled(value)
    if isinstance(value, Either):
        from .either import unary_either

        return unary_either(name, value)
    if isinstance(value, SymbolicObject):
        return python_expression(lambda t: UNARY[name].replace("{0}", t.write(value)))
    kind = type_of(value)
    if isinstance(kind, Scalar) and kind.is_python:
        return _python_unary(name, value, kind)
    return elementwise(UFUNCS[name], (value,), text=UNARY[name])


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
    node = current().one(f"py.{name}", (operand(value),), result, loop=loop, text=UNARY[name])
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
    sign = f"{{0}} {BINARY[name][0]} {{1}}"
    node = current().one(f"py.{name}", (operand(left), operand(right)), result, loop=loop, text=sign)
    return SymbolicScalar(node, result)


def _affine(name: str, left: Any, right: Any) -> Any:
    """Sums, constant multiples and quotients of index-like ints stay affine forms: they fit in 64 bits."""
    if name not in ("add", "sub", "mul", "floordiv"):
        return None
    a, b = as_dim(left), as_dim(right)
    if a is None or b is None or max(_magnitude(a), _magnitude(b)) >= 2**13:
        return None
    if name == "floordiv":
        # Of sizes only: of what changes in loops more is known about a node.
        if not isinstance(b, int) or b <= 0 or not made_of_sizes(a):
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
        if float(right) in table:
            return elementwise(
                table[float(right)],
                (left,),
                text=f"{{0}} ** {right!r}" if right >= 0 else f"{{0}} ** ({right!r})",
            )
    elif dtype.kind in "iub" and type(right) is int and right == 2:
        return elementwise(np.square, (left,), text="{0} ** 2")
    return None


def elementwise(ufunc: Any, inputs: tuple[Any, ...], text: str | None = None, name: str | None = None) -> Any:
    """One ufunc call on numbers and arrays; scalars in, NumPy scalar out."""
    inputs = tuple(lift(value) for value in number_payloads(ufunc, inputs))
    source = text or f"np.{ufunc.__name__}({', '.join(f'{{{k}}}' for k in range(len(inputs)))})"
    if any(isinstance(value, SymbolicObject) for value in inputs):
        return python_call(f"np.{ufunc.__name__}", inputs, {})
    types = tuple(type_of(value) for value in inputs)
    try:
        found = resolve_ufunc(ufunc, types)
    except TypeError as error:
        raise TraceError(str(error)) from error
    if not _weak_fits(inputs, found.loop):
        return uncompiled(source, inputs, found.result, ufunc)
    return emit_elementwise(name or ufunc.__name__, inputs, found.loop, found.result, source)


def number_payloads(ufunc: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numbers of two kinds as their payloads, where all kinds give the same loop."""
    inputs = tuple(settled(value) for value in inputs)
    chosen = tuple(v.payload if isinstance(v, Either) else v for v in inputs)
    if not any(isinstance(v, Either) for v in inputs):
        return inputs
    if not all(isinstance(v, Symbol) or is_number(v) for v in chosen):
        return inputs
    kinds = [
        (v.first, type_of(c)) if isinstance(v, Either) else (type_of(c),)
        for v, c in zip(inputs, chosen, strict=True)
    ]
    if not all(isinstance(v.first, Scalar) for v in inputs if isinstance(v, Either)):
        return inputs
    try:
        found = [resolve_ufunc(ufunc, types) for types in itertools.product(*kinds)]
    except (TypeError, ValueError):
        return inputs
    return chosen if all(one == found[0] for one in found) else inputs


def plain_list(value: Any) -> Any:
    """Nested lists and tuples as Python's own: NumPy copies what they hold."""
    if isinstance(value, list):
        return [plain_list(item) for item in value]
    return tuple(map(plain_list, value)) if type(value) is tuple else value


def lift(value: Any) -> Any:
    """Resolve variables of two kinds: arrays that may be unbound are checked, scalars go to the driver."""
    value = settled(value)
    if isinstance(value, Either):
        if not isinstance(value.first, Scalar) and not isinstance(value.payload, SymbolicScalar):
            from .symbols import check_bound

            check_bound(value)
            return value.payload
        return value.as_object()
    if isinstance(value, (list, tuple)):
        from .numpy_api import call

        return call(np.asarray, (plain_list(value),), {})
    if type(value) is np.ndarray:
        if value.ndim == 0:  # what NumPy makes of a constant before it hands it to a symbol
            return value[()]
        raise TraceError("an array made while tracing")
    return value


def _weak_fits(inputs: tuple[Any, ...], loop: tuple[Any, ...]) -> bool:
    """Python ints are checked against the loop's dtype by NumPy: only where that can't fail we compile."""
    for value, dtype in zip(inputs, loop, strict=True):
        kind = type_of(value)
        if kind != INT or np.dtype(dtype).kind not in "iu":
            continue
        info = np.iinfo(dtype)
        if isinstance(value, int):
            if not info.min <= value <= info.max:
                raise TraceError(f"Python integer {value} out of bounds for {np.dtype(dtype).name}")
    return True


def fitted(value: Any, dtype: np.dtype) -> Any:
    """A Python int on its way into a narrower integer dtype: checked, as NumPy does."""
    if not isinstance(value, SymbolicScalar) or value.type != INT:
        return value
    if dtype.kind not in "iu" or dtype == np.int64:
        return value
    node = current().one(f"py.fit_{dtype.name}", (value.operand(),), INT, loop=("int",), text="{0}")
    return SymbolicScalar(node, INT)


def emit_elementwise(op: str, inputs: tuple[Any, ...], loop: Any, out: Any, source: str, **attrs: Any) -> Any:
    """Emit an elementwise node after broadcasting; uncompiled where sizes aren't known to agree."""
    arrays = [value for value in inputs if isinstance(type_of(value), Array)]
    inputs = tuple(fitted(value, np.dtype(d)) for value, d in zip(inputs, loop, strict=True))
    operands = tuple(operand(value) for value in inputs)
    names = tuple(np.dtype(d).name for d in loop)
    kept = {"loop": names, "text": source, **attrs}
    if not arrays:
        kind = numpy_scalar(out)
        return SymbolicScalar(current().one(op, operands, kind, **kept), kind)
    shape = broadcast([a.shape_sizes for a in arrays])
    layout, order = result_layout(arrays)
    if shape is None or layout is None or op not in OPS:
        return uncompiled(source, inputs, out, _public(op), shape)
    if not shape:
        kind = numpy_scalar(out)
        return SymbolicScalar(current().one(op, operands, kind, **kept), kind)
    from .symbolic_array import SymbolicArray

    return SymbolicArray(current().one(op, operands, Array(np.dtype(out), shape, layout), **kept), order)


def _public(op: str) -> Any:
    """NumPy's function for an op, if it has one."""
    return next(iter(OPS[op].lowers), None) if op in OPS else None


def uncompiled(
    source: str,
    inputs: tuple[Any, ...],
    out: Any,
    function: Any = None,
    shape: tuple[Size, ...] | None = None,
) -> Any:
    """The same call, run by NumPy in the driver: of `function`, if it is public, and of known `shape`."""
    from .numpy_api import unknown_array

    arrays = [value for value in inputs if isinstance(type_of(value), Array)]
    operands = tuple(operand(value) for value in inputs)
    called = None if function is None else Call(function, tuple(map(Slot, range(len(operands)))), {})
    ndim = max((type_of(a).ndim for a in arrays), default=0)  # type: ignore[union-attr]
    if ndim == 0:
        kind = numpy_scalar(out)
        return SymbolicScalar(current().one("numpy", operands, kind, text=source, _call=called), kind)
    hints = _broadcast_hints(arrays)
    return unknown_array(operands, source, np.dtype(out), ndim, shape, hints, called=called)


def _broadcast_hints(arrays: list[Any]) -> tuple[int, ...] | None:
    """The example's shape of a broadcast of `arrays`, where theirs are known."""
    shapes = [tuple(current().hint(size) for size in array.shape_sizes) for array in arrays]
    if any(size is None for shape in shapes for size in shape):
        return None
    try:
        return np.broadcast_shapes(*shapes)  # type: ignore[arg-type]
    except ValueError:
        return None


def truth(value: Any) -> Any:
    """``bool(value)``: a constant, or a Python bool of the graph, or an object whose truth Python takes."""
    value = settled(value)
    if isinstance(value, Either):
        if isinstance(value.first, Scalar) and isinstance(value.payload.type, Scalar):
            return truth(value.payload)
        value = value.as_object()
    if not isinstance(value, Symbol):
        return bool(value)
    kind = value.type
    if kind == BOOL or isinstance(value, SymbolicObject):
        return value
    if isinstance(kind, Scalar):
        return SymbolicScalar(current().one("truth", (value.operand(),), BOOL, text="bool({0})"), BOOL)
    under = template()
    source = f"bool({under.write(value)})"
    return SymbolicScalar(current().one("numpy", under.operands, BOOL, text=source, raises=True), BOOL)
