"""Subscripts of arrays: views by index arithmetic, element loads and stores, writes through views.

NumPy's basic indexing; integer arrays, masks and steps known only at run time run uncompiled.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..ir.axes import Axis, Pick, Span, spans
from ..ir.dims import Size
from ..ir.literals import is_number
from ..ir.nodes import Operand
from ..ir.types import INT, Array, Scalar, Type, numpy_scalar
from ..trace.build import TraceError, current, rules
from ..trace.called import call_of
from ..trace.template import index_text
from .advanced_indexing import as_display, is_picking, pick
from .agreement import with_size
from .arith import fitted, lift, operand, plain_list, rounded, type_of
from .arrays import SymbolicArray
from .broadcasting import broadcast
from .masks import chosen, is_mask
from .slices import rests_on_condition, slice_sizes
from .symbols import (
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    SymbolicUnion,
    check_bound,
    payload,
    python_expression,
    python_statement,
    template,
    unwrap_union,
)


@dataclass(slots=True)
class Basic:
    """A parsed basic index: one entry per source axis, and the shape of the result.

    `rests`: a condition tells the sign of an end of a slice.
    """

    axes: list[Axis]
    shape: list[Size]
    indices: list[Operand]
    rests: bool = False


def getitem(array: SymbolicArray | SymbolicScalar, index: Any) -> Any:
    """``array[index]``; a number of NumPy's is indexed as the array without axes that holds it."""
    items = index if isinstance(index, tuple) else (index,)
    items = tuple(_resolve(item) for item in items)
    if isinstance(array, SymbolicScalar):
        if array.type.is_python or not all(item is None or item is Ellipsis for item in items):
            raise TraceError("a number has no items")
        if not items:
            return array
        filled = rules().function(np.full, ((), array), {})
        return filled if index is Ellipsis else filled[items]
    if any(isinstance(item, SymbolicObject) for item in _flat(items)):
        return python_expression(lambda t: f"{t.write(array)}[{index_text(t, index)}]")
    basic = parse(array, items)
    if basic is None:
        return pick(array, items)
    under = template()
    source = (
        f"{under.write(array)}[{index_text(under, _bare(items))}]" if items else f"{under.write(array)}[()]"
    )
    kept = [array.operand(), *basic.indices]
    if under.operands[: len(kept)] != kept:
        under.operands, source = _reorder(under.operands, kept, source)
    check = (True,) * len(basic.indices)
    scalar = len(basic.indices) == array.ndim and not basic.shape and not any(i is Ellipsis for i in items)
    if scalar:
        kind = numpy_scalar(array.dtype)
        return SymbolicScalar(current().one("load", under.operands, kind, check=check, text=source), kind)
    return make_view(array, basic.axes, tuple(basic.shape), under.operands, source, check, basic.rests)


def _bare(items: tuple[Any, ...]) -> Any:
    return items[0] if len(items) == 1 else items


def _reorder(found: list[Operand], first: list[Operand], source: str) -> tuple[list[Operand], str]:
    """Put the node's own operands in front of those that only the text needs."""
    order = first + [o for o in found if not any(o is f for f in first)]
    slots = [f"{{{next(k for k, o in enumerate(order) if o is f)}}}" for f in found]
    return order, re.sub(r"\{(\d+)\}", lambda m: slots[int(m[1])], source)


def _flat(items: tuple[Any, ...]) -> list[Any]:
    return [p for i in items for p in ((i.start, i.stop, i.step) if isinstance(i, slice) else (i,))]


def _resolve(item: Any) -> Any:
    item = unwrap_union(item)
    if isinstance(item, slice):
        return slice(*(_resolve(part) for part in (item.start, item.stop, item.step)))
    if isinstance(item, list) and is_picking(item):
        return as_display(item)
    return as_place(item)


def as_place(item: object) -> object:
    """A variable of two kinds as an int, where only the place matters that it says, or as an object."""
    item = unwrap_union(item)
    if isinstance(item, SymbolicUnion):
        if item.payload.type == INT or not isinstance(item.first, Scalar) or _are_ints(item):
            check_bound(item)
            return item.payload if item.first is not None else item.as_object()
        return item.as_object()
    return item


def _are_ints(item: SymbolicUnion) -> bool:
    """Whether the number is one of 64 bits in both its kinds: as a place they are the same."""
    kinds = (item.first, item.payload.type)
    return all(isinstance(kind, Scalar) and kind.dtype == np.int64 for kind in kinds)


