"""When arrays are padded, or get another element, by programs."""

from __future__ import annotations

import numpy as np

from ...graph.ir import dims
from ...graph.ir.types import INT
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import as_dim, unwrap_union
from ...graph.trace.build import current, rules
from ..wanted import is_differentiated
from . import extending, kinds
from .inline import PLAIN, Pays, inlined

_MODES = ("edge", "reflect", "symmetric", "wrap")
_NO_VALUE = object()


def pad(
    array: object, pad_width: object, mode: object = "constant", constant_values: object = _NO_VALUE
) -> object:
    """``np.pad`` of a vector or matrix with one number, or with its own elements."""
    if not kinds.is_array(array) or not kinds.is_straight(array) or is_differentiated():
        return PLAIN
    widths = _widths(pad_width, array.ndim)
    if widths is None:
        return PLAIN
    if mode == "constant":
        known = all(_is_natural(width) for pair in widths for width in pair)
        value = 0 if constant_values is _NO_VALUE else constant_values
        return _padded_with(array, widths, value) if known else PLAIN
    if type(mode) is not str or mode not in _MODES or array.ndim > 2 or constant_values is not _NO_VALUE:
        return PLAIN
    if not all(current().is_natural(dims.sub(size, 1)) for size in array.shape_sizes):
        return PLAIN
    program = extending.padded if array.ndim == 1 else extending.padded_matrix
    return inlined(program, (array, *(width for pair in widths for width in pair), mode), Pays.ALONE)


def _padded_with(array: SymbolicArray, widths: list[tuple[object, object]], value: object) -> object:
    if not isinstance(value, (int, float)) or not kinds.goes_into(value, array.dtype):
        return PLAIN
    pairs: list[tuple[int, int]] = widths  # type: ignore[assignment]
    shape = tuple(before + size + after for (before, after), size in zip(pairs, array.shape, strict=True))
    out = rules().function(np.full, (shape, value, array.dtype), {})
    if not isinstance(out, SymbolicArray):
        return PLAIN
    inside = zip(pairs, array.shape, strict=True)
    out[tuple(slice(before, before + size) for (before, _), size in inside)] = array
    return out


def _widths(given: object, ndim: int) -> list[tuple[object, object]] | None:
    """How much is added before and behind each axis."""
    given = unwrap_union(given)
    if _is_width(given):
        return [(given, given)] * ndim
    if not isinstance(given, (tuple, list)):
        return None
    sides = [unwrap_union(one) for one in given]
    if len(sides) == 2 and all(map(_is_width, sides)):
        return [(sides[0], sides[1])] * ndim
    known = all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 and all(map(_is_width, pair)) for pair in sides
    )
    return [(first, second) for first, second in sides] if known and len(sides) == ndim else None


def _is_width(given: object) -> bool:
    return not isinstance(given, (tuple, list)) and type_of(given) == INT


def _is_natural(width: object) -> bool:
    dim = as_dim(width)
    return dim is not None and current().is_natural(dim)


def append(arr: object, values: object, axis: object = None) -> object:
    """``np.append`` of one number to a vector."""
    number = kinds.dtype_of(values)
    if not kinds.is_array(arr, 1) or number is None or axis is not None or is_differentiated():
        return PLAIN
    return inlined(extending.append, (arr, values, np.result_type(arr.dtype, number)), Pays.ALONE)


def insert(arr: object, obj: object, values: object) -> object:
    """``np.insert`` of one number into a vector, at a place that is known."""
    if not kinds.is_array(arr, 1) or type(obj) is not int or obj < 0 or is_differentiated():
        return PLAIN
    if kinds.dtype_of(values) is None or not kinds.goes_into(values, arr.dtype):
        return PLAIN
    if not current().is_natural(dims.sub(arr.shape_sizes[0], obj)):
        return PLAIN
    return inlined(extending.insert, (arr, obj, values), Pays.ALONE)


def delete(arr: object, obj: object) -> object:
    """``np.delete`` of one element of a vector."""
    if not kinds.is_array(arr, 1) or not kinds.is_int(obj) or is_differentiated():
        return PLAIN
    return inlined(extending.delete, (arr, obj), Pays.ALONE)
