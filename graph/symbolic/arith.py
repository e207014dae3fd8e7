"""Operators and ufuncs on symbols: one rule decides between Python's numbers, NumPy's and opaque objects."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.dims import Size
from ..ir.literals import is_number, literal
from ..ir.nodes import Operand
from ..ir.types import BOOL, FLOAT, INT, Array, Scalar, Type, numpy_scalar
from ..ops import OPS
from ..ops.resolve import resolve_ufunc
from ..trace.build import TraceError, current, rules
from ..trace.called import Call, Slot
from ..trace.template import function_name
from .agreement import agreed
from .arrays import SymbolicArray
from .broadcasting import broadcast, result_layout
from .symbols import (
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    SymbolicTuple,
    SymbolicUnion,
    array_or_object,
    as_dim,
    python_call,
    template,
    unwrap_union,
)
from .unknown_arrays import unknown_array

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
_RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}


def type_of(value: Any) -> Type:
    """The graph type of a symbol or constant."""
    return value.type if isinstance(value, Symbol) else literal(value).type


def operand(value: Any) -> Operand:
    """The operand for a symbol or a constant number."""
    return value.operand() if isinstance(value, Symbol) else literal(value)


def elementwise(ufunc: Any, inputs: tuple[Any, ...], text: str | None = None, name: str | None = None) -> Any:
    """One ufunc call on numbers and arrays; scalars in, NumPy scalar out."""
    inputs = tuple(lift(value) for value in number_payloads(ufunc, inputs))
    source = text or f"{function_name(ufunc)}({', '.join(f'{{{k}}}' for k in range(len(inputs)))})"
    if any(isinstance(value, SymbolicObject) or value is None for value in inputs):
        return python_call(function_name(ufunc), inputs, {})
    types = tuple(type_of(value) for value in inputs)
    try:
        found = resolve_ufunc(ufunc, types)
    except TypeError as error:
        raise TraceError(str(error)) from error
    called, loop = name or ufunc.__name__, found.loop
    if called in OPS and OPS[called].compares and _are_compared_with_ints(inputs, np.dtype(loop[0])):
        if loop[0] == np.uint64:
            return _compared_with_uint64(ufunc, inputs)
        inputs, loop = _widened(inputs, np.dtype(loop[0]))
    if not _weak_fits(inputs, loop):
        return uncompiled(source, inputs, found.result, ufunc)
    return emit_elementwise(called, inputs, loop, found.result, source)


def _are_compared_with_ints(inputs: tuple[object, ...], dtype: np.dtype) -> bool:
    """Whether Python ints are among them that may be beyond `dtype`: NumPy compares them exactly."""
    if dtype.kind not in "iu" or dtype == np.int64:
        return False
    ints = [value for value in inputs if type_of(value) == INT]
    info = np.iinfo(dtype)
    return not all(type(value) is int and info.min <= value <= info.max for value in ints)


def _widened(inputs: tuple[object, ...], dtype: np.dtype) -> tuple[tuple[object, ...], tuple[np.dtype, ...]]:
    """The numbers in a wider dtype, where some that are beyond `dtype` stand for all that are."""
    wide = np.dtype(f"int{16 * dtype.itemsize}")
    info = np.iinfo(wide)
    low, high = int(info.min), int(info.max)
    ints = (
        _between(v, low, high) if isinstance(v, (int, SymbolicScalar)) and type_of(v) == INT else v
        for v in inputs
    )
    return tuple(ints), (wide, wide)


def _between(value: int | SymbolicScalar, low: int, high: int) -> int | SymbolicScalar:
    """The int, or the bound that it is beyond."""
    if isinstance(value, int):
        return min(max(value, low), high)
    for op, bound, beyond in (("py.min", high, 2**63 - 1), ("py.max", low, -(2**63))):
        if bound == beyond:
            continue
        operands = (value.operand(), literal(bound))
        text = f"{op[3:]}({{0}}, {{1}})"
        value = SymbolicScalar(current().one(op, operands, INT, loop=("int", "int"), text=text), INT)
    return value


def _compared_with_uint64(ufunc: np.ufunc, inputs: tuple[Any, ...]) -> object:
    """A negative int is less than all that uint64 has."""
    place = next(k for k, value in enumerate(inputs) if type_of(value) == INT)
    value = inputs[place]
    rest = tuple(_between(value, 0, 2**63 - 1) if k == place else v for k, v in enumerate(inputs))
    found = resolve_ufunc(ufunc, tuple(map(type_of, rest)))
    text = f"np.{ufunc.__name__}({{0}}, {{1}})"
    compared = emit_elementwise(ufunc.__name__, rest, found.loop, found.result, text)
    if ufunc(*((-1, 0) if place == 0 else (0, -1))):
        return elementwise(np.logical_or, (compared, value < 0))
    return elementwise(np.logical_and, (compared, value >= 0))


def number_payloads(ufunc: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numbers of two kinds as their payloads, where all kinds give the same loop."""
    inputs = tuple(unwrap_union(value) for value in inputs)
    chosen = tuple(v.payload if isinstance(v, SymbolicUnion) else v for v in inputs)
    if not any(isinstance(v, SymbolicUnion) for v in inputs):
        return inputs
    if not all(isinstance(v, Symbol) or is_number(v) for v in chosen):
        return inputs
    kinds = [
        (v.first, type_of(c)) if isinstance(v, SymbolicUnion) else (type_of(c),)
        for v, c in zip(inputs, chosen, strict=True)
    ]
    if not all(isinstance(v.first, Scalar) for v in inputs if isinstance(v, SymbolicUnion)):
        return inputs
    try:
        found = [resolve_ufunc(ufunc, types) for types in itertools.product(*kinds)]
    except (TypeError, ValueError):
        return inputs
    return chosen if all(one == found[0] for one in found) else inputs