def parse(array: SymbolicArray, items: tuple[Any, ...]) -> Basic | None:
    """The basic index in `items`; None when it needs NumPy's advanced indexing."""
    if not all(_is_basic(item) for item in items):
        return None
    consumed = sum(1 for item in items if item is not None and item is not Ellipsis)
    if sum(1 for item in items if item is Ellipsis) > 1:
        raise TraceError("an index can only have a single ellipsis ('...')")
    if consumed > array.ndim:
        raise TraceError(
            f"too many indices for array: array is {array.ndim}-dimensional, but {consumed} were indexed"
        )
    if Ellipsis not in [item for item in items if item is Ellipsis]:
        items = (*items, Ellipsis)
    basic, axis = Basic([], [], []), 0
    for item in items:
        if item is None:
            basic.shape.append(1)
        elif item is Ellipsis:
            for _ in range(array.ndim - consumed):
                axis = _take_slice(array, basic, axis, slice(None))
        elif isinstance(item, slice):
            axis = _take_slice(array, basic, axis, item)
        else:
            basic.axes.append(Pick(len(basic.indices)))
            basic.indices.append(operand(item if isinstance(item, Symbol) else int(item)))
            axis += 1
    return basic


def _is_basic(item: Any) -> bool:
    if item is None or item is Ellipsis:
        return True
    if isinstance(item, slice):
        return all(part is None or _is_int(part) for part in (item.start, item.stop)) and (
            item.step is None or (isinstance(item.step, int) and item.step != 0)
        )
    return _is_int(item)


def _is_int(item: Any) -> bool:
    if isinstance(item, SymbolicScalar):
        return item.type.dtype.kind in "iu"
    return is_number(item) and isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def _take_slice(array: SymbolicArray, basic: Basic, axis: int, item: slice) -> int:
    size = array.shape_sizes[axis]
    step = 1 if item.step is None else int(item.step)
    start, length = slice_sizes(item.start, item.stop, step, size)
    basic.rests = basic.rests or rests_on_condition(item.start, item.stop)
    basic.axes.append(Span(len(basic.shape), start, step))
    basic.shape.append(length)
    return axis + 1


def make_view(
    array: SymbolicArray,
    axes: Sequence[Axis],
    shape: tuple[Size, ...],
    operands: list[Operand],
    source: str,
    check: tuple[bool, ...] = (),
    rests: bool = False,
) -> SymbolicArray:
    """Emit a view; its layout stays contiguous only where that is certain."""
    layout, order = view_layout(array, axes, shape)
    type_ = replace(array.type, shape=shape, layout=layout)
    attrs = {"axes": tuple(axes), "check": check, "text": source, **({"rests": True} if rests else {})}
    ascends = array.ascends and all(span.step > 0 for span in spans(axes))
    return SymbolicArray(current().emit("view", operands, (type_,), attrs)[0], order, ascends)


def view_layout(
    array: SymbolicArray, axes: Sequence[Axis], shape: tuple[Size, ...]
) -> tuple[str, str | None]:
    targets = [span.target for span in spans(axes)]
    if len(set(targets)) < len(targets):
        return "A", "C"
    forward, backward = targets == sorted(targets), targets == sorted(targets, reverse=True)
    order = array.order if forward else {"C": "F", "F": "C"}.get(array.order or "") if backward else None
    whole = [
        isinstance(axis, Span) and axis.covers(size, shape)
        for axis, size in zip(axes, array.shape_sizes, strict=True)
    ]
    broadcasts = any(shape[k] != 1 for k in range(len(shape)) if k not in targets)
    if broadcasts:
        return "A", order
    if array.type.layout == "C" and forward:
        lead = next((k for k, axis in enumerate(axes) if not (whole[k] or isinstance(axis, Pick))), len(axes))
        first = axes[lead] if lead < len(axes) else None
        rest = lead + 1 if isinstance(first, Span) and first.step == 1 else lead
        seen_span = any(not _is_one(shape[span.target]) for span in spans(axes[:lead]))
        after_span = any(isinstance(axis, Pick) and spans(axes[:k]) for k, axis in enumerate(axes))
        if all(whole[rest:]) and not after_span and (rest == lead or not seen_span):
            return "C", order
    if backward and len(targets) > 1 and all(whole) and len(axes) == len(shape):
        return {"C": "F", "F": "C"}.get(array.type.layout, "A"), order
    if all(whole) and forward and len(axes) == len(shape):
        return array.type.layout, order
    return "A", order


def _is_one(size: Size) -> bool:
    return size == 1


def transpose(array: SymbolicArray, permutation: tuple[int, ...], source: str) -> SymbolicArray:
    """Axes in another order: result axis k is source axis ``permutation[k]``."""
    shape = tuple(array.shape_sizes[axis] for axis in permutation)
    axes = [Span(permutation.index(axis)) for axis in range(array.ndim)]
    return make_view(array, axes, shape, [array.operand()], source)


