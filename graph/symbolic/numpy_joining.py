"""Arrays put together: a new array whose parts are written one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import PART_OF
from ..ir.types import Array
from ..trace.build import current
from ..trace.template import dtype_text
from .arrays import SymbolicArray
from .numpy_api import Unknown, as_array, fresh, normal_axis
from .numpy_shapes import atleast, expand_dims
from .symbols import as_dim, size_symbol, template

_COMPILED = "biufc"
_WRITTEN = 8
"""Up to this many parts are written one by one, which compiles."""


def concatenate(arrays: Any, axis: Any = 0) -> Any:
    """``np.concatenate``."""
    return _joined(np.concatenate, arrays, _parts(arrays), axis)


def stack(arrays: Any, axis: Any = 0) -> Any:
    """``np.stack``: joined along a new axis."""
    parts = _parts(arrays)
    at = normal_axis(axis, parts[0].ndim + 1)
    if any(part.ndim != parts[0].ndim for part in parts):
        raise Unknown
    return _joined(np.stack, arrays, [expand_dims(part, at) for part in parts], at, {"axis": axis})


def vstack(tup: Any) -> Any:
    """``np.vstack``."""
    return _joined(np.vstack, tup, [atleast(2)(part) for part in _parts(tup)], 0, {})


def hstack(tup: Any) -> Any:
    """``np.hstack``."""
    parts = _parts(tup)
    return _joined(np.hstack, tup, parts, 0 if parts[0].ndim == 1 else 1, {})


def column_stack(tup: Any) -> Any:
    """``np.column_stack``."""
    columns = [expand_dims(part, 1) if part.ndim == 1 else part for part in _parts(tup)]
    return _joined(np.column_stack, tup, columns, 1, {})


def _parts(arrays: Any) -> list[SymbolicArray]:
    if not isinstance(arrays, (list, tuple)) or not arrays:
        raise Unknown
    parts = [as_array(part) for part in arrays]
    if any(part.ndim == 0 or part.dtype.kind not in _COMPILED for part in parts):
        raise Unknown
    return parts


def _joined(
    func: Any, given: Any, parts: list[SymbolicArray], axis: Any, kwargs: dict[str, Any] | None = None
) -> Any:
    first = parts[0]
    at = normal_axis(axis, first.ndim)
    total: Size = 0
    for part in parts:
        if part.ndim != first.ndim or part.dtype.name in ("float16", "longdouble"):
            raise Unknown
        for k in range(first.ndim):
            if k != at and not current().same_size(part.shape_sizes[k], first.shape_sizes[k]):
                raise Unknown
        total = dims.add(total, part.shape_sizes[at])
    dtype = np.result_type(*(part.dtype for part in parts))
    shape = tuple(total if k == at else size for k, size in enumerate(first.shape_sizes))
    if any(part.order != "C" for part in parts):
        raise Unknown
    if len(parts) > _WRITTEN:
        return fresh(func, (given,), {"axis": axis} if kwargs is None else kwargs, dtype, shape)
    return _written(func.__name__, parts, at, dtype, shape)


def _written(name: str, parts: list[SymbolicArray], at: int, dtype: np.dtype, shape: tuple[Size, ...]) -> Any:
    under = template()
    written = under.write(tuple(size_symbol(size) for size in shape))
    extra = "" if dtype == np.float64 else f", dtype={dtype_text(dtype)}"
    text = f"np.empty({written}{extra})"
    attrs = {"text": text, PART_OF: name}
    result = SymbolicArray(current().one("empty", under.operands, Array(dtype, shape, "C"), **attrs))
    begin: Size = 0
    for part in parts:
        end = dims.add(begin, part.shape_sizes[at])
        ends = (size_symbol(begin) if begin != 0 else None, size_symbol(end) if end != shape[at] else None)
        result[(*(slice(None),) * at, slice(*ends))] = part
        begin = end
    return result


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """``np.repeat`` by one number."""
    array, times = as_array(a), as_dim(repeats)
    if times is None or array.ndim == 0 or not current().is_natural(times):
        raise Unknown
    if axis is None:
        if array.ndim > 1:
            raise Unknown
        shape: tuple[Size, ...] = (dims.mul(array.shape_sizes[0], times),)
        return fresh(np.repeat, (array, repeats), {}, array.dtype, shape)
    at = normal_axis(axis, array.ndim)
    shape = tuple(dims.mul(size, times) if k == at else size for k, size in enumerate(array.shape_sizes))
    return fresh(np.repeat, (array, repeats), {"axis": axis}, array.dtype, shape)


def tile(A: Any, reps: Any) -> Any:  # noqa: N803 (NumPy's name)
    """``np.tile``."""
    array = as_array(A)
    items = reps if isinstance(reps, tuple) else (reps,)
    times = [as_dim(item) for item in items]
    if array.order != "C" or any(t is None or not current().is_natural(t) for t in times):
        raise Unknown
    ndim = max(array.ndim, len(times))
    sizes = (1,) * (ndim - array.ndim) + array.shape_sizes
    factors = [1] * (ndim - len(times)) + [t for t in times if t is not None]
    shape = tuple(dims.mul(size, factor) for size, factor in zip(sizes, factors, strict=True))
    if array.ndim == 0:
        raise Unknown
    return fresh(np.tile, (array, reps), {}, array.dtype, shape)


def meshgrid(*xi: Any, indexing: str = "xy") -> Any:
    """``np.meshgrid`` of two vectors."""
    if len(xi) != 2 or indexing not in ("xy", "ij") or any(as_array(x).ndim != 1 for x in xi):
        raise Unknown
    rows = 1 if indexing == "xy" else 0  # which of the two varies from row to row
    shape = (xi[rows].shape_sizes[0], xi[1 - rows].shape_sizes[0])
    grids = []
    for number, source in enumerate(xi):
        under = template()
        written = under.write(tuple(size_symbol(size) for size in shape))
        extra = "" if source.dtype == np.float64 else f", dtype={dtype_text(source.dtype)}"
        text = f"np.empty({written}{extra})"
        attrs = {"text": text, PART_OF: "meshgrid"}
        grid = SymbolicArray(current().one("empty", under.operands, Array(source.dtype, shape, "C"), **attrs))
        grid[...] = source[:, None] if number == rows else source
        grids.append(grid)
    return tuple(grids)


HANDLERS: dict[Any, Callable[..., Any]] = {
    np.concatenate: concatenate,
    np.stack: stack,
    np.vstack: vstack,
    np.hstack: hstack,
    np.column_stack: column_stack,
    np.repeat: repeat,
    np.tile: tile,
    np.meshgrid: meshgrid,
}