def may_stop_midway(name: str, inputs: Sequence[object]) -> bool:
    """Whether the ufunc may raise when it has written some elements, which stay: NumPy computes in place."""
    op = OPS.get(name)
    if op is None or op.not_negative is None:
        return False
    given = inputs[op.not_negative[0]]
    if type(given) is int and given >= 0:
        return False
    kinds = [type_of(value) for value in inputs]
    return all(isinstance(kind, Scalar | Array) and kind.dtype.kind in "iub" for kind in kinds)


def plain_list(value: Any) -> Any:
    """Nested lists and tuples as Python's own: NumPy copies what they hold."""
    if isinstance(value, list):
        return [plain_list(item) for item in value]
    return tuple(map(plain_list, value)) if type(value) is tuple else value


def lift(value: Any) -> Any:
    """Resolve variables of two kinds: arrays that may be unbound are checked, scalars go to the driver."""
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion):
        return array_or_object(value)
    if isinstance(value, (list, tuple)):
        return rules().function(np.asarray, (plain_list(value),), {})
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


def rounded(value: SymbolicScalar | int, dtype: np.dtype) -> SymbolicScalar | float:
    """A Python int on its way into floats of less than 64 bits: rounded to those first, as NumPy does."""
    if dtype.name not in ("float32", "complex64"):
        return value
    if not isinstance(value, SymbolicScalar):
        return float(value)
    if value.dim is not None:
        return value
    return SymbolicScalar(current().one("py.float", (value.operand(),), FLOAT, loop=("int",)), FLOAT)


def emit_elementwise(op: str, inputs: tuple[Any, ...], loop: Any, out: Any, source: str, **attrs: Any) -> Any:
    """Emit an elementwise node after broadcasting; uncompiled where sizes aren't known to agree."""
    inputs = agreed(inputs)
    arrays = [value for value in inputs if isinstance(type_of(value), Array)]
    inputs = tuple(fitted(value, np.dtype(d)) for value, d in zip(inputs, loop, strict=True))
    operands = tuple(operand(value) for value in inputs)
    names = tuple(np.dtype(d).name for d in loop)
    kept = {"loop": names, "text": source, **attrs}
    if op in OPS and names[0] in OPS[op].backwards and any(a.type.layout == "A" for a in arrays):
        kept["ascends"] = all(array.ascends for array in arrays)
    if not arrays:
        kind = numpy_scalar(out)
        return SymbolicScalar(current().one(op, operands, kind, **kept), kind)
    shape = broadcast([a.shape_sizes for a in arrays])
    layout, order = (None, None) if shape is None else result_layout(arrays, shape)
    if shape is None or layout is None or op not in OPS:
        return uncompiled(source, inputs, out, _public(op), shape)
    if not shape:
        kind = numpy_scalar(out)
        return SymbolicScalar(current().one(op, operands, kind, **kept), kind)
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
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion):
        if isinstance(value.first, Scalar) and isinstance(value.payload.type, Scalar):
            return truth(value.payload)
        if isinstance(value.payload, SymbolicTuple) and value.first is None:
            return SymbolicScalar(value.tag, BOOL) if value.payload.items else False
        value = value.as_object()
    if not isinstance(value, Symbol):
        return bool(value)
    kind = value.type
    if kind == BOOL or isinstance(value, SymbolicObject):
        return value
    if isinstance(kind, Scalar):
        node = current().one("truth", (value.operand(),), BOOL)
        if (dim := as_dim(value)) is not None:
            current().compared[node.name] = "ne", dim, 0
        return SymbolicScalar(node, BOOL)
    under = template()
    source = f"bool({under.write(value)})"
    return SymbolicScalar(current().one("numpy", under.operands, BOOL, text=source, raises=True), BOOL)