def diagonal(array: SymbolicArray, source: str) -> SymbolicArray:
    """The diagonal of a square matrix, which NumPy lets nobody write."""
    type_ = replace(array.type, shape=array.shape_sizes[:1], layout="A", writeable=False)
    attrs = {"axes": (Span(0), Span(0)), "check": (), "text": source}
    return SymbolicArray(current().emit("view", [array.operand()], (type_,), attrs)[0], "C", array.ascends)


def setitem(array: SymbolicArray, index: Any, value: Any) -> None:
    """``array[index] = value``."""
    if not array.type.writeable:
        raise TraceError("assignment destination is read-only")
    items = index if isinstance(index, tuple) else (index,)
    items = tuple(_resolve(item) for item in items)
    one_by_one = all(map(_is_basic, items))
    if isinstance(value, (list, tuple)):
        if not _all_fit(value, array.dtype):
            _write_uncompiled(array, items, plain_list(value))
            return
        value = lift(value)
    value = into(array.dtype, value, one_by_one)
    opaque = isinstance(value, SymbolicObject) or any(isinstance(i, SymbolicObject) for i in _flat(items))
    if not opaque and len(items) == 1 and is_mask(array, items[0]) and _fits_as_array(value, array.dtype):
        assign(array, chosen(array, items[0], _as_masked(value, array.dtype)))
        return
    basic = None if opaque else parse(array, items)
    if basic is None or not _plain_value(value):
        _write_uncompiled(array, items, value)
        return
    if len(basic.indices) == array.ndim and not basic.shape and isinstance(type_of(value), Scalar):
        if not _storable(value, array.dtype):
            _write_uncompiled(array, items, value)
            return
        value = _as_stored(value, array.dtype)
        under = template()
        source = f"{under.write(array)}[{index_text(under, _bare(items))}] = {under.write(value)}"
        first = [array.operand(), operand(value), *basic.indices]
        operands, source = _reorder(under.operands, first, source)
        current().emit("store", operands, (), {"check": (True,) * len(basic.indices), "text": source})
        return
    target = array if _is_whole(items, array) else getitem(array, items)
    assign(target, value)


def _all_fit(items: Sequence[object], dtype: np.dtype) -> bool:
    """Whether an array of these items can be stored in their place: into ints they go one by one."""
    if dtype.kind not in "iu":
        return True
    return all(
        _all_fit(item, dtype) if isinstance(item, (list, tuple)) else _fits_as_item(unwrap_union(item), dtype)
        for item in items
    )


def _fits_as_item(item: object, dtype: np.dtype) -> bool:
    if not isinstance(kind := type_of(item), Scalar):
        return isinstance(kind, Array)
    if kind.dtype.kind in "biu" and not isinstance(item, Symbol):
        return _storable(item, dtype)
    return kind.dtype.kind in "biu" and np.can_cast(kind.dtype, dtype, "safe")


def _is_whole(items: tuple[Any, ...], array: SymbolicArray) -> bool:
    if items == () or (len(items) == 1 and items[0] is Ellipsis):
        return True
    slices = all(
        isinstance(i, slice) and i.start is None and i.stop is None and i.step is None for i in items
    )
    return len(items) <= array.ndim and slices


def _plain_value(value: Any) -> bool:
    return (isinstance(value, Symbol) and not isinstance(value, SymbolicObject)) or is_number(value)


def _storable(value: Any, dtype: np.dtype) -> bool:
    """Whether storing a number is a cast that compiled code knows, or `_as_stored` makes it one."""
    kind = type_of(value)
    if not isinstance(kind, Scalar) or dtype.kind not in "biufc" or dtype.name in ("float16", "longdouble"):
        return False
    if kind.dtype.kind == "c" and dtype.kind != "c":
        return False
    if dtype.kind not in "iu" or np.can_cast(kind.dtype, dtype, "safe"):
        return True
    if not isinstance(value, Symbol):
        bounds = np.iinfo(dtype)
        return bool(np.isfinite(value) and bounds.min <= int(value) <= bounds.max)
    if kind.dtype == np.uint64:
        return False
    return kind.is_python or dtype.kind == "i" or kind.dtype.kind != "f" or dtype.itemsize < 4


def into(dtype: np.dtype, value: object, as_item: bool) -> object:
    """A number of two kinds on its way into this dtype: as its payload, where NumPy takes both kinds alike.

    `as_item`: as the item of an array, and not as an array of its own, which NumPy casts as it is.
    """
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion) and not _are_alike(value.first, value.payload.type, dtype, as_item):
        return value.as_object()
    return payload(value)


def _are_alike(one: object, other: Type, dtype: np.dtype, as_item: bool) -> bool:
    """Whether it doesn't matter to this dtype of which of two kinds a number is that both can hold.

    Into ints go Python's numbers through ``int()``, and an error tells of those that don't fit; NumPy's are
    cast as in C, unless they are items of signed ints. Python's ints become float64 first, NumPy's don't.
    """
    if not isinstance(one, Scalar) or not isinstance(other, Scalar):
        return True
    kinds = one.dtype.kind + other.dtype.kind
    if "c" in kinds:
        return dtype.kind == "c"
    if dtype.kind not in "iu":
        rounds = dtype.name in ("float16", "float32", "complex64")
        return not rounds or one.is_python == other.is_python or not set(kinds) <= set("iu")
    if any(np.can_cast(kind.dtype, dtype, "safe") for kind in (one, other)):
        return True
    if as_item and dtype.kind == "i":
        return True
    return one.is_python == other.is_python and (one.is_python or kinds[0] == kinds[1])


def _as_stored(value: Any, dtype: np.dtype) -> Any:
    """A number on its way into an array: NumPy puts Python's, and all into signed ints, through ``int()``.

    What it has no room for is an error then, while NumPy's own numbers are cast into unsigned ints as in C.
    Python's ints go through ``float()`` into floats.
    """
    kind = type_of(value)
    if kind == INT:
        value = rounded(value, dtype)
    if not isinstance(kind, Scalar) or not isinstance(value, Symbol) or dtype.kind not in "iu":
        return value
    if np.can_cast(kind.dtype, dtype, "safe") or (dtype.kind == "u" and not kind.is_python):
        return value
    if kind != INT:
        node = current().one("py.int", (operand(value),), INT, loop=(kind.kind,), text="int({0})")
        value = SymbolicScalar(node, INT)
    return fitted(value, dtype)


def _fits_as_array(value: object, dtype: np.dtype) -> bool:
    """Whether a number that is written through a mask, as an array of its own, is cast as in kernels."""
    kind = type_of(value)
    drops = isinstance(kind, Scalar) and not kind.is_python and kind.dtype.kind == "f" and dtype.kind in "iu"
    return _storable(value, dtype) and not drops


def _as_masked(value: object, dtype: np.dtype) -> object:
    """NumPy's ints, as arrays of their own, lose what a dtype has no room for; Python's numbers must fit."""
    kind = type_of(value)
    return _as_stored(value, dtype) if isinstance(kind, Scalar) and kind.is_python else value


def assign(target: Any, value: Any) -> None:
    """``target[...] = value`` with broadcasting, as if the value were evaluated first."""
    if not isinstance(target, SymbolicArray):
        raise TraceError("a write through a value that is not an array")
    if not target.type.writeable:
        raise TraceError("assignment destination is read-only")
    value = into(target.dtype, value, True)
    for axis in range(-value.ndim if isinstance(value, SymbolicArray) else 0, 0):
        target = with_size(target, axis, value.shape_sizes[axis])
    if not fits(target, value):
        _write_uncompiled(target, (Ellipsis,), value)
        return
    value = _as_stored(value, target.dtype)
    current().emit("assign", (target.operand(), operand(value)), (), {"text": "{0}[...] = {1}"})


def fits(target: SymbolicArray, value: Any) -> bool:
    """Whether `value` is known to fit into `target`, by sizes and as numbers."""
    kind = type_of(value)
    if isinstance(kind, Scalar):
        return _storable(value, target.dtype)
    if not isinstance(kind, Array) or (kind.dtype.kind == "c" and target.dtype.kind != "c"):
        return False
    if kind.dtype.kind == "f" and target.dtype.name in ("uint32", "uint64"):
        return False  # what NumPy makes of numbers out of range depends on their place
    shape = list(value.shape_sizes)
    while len(shape) > target.ndim and shape[0] == 1:
        shape.pop(0)
    if len(shape) > target.ndim:
        raise TraceError("could not broadcast input array")
    whole = broadcast([tuple(shape), target.shape_sizes])
    if whole is None:
        return False
    return all(current().same_size(a, b) for a, b in zip(whole, target.shape_sizes, strict=True))


def _write_uncompiled(array: SymbolicArray, items: tuple[Any, ...], value: Any) -> None:
    index = items if len(items) != 1 else items[0]
    if isinstance(value, SymbolicObject) or any(isinstance(i, SymbolicObject) for i in _flat(items)):
        python_statement(lambda t: f"{t.write(array)}[{index_text(t, index)}] = {t.write(value)}")
        return
    under = template()
    source = f"{under.write(array)}[{index_text(under, index)}] = {under.write(value)}"
    operands, source = _reorder(under.operands, [array.operand()], source)
    called = call_of(under, operator.setitem, (array, index, value), {})
    current().emit("numpy_write", operands, (), {"text": source, "_call": called})
